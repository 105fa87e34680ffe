"""The evaluation of crazyhouse: men in hand, and kings that they can be dropped beside."""

import cython


class Crazyhouse(Mobile):
    """Mobility, what lies in the hands, and the holes round the kings."""

    LAYOUT = (
        *Mobile.LAYOUT,
        ("in_hand", IN_HAND, 6), ("danger", DANGER, 64), ("shield", SHIELD, 4), ("hole", HOLE, 1),
    )  # fmt: skip

    def further(self, s, reach, color):
        """Men in hand, and how safe the king is."""
        role: cython.int
        score: cython.int = self.king_zone(s, reach, color)
        for role in range(PAWN, KING):
            score += self.weights[IN_HAND + role] * s.pocket[color][role]
        return score

    def king_zone(self, s, reach, color):
        """What bears on one side's king, and what can be dropped beside it."""
        them: cython.int = color ^ 1
        king: cython.int = reach.king[color]
        beside_king: u64 = KING_ATTACKS[king]
        guarded: u64 = reach.minors[color] | reach.rooks[color] | reach.queens[color] | reach.pawns[color]
        enemy: u64 = reach.minors[them] | reach.rooks[them] | reach.queens[them] | reach.pawns[them]
        holes: u64 = beside_king & ~guarded & ~occupied_of(s)
        # A man dropped there cannot be captured, or only by a king that may not.
        landing: u64 = ~occupied_of(s) & ~guarded & (~beside_king | enemy)
        pawns: u64 = s.roles[PAWN] & s.colors[color] & beside_king
        units: cython.int = reach.units[them] + 2 * reach.attackers[them]
        pawns &= ranks_ahead(color, king >> 3) | rank_mask(king >> 3)
        units += 3 * popcount(beside_king & enemy & ~guarded) + 2 * popcount(beside_king & reach.pawns[them])
        units += self.drop_units(s, king, them, landing, holes)
        return (
            self.weights[SHIELD + min(popcount(pawns), 3)]
            + self.weights[HOLE] * popcount(holes)
            - self.weights[DANGER + min(units, UNITS_MOST)]
        )

    def drop_units(self, s, king, them, landing, holes):
        """What the enemy's hand adds to the danger of a king."""
        straight: u64 = rook_attacks(king, occupied_of(s))
        slanting: u64 = bishop_attacks(king, occupied_of(s))
        room: cython.int = min(popcount(holes), 3)
        units: cython.int = 0
        role: cython.int
        checks: u64
        for role in range(PAWN, KING):
            if not s.pocket[them][role]:
                continue
            if role == PAWN:
                checks = PAWN_ATTACKS[them ^ 1][king] & ~(rank_mask(0) | rank_mask(7))
            elif role == KNIGHT:
                checks = KNIGHT_ATTACKS[king]
            elif role == BISHOP:
                checks = slanting
            elif role == ROOK:
                checks = straight
            else:
                checks = straight | slanting
            if checks & landing:
                units += check_units(role)
            units += holding_units(role) * min(cython.cast(cython.int, s.pocket[them][role]), 2) * (1 + room) // 2
        return units

    def finished(self, s, phase, packed):
        """Men come back: there is no endgame."""
        return midgame(packed)
