"""Ratings: Glicko-2, as Lichess keeps one for every category, and the parlour's Elo with its two ladders.

Glicko-2 itself is the library's (PyPI `glicko2`).  Decision: every game is a rating period of its own; periods without
a game, of the length that Lichess uses, make a rating less certain.
Parlour: a win moves at most 30 points; the general ladder counts all games, the monthly one begins anew every month.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import glicko2

LEAST_RATING: Final = 400.0
MOST_RATING: Final = 4000.0
LEAST_DEVIATION: Final = 45.0
MOST_DEVIATION: Final = 500.0
MOST_VOLATILITY: Final = 0.1
PROVISIONAL_DEVIATION: Final = 110.0
PERIOD_MS: Final = 403_060_000
"""About four days and sixteen hours."""

ELO_SWING: Final = 30
ELO_SPREAD: Final = 400
ELO_START: Final = 1000
ABANDON_PENALTY: Final = 20


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating and how certain it is; `at_ms` is when it was last played for."""

    rating: float
    deviation: float
    volatility: float
    at_ms: int

    @property
    def shown(self) -> int:
        """The rating as people read it."""
        return round(self.rating)

    @property
    def provisional(self) -> bool:
        """Whether it is too uncertain to mean much; Lichess marks it with a question mark."""
        return self.deviation > PROVISIONAL_DEVIATION

    def aged(self, now_ms: int) -> Glicko:
        """Less certain by the periods that have passed without a game."""
        periods = max(now_ms - self.at_ms, 0) // PERIOD_MS
        player = glicko2.Player(self.rating, self.deviation, self.volatility)
        while periods > 0 and player.rd < MOST_DEVIATION:
            player.did_not_compete()
            periods -= 1
        return Glicko(self.rating, min(float(player.rd), MOST_DEVIATION), self.volatility, self.at_ms)

    def after(self, opponent: Glicko, score: float, now_ms: int) -> Glicko:
        """After a game: `score` is 1, ½ or 0; both come as they were before it."""
        own, other = self.aged(now_ms), opponent.aged(now_ms)
        player = glicko2.Player(own.rating, own.deviation, own.volatility)
        player.update_player([other.rating], [other.deviation], [score])
        return Glicko(
            min(max(float(player.rating), LEAST_RATING), MOST_RATING),
            min(max(float(player.rd), LEAST_DEVIATION), MOST_DEVIATION),
            min(float(player.vol), MOST_VOLATILITY),
            now_ms,
        )


GLICKO_START: Final = Glicko(1500.0, MOST_DEVIATION, 0.09, 0)


@dataclass(frozen=True, slots=True)
class Ladders:
    """A player's Elo on the general ladder, and on that of one `month`, written `2026-11`."""

    general: int
    monthly: int
    month: str

    @property
    def shown(self) -> int:
        """The rating as people read it: the general one."""
        return self.general

    @property
    def provisional(self) -> bool:
        """Elo is never in doubt."""
        return False

    def in_month(self, month: str) -> Ladders:
        """As it stands in that month, in which everyone starts at 1000."""
        return self if self.month == month else Ladders(self.general, ELO_START, month)

    def plus(self, general: int, monthly: int) -> Ladders:
        """With so many points more."""
        return Ladders(self.general + general, self.monthly + monthly, self.month)


LADDERS_START: Final = Ladders(ELO_START, ELO_START, "")


def elo_change(own: int, other: int, score: float) -> int:
    """The points that a game brings whoever has the rating `own`; the opponent gets the negative."""
    expected: float = 1 / (1 + 10 ** ((other - own) / ELO_SPREAD))
    return round(ELO_SWING * (score - expected))


def after_parlour_game(
    white: Ladders, black: Ladders, score: float, *, abandoned: bool = False, credited: bool = True
) -> tuple[Ladders, Ladders]:
    """Both players' ladders, of the same month, after a rated game; `score` is White's.

    Who has `abandoned` the game, and so lost it, pays a penalty; a winner that is not `credited` gains nothing.
    """
    points = []
    for own, other in ((white.general, black.general), (white.monthly, black.monthly)):
        change = elo_change(own, other, score)
        changes = [change, -change]
        if score in (0, 1):
            winner = 0 if score == 1 else 1
            changes[1 - winner] -= ABANDON_PENALTY if abandoned else 0
            changes[winner] *= credited
        points.append(changes)
    general, monthly = points
    return white.plus(general[0], monthly[0]), black.plus(general[1], monthly[1])
