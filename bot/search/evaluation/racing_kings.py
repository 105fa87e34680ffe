"""The evaluation of racing kings: both kings run for the eighth rank."""

import cython


class RacingKings(Mobile):
    """Mobility, how far the kings have come, and whether the way is free."""

    LAYOUT = (*Mobile.LAYOUT, ("steps", STEPS, 4), ("barred", BARRED, 1))

    def derive(self):
        """As for any game, but that Black's king sees the board as White's does."""
        square: cython.int
        Mobile.derive(self)
        for square in range(64):
            self.men[BLACK][KING][square] = self.men[WHITE][KING][square]

    def further(self, s, reach, color):
        """The way before the king."""
        king: cython.int = reach.king[color]
        ahead: u64 = KING_ATTACKS[king] & rank_mask(min((king >> 3) + 1, 7))
        beyond: u64 = (ahead << 8) & rank_mask(min((king >> 3) + 2, 7))
        enemy: u64 = reach.pieces[color ^ 1]
        free: u64 = ahead & ~(enemy | s.colors[color])
        return self.weights[STEPS + popcount(free)] + self.weights[BARRED] * popcount((ahead | beyond) & enemy)
