"""The evaluation of three-check: each check that was given makes the next attack worth more."""

import cython


class ThreeCheck(Orthodox):
    """As in chess, and the checks given."""

    LAYOUT = (*Orthodox.LAYOUT, ("checks_given", CHECKS_GIVEN, 3), ("pressure", PRESSURE, 3))

    def king_safety(self, s, maps, color):
        them: cython.int = color ^ 1
        given: cython.int = min(cython.cast(cython.int, s.checks[them]), 2)
        score: cython.int = Orthodox.king_safety(self, s, maps, color) - self.weights[CHECKS_GIVEN + given]
        return score - self.weights[PRESSURE + given] * maps.attackers[them]

    def winnable(self, s, score):
        """Any man can give the checks that win: no advantage is too small."""
        return score
