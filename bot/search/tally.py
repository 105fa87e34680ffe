"""The score of a match so far: points, Elo, and how far chance may have moved them.

The two games of a pair share their opening, so they are not independent: all error bars come from pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, log10, sqrt
from types import MappingProxyType
from typing import Final

ILLEGAL: Final = "illegal move"
TIME: Final = "time"
BROKEN: Final = "broken down"
# Half the width of a 95 % interval in standard deviations.
_DEVIATIONS: Final = 1.96
_MOST_ELO: Final = 3000.0


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended, from the first player's view; whoever is at fault has lost."""

    points: float
    plies: int
    # A reason of the rules, or `adjudication`, or what the loser did wrong.
    reason: str

    @property
    def fault(self) -> str | None:
        """What the loser did wrong, if anything: an illegal move, its time, a break-down."""
        return self.reason if self.reason in (ILLEGAL, TIME, BROKEN) else None


@dataclass(frozen=True, slots=True)
class Faults:
    """What one player did wrong, in games."""

    illegal: int = 0
    time: int = 0
    broken: int = 0

    def plus(self, fault: str) -> Faults:
        """With one more."""
        return Faults(self.illegal + (fault == ILLEGAL), self.time + (fault == TIME), self.broken + (fault == BROKEN))

    def __bool__(self) -> bool:
        return bool(self.illegal or self.time or self.broken)


@dataclass(frozen=True, slots=True)
class Tally:
    """The games so far, from the first player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    # Pairs of games by their points: 0, 1/2, 1, 3/2, 2.
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    first_faults: Faults = Faults()
    second_faults: Faults = Faults()
    _halves: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))

    def plus(self, number: int, result: Result) -> Tally:
        """With one game more; games 0 and 1 are a pair, 2 and 3, and so on, in whatever order they come."""
        faults = {}
        if result.fault is not None:
            name = "first_faults" if result.points == 0 else "second_faults"
            faults[name] = getattr(self, name).plus(result.fault)
        halves, pairs = dict(self._halves), list(self.pairs)
        if number // 2 in halves:
            pairs[round(2 * (halves.pop(number // 2) + result.points))] += 1
        else:
            halves[number // 2] = result.points
        return replace(
            self,
            wins=self.wins + (result.points == 1),
            draws=self.draws + (result.points == 0.5),
            losses=self.losses + (result.points == 0),
            pairs=(pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]),
            _halves=MappingProxyType(halves),
            **faults,
        )

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def percent(self) -> float:
        """The first player's points in percent."""
        return 100 * (self.wins + self.draws / 2) / max(self.games, 1)

    @property
    def error_percent(self) -> float:
        """Half the width of the 95 % interval of `percent`; 0 before the first pair is complete."""
        return 100 * _DEVIATIONS * standard_error(self.pairs)

    @property
    def elo(self) -> float:
        """The difference in Elo that the score speaks for; infinite when one side has taken all."""
        return elo_of(self.percent / 100)

    @property
    def error_elo(self) -> float:
        """Half the width of the 95 % interval of `elo`; infinite when the interval reaches a clean score."""
        share, error = self.percent / 100, self.error_percent / 100
        low, high = elo_of(share - error), elo_of(share + error)
        return inf if inf in (-low, high) else (high - low) / 2


def standard_error(pairs: Sequence[int]) -> float:
    """The standard error of the mean points of a game, as a share of 1, by complete pairs."""
    count = sum(pairs)
    if not count:
        return 0.0
    mean = sum(index * pair for index, pair in enumerate(pairs)) / 4 / count
    variance = sum(pair * (index / 4 - mean) ** 2 for index, pair in enumerate(pairs)) / count
    return sqrt(variance / count)


def elo_of(share: float) -> float:
    """The difference in Elo at which this share of the points is expected."""
    if share <= 0:
        return -inf
    if share >= 1:
        return inf
    return max(-_MOST_ELO, min(_MOST_ELO, 400 * log10(share / (1 - share))))


def share_of(elo: float) -> float:
    """The share of the points that is expected at this difference in Elo."""
    return float(1 / (1 + 10 ** (-elo / 400)))
