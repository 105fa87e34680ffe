"""The evaluation of king of the hill: how near the king is to the centre, and whether that is guarded."""

import cython


class KingOfTheHill(Orthodox):
    """As in chess, and the way to the hill."""

    LAYOUT = (*Orthodox.LAYOUT, ("climb", CLIMB, 4), ("open_hill", OPEN_HILL, 4))

    def threats(self, s, maps, color):
        steps: cython.int = steps_to_hill(maps.king[color])
        free: u64 = hill() & ~(s.colors[color] | maps.all[color ^ 1])
        score: cython.int = Orthodox.threats(self, s, maps, color) + self.weights[CLIMB + steps]
        return score + self.weights[OPEN_HILL + steps] * popcount(free)

    def winnable(self, s, score):
        """The king wins by itself: no advantage is too small."""
        return score
