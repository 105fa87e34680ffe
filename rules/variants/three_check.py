"""Three-check: standard chess, and the side that gives its third check wins at once; a double check counts once.

Two bare kings are a draw, and a bare king cannot win; any other material can still give check.
Source: Lichess's rules.
"""

import cython


class ThreeCheck(Variant):
    """Three-check."""

    key = "threeCheck"
    name = "Three-check"
    short = "3check"
    uci_name = "3check"
    perf_key = "threeCheck"
    pgn_name = "Three-check"

    def __cinit__(self):
        self.counts_checks = True

    def play(self, s, m, after):
        us: cython.int = s.turn
        given: cython.int = s.checks[us]
        Variant.play(self, s, m, after)
        if self.checkers(after):
            after.checks[us] = given + 1
            after.key ^= CHECK_KEYS[us][given & 7] ^ CHECK_KEYS[us][(given + 1) & 7]
            after.reversible_plies = 0

    def decided(self, s):
        if s.checks[s.turn ^ 1] >= 3:
            return ending(LOST, BY_THREE_CHECKS)
        return ending(WON, BY_THREE_CHECKS) if s.checks[s.turn] >= 3 else UNDECIDED

    def can_win(self, s, color):
        return (s.colors[color] & ~s.roles[KING]) != 0
