"""King of the Hill: standard chess, and a king that reaches d4, e4, d5 or e5 wins at once.

The king may not step there through check.  No material is ever insufficient: a bare king can walk up the hill.
Source: Lichess's rules.
"""

import cython


class KingOfTheHill(Variant):
    """King of the Hill."""

    key = "kingOfTheHill"
    name = "King of the Hill"
    short = "KotH"
    uci_name = "kingofthehill"
    perf_key = "kingOfTheHill"
    pgn_name = "King of the Hill"

    def decided(self, s):
        hill: u64 = (rank_mask(3) | rank_mask(4)) & (file_mask(3) | file_mask(4)) & s.roles[KING]
        if not hill:
            return UNDECIDED
        return ending(WON if hill & s.colors[s.turn] else LOST, BY_KING_ON_HILL)

    def threatens_win(self, s):
        """Whether the king can step onto the hill."""
        us: cython.int = s.turn
        king: cython.int = king_square(s, us)
        behind: u64 = occupied_of(s) & ~bit(king)
        steps: u64 = KING_ATTACKS[king] & ~s.colors[us]
        steps &= (rank_mask(3) | rank_mask(4)) & (file_mask(3) | file_mask(4))
        while steps:
            if not is_attacked(s, lsb(steps), behind, us ^ 1):
                return True
            steps &= steps - 1
        return False

    def can_win(self, s, color):
        return True
