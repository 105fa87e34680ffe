"""The evaluation of racing kings: both kings run for the eighth rank."""

import cython


class RacingKings(Mobile):
    """Mobility, and how far the kings have come."""

    def derive(self):
        """As for any game, but that Black's king sees the board as White's does."""
        square: cython.int
        Mobile.derive(self)
        for square in range(64):
            self.men[BLACK][KING][square] = self.men[WHITE][KING][square]
