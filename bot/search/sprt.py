"""The sequential test that ends a match as soon as the question is settled.

The generalised probability ratio test on pairs of games: of all distributions of the five results of a pair with a
given mean, the likeliest for each hypothesis are compared.  Bounds are Wald's, with 5 % for either error.

Source: M. Van den Bergh, "A practical introduction to the GSPRT", proposition 1.1; as fishtest tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from bot.search.tally import share_of

_ERROR: Final = 0.05
BOUND: Final = log((1 - _ERROR) / _ERROR)
# What an outcome that has not occurred yet is counted as.
_NEVER: Final = 1e-3
_HALVINGS: Final = 80
MOST_ELO: Final = 2000


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is the first player `elo1` better, or only `elo0`?

    Raises: ValueError unless elo0 < elo1, neither further from 0 than MOST_ELO.
    """

    elo0: float
    elo1: float

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"{self.elo0:g},{self.elo1:g}: the first must be the smaller one")
        if max(abs(self.elo0), abs(self.elo1)) > MOST_ELO:
            raise ValueError(f"{self.elo0:g},{self.elo1:g}: no more than {MOST_ELO} Elo can be told apart")

    def llr(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio of `elo1` over `elo0`, given pairs by their points 0, 1/2 ... 2."""
        if not any(pairs):
            return 0.0
        counts = [pair or _NEVER for pair in pairs]
        low, high = (_tilt(counts, share_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * log(before / after) for count, before, after in zip(counts, low, high, strict=True))

    def accepted(self, pairs: Sequence[int]) -> float | None:
        """The Elo that is accepted, None while the test goes on."""
        llr = self.llr(pairs)
        if llr >= BOUND:
            return self.elo1
        return self.elo0 if llr <= -BOUND else None


def _tilt(counts: Sequence[float], mean: float) -> list[float]:
    """What each count is divided by in the likeliest distribution with this mean (of points between 0 and 1).

    It is 1 + x * (points - mean) with the one x at which the mean comes out right; the search for x halves its range,
    between the values at which a divisor would vanish.
    """
    offsets = [index / 4 - mean for index in range(5)]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        if sum(count * offset / (1 + x * offset) for count, offset in zip(counts, offsets, strict=True)) > 0:
            low = x
        else:
            high = x
    return [1 + x * offset for offset in offsets]
