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
        hill: u64 = _hill() & s.roles[KING]
        if not hill:
            return UNDECIDED
        return ending(WON if hill & s.colors[s.turn] else LOST, BY_KING_ON_HILL)

    def threatens_win(self, s):
        """Whether the king can step onto the hill."""
        return king_could_step(s, s.turn, _hill())

    def pressing(self, s):
        """What gives check, and the enemy king when it could step onto the hill next."""
        king: u64 = s.roles[KING] & s.colors[s.turn ^ 1]
        return self.checkers(s) | (king if king_could_step(s, s.turn ^ 1, _hill()) else 0)

    def can_win(self, s, color):
        return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hill() -> u64:
    return (rank_mask(3) | rank_mask(4)) & (file_mask(3) | file_mask(4))
