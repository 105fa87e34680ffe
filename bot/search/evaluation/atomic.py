"""The evaluation of atomic chess: what explosions take, and what stands beside the kings."""

import cython


class Atomic(Mobile):
    """Mobility, explosions at hand, the men beside the kings, pawns that run."""

    LAYOUT = (
        *Mobile.LAYOUT,
        ("near_men", NEAR_MEN, 9), ("near_hit", NEAR_HIT, 9), ("aim", AIM, 32), ("room", ROOM, 9), ("blast", BLAST, 16),
        ("advanced", ADVANCED, 8), ("free", FREE, 8), ("guard", GUARD, 4),
    )  # fmt: skip

    def further(self, s, reach, color):
        """The king's surroundings, the best explosion, passed pawns."""
        enemy: u64 = reach.pieces[color ^ 1] | reach.pawns[color ^ 1]
        if reach.king[color] == NO_SQUARE or reach.king[color ^ 1] == NO_SQUARE:
            return 0
        return self.king_zone(s, reach, color, enemy) + self.best_blast(s, reach, color) + self.passed(s, color)

    def king_zone(self, s, reach, color, enemy):
        """How exposed one side's king is: it dies with any man beside it."""
        them: cython.int = color ^ 1
        king: cython.int = reach.king[color]
        beside_king: u64 = KING_ATTACKS[king]
        men: u64 = beside_king & s.colors[color]
        pawns: u64 = s.roles[PAWN] & s.colors[color] & ranks_ahead(color, king >> 3)
        files: u64 = file_mask(king & 7) | beside(file_mask(king & 7))
        score: cython.int = self.weights[NEAR_MEN + popcount(men)]
        score += self.weights[GUARD + min(popcount(pawns & files), 3)]
        if not beside_king & s.roles[KING]:
            score -= self.weights[NEAR_HIT + popcount(men & (enemy & ~KING_ATTACKS[reach.king[them]]))]
            score -= self.weights[AIM + min((reach.units[them] + 3 * reach.attackers[them]) // 2, 31)]
        return score + self.weights[ROOM + popcount(beside_king & ~enemy & ~occupied_of(s))]

    def best_blast(self, s, reach, color):
        """The most that one capture of this side gains, its cheapest capturer counted."""
        own: u64 = s.colors[color]
        them: u64 = s.colors[color ^ 1]
        victims: u64 = them & (reach.pieces[color] & ~KING_ATTACKS[reach.king[color]] | reach.pawns[color])
        victims &= ~KING_ATTACKS[reach.king[color]]
        near: u64
        square: cython.int
        role: cython.int
        gain: cython.int
        best: cython.int = 0
        while victims:
            square = lsb(victims)
            victims &= victims - 1
            near = KING_ATTACKS[square] & ~s.roles[PAWN]
            gain = see_value(role_at(s, square))
            for role in range(KNIGHT, KING):
                gain += see_value(role) * (popcount(near & them & s.roles[role]) - popcount(near & own & s.roles[role]))
            gain -= self.cheapest(reach, color, square)
            best = max(best, gain)
        return self.weights[BLAST + min(best // 50, 15)]

    def cheapest(self, reach, color, square):
        """What the cheapest man that attacks a square is worth."""
        here: u64 = bit(square)
        if reach.pawns[color] & here:
            return see_value(PAWN)
        if reach.minors[color] & here:
            return see_value(BISHOP)
        return see_value(ROOK) if reach.rooks[color] & here else see_value(QUEEN)

    def passed(self, s, color):
        """Pawns that no enemy pawn stands before or beside."""
        left: u64 = unopposed_pawns(s, color)
        score: cython.int = 0
        square: cython.int
        while left:
            square = lsb(left)
            left &= left - 1
            score += self.weights[ADVANCED + relative_rank(color, square)]
            if not occupied_of(s) & ranks_ahead(color, square >> 3) & file_mask(square & 7):
                score += self.weights[FREE + relative_rank(color, square)]
        return score

    def finished(self, s, phase, packed):
        """As for any game, and the way to mate a bare king."""
        score: cython.int = Mobile.finished(self, s, phase, packed)
        color: cython.int
        for color in range(2):
            if s.colors[color] & ~s.roles[KING] and not s.colors[color ^ 1] & ~s.roles[KING]:
                score += -self.driven(s, color) if color else self.driven(s, color)
        return score

    def driven(self, s, strong):
        """A bare king belongs at the edge, and away from the other king: beside it nothing can give check."""
        king: cython.int = king_square(s, strong)
        weak: cython.int = king_square(s, strong ^ 1)
        edge: cython.int
        if king == NO_SQUARE or weak == NO_SQUARE:
            return 0
        edge = max(3 - (weak & 7), (weak & 7) - 4) + max(3 - (weak >> 3), (weak >> 3) - 4)
        return 12 * edge + 25 * min(distance(king, weak), 3)
