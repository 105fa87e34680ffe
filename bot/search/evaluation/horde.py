"""The evaluation of horde: pawns that guard each other against an army with a king to lose."""

import cython


class Horde(Mobile):
    """Mobility, how the horde holds together, pawns that run, and the army's king."""

    LAYOUT = (
        *Mobile.LAYOUT,
        ("horde_pawn", HORDE_PAWN, 1), ("supported", SUPPORTED, 1), ("blocked", BLOCKED, 1), ("loose", LOOSE, 1),
        ("pawn_hit", PAWN_HIT, 1), ("runner", RUNNER, 8), ("danger", DANGER, 32),
    )  # fmt: skip

    def further(self, s, reach, color):
        """The horde is the side without a king."""
        score: cython.int = self.runners(s, color)
        units: cython.int
        if reach.king[color] == NO_SQUARE:
            return score + self.crowd(s, reach, color)
        units = reach.units[color ^ 1] + 3 * reach.attackers[color ^ 1]
        units += 2 * popcount(reach.ring[color] & reach.pawns[color ^ 1])
        return score - self.weights[DANGER + min(units // 2, 31)]

    def crowd(self, s, reach, color):
        """How the pawns of the horde stand."""
        own: u64 = s.roles[PAWN] & s.colors[color]
        theirs: u64 = s.colors[color ^ 1]
        guarded: u64 = reach.pawns[color] | reach.pieces[color]
        enemy: u64 = reach.pieces[color ^ 1] | reach.pawns[color ^ 1]
        score: cython.int = self.weights[HORDE_PAWN] * popcount(own)
        score += self.weights[SUPPORTED] * popcount(own & reach.pawns[color])
        score += self.weights[BLOCKED] * popcount(ahead(color, own) & theirs)
        score += self.weights[LOOSE] * popcount(own & enemy & ~guarded)
        return score + self.weights[PAWN_HIT] * popcount(theirs & ~s.roles[PAWN] & reach.pawns[color])

    def runners(self, s, color):
        """Pawns that no enemy pawn stands before or beside."""
        left: u64 = unopposed_pawns(s, color)
        score: cython.int = 0
        while left:
            score += self.weights[RUNNER + relative_rank(color, lsb(left))]
            left &= left - 1
        return score
