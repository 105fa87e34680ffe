"""The evaluation of Spark Chess: squares guarded twice, and kings that can be captured."""

import cython


class Spark(Mobile):
    """Mobility, what Shifts can do, and the safety of kings."""

    LAYOUT = (
        *Mobile.LAYOUT,
        ("first_pawn", FIRST_PAWN, 1), ("guarded", GUARDED, 8), ("guarded_safe", GUARDED_SAFE, 8), ("gate", GATE, 2),
        ("fork", FORK, 2), ("king_fork", KING_FORK, 3), ("room", ROOM, 9), ("ring", RING, 32),
        ("pawn_hit", PAWN_HIT, 1), ("minor_hit", MINOR_HIT, 1), ("loose", LOOSE, 1), ("swaps", SWAPS, 1),
        ("phalanx", PHALANX_PAIR, 1),
    )  # fmt: skip

    def further(self, s, reach, color):
        """Spark Moves at hand, kings, and loose men."""
        enemy: u64 = reach.pieces[color ^ 1] | reach.pawns[color ^ 1]
        pawns: u64 = s.roles[PAWN] & s.colors[color]
        theirs: u64 = s.colors[color ^ 1] & ~s.roles[PAWN] & ~s.roles[KING]
        score: cython.int = self.king_zone(s, reach, color, enemy)
        if pawns:
            score += self.weights[FIRST_PAWN] + self.guards(s, reach, color, enemy)
            score += self.weights[PHALANX_PAIR] * popcount(pawns & (pawns << 1) & ~file_mask(0))
        score += self.weights[PAWN_HIT] * popcount(theirs & reach.pawns[color])
        score += self.weights[MINOR_HIT] * popcount(theirs & (s.roles[ROOK] | s.roles[QUEEN]) & reach.minors[color])
        score += self.weights[LOOSE] * popcount(theirs & ~enemy & (reach.pieces[color] | reach.pawns[color]))
        return score

    def guards(self, s, reach, color, enemy):
        """Squares that a pawn may be shifted to."""
        occupied: u64 = occupied_of(s)
        last: u64 = rank_mask(0 if color else 7)
        landing: u64 = reach.twice[color] & ~occupied & ~last
        theirs: u64 = s.colors[color ^ 1] & ~s.roles[PAWN]
        gates: u64 = landing & rank_mask(1 if color else 6)
        swappable: u64 = reach.twice[color] & s.colors[color] & ~s.roles[PAWN] & ~last
        score: cython.int = self.weights[SWAPS] * popcount(swappable)
        rank: cython.int
        row: u64
        for rank in range(1, 7):
            row = landing & rank_mask(7 - rank if color else rank)
            score += self.weights[GUARDED + rank] * popcount(row)
            score += self.weights[GUARDED_SAFE + rank] * popcount(row & ~enemy)
        # A pawn on the seventh promotes on an empty square before it, or by a capture beside that.
        gates &= ahead(color ^ 1, ~occupied) | ahead(color ^ 1, beside(s.colors[color ^ 1] & last))
        score += self.weights[GATE] * popcount(gates & enemy) + self.weights[GATE + 1] * popcount(gates & ~enemy)
        # Squares with an enemy piece diagonally in front on both sides.
        landing &= (ahead(color ^ 1, theirs) >> 1 & ~file_mask(7)) & (ahead(color ^ 1, theirs) << 1 & ~file_mask(0))
        score += self.weights[FORK] * popcount(landing & enemy) + self.weights[FORK + 1] * popcount(landing & ~enemy)
        return score

    def king_zone(self, s, reach, color, enemy):
        """How free and how safe one side's king is."""
        them: cython.int = color ^ 1
        king: cython.int = reach.king[color]
        shifts: u64
        score: cython.int
        if king == NO_SQUARE:
            return 0
        score = self.weights[ROOM + popcount(KING_ATTACKS[king] & ~enemy & ~s.colors[color])]
        if s.roles[PAWN] & s.colors[them]:
            shifts = PAWN_ATTACKS[color][king] & reach.twice[them] & ~occupied_of(s)
            score -= self.weights[KING_FORK + popcount(shifts)]
        return score - self.weights[RING + min((reach.units[them] + 3 * reach.attackers[them]) // 2, 31)]
