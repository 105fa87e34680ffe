"""Tuning the weights of a hand evaluation to games: gradient descent on the error of its predictions (Texel's method).

The labels mix what a search thought with how the game ended.  Two things keep the weights from learning the games by
heart: they are drawn to where they are now, and the best ones on games that were held out are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bot.search.training.examples import Examples
from bot.search.training.trace import Knob, Trace

_RATE_CP: Final = 0.5
_MEAN_DECAY: Final = 0.9
_SQUARE_DECAY: Final = 0.999
_SCALES_CP: Final = range(60, 601, 10)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How weights are tuned.

    `result_share` of a label is how the game ended, the rest what the search's score promised.  A weight is expected to
    move by some `expected_move_cp`: the less, the stronger it is drawn back.  `patience` is for how many epochs the
    error on games held out may fail to fall.
    """

    epochs: int = 400
    result_share: float = 0.3
    expected_move_cp: float = 20.0
    patience: int = 30


@dataclass(frozen=True, slots=True)
class Epoch:
    """How tuning fares: mean squared errors of the predicted points, by games learnt from and held out."""

    number: int
    learnt: float
    held_out: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came out: the changes in centipawns, the scale of the predictions, and the errors before and after."""

    changes: Mapping[Knob, float]
    scale_cp: float
    before: Epoch
    after: Epoch


class Tuner:
    """One tuning."""

    def __init__(self, examples: Examples, trace: Trace, recipe: Recipe) -> None:
        self._trace = trace
        self._recipe = recipe
        self._learnt = ~examples.held_out
        self.scale_cp = fitted_scale(examples.scores_cp[self._learnt], examples.results[self._learnt])
        promised = _points(examples.scores_cp, self.scale_cp)
        share = recipe.result_share
        self._labels = share * examples.results + (1 - share) * promised
        # The noise of results is one of games: the error of one game weighs against one weight's expected move.
        start = self._error(trace.base_cp, self._learnt)
        self._pull = start / max(examples.games, 1) / recipe.expected_move_cp**2

    def tune(self, tell: Callable[[Epoch], None]) -> Tuned:
        """Descend until the games held out are predicted no better; `tell` hears of each epoch."""
        changes = np.zeros(len(self._trace.knobs))
        mean, square = np.zeros_like(changes), np.zeros_like(changes)
        before = best = self._epoch(0, self._trace.base_cp)
        best_changes, scores = changes.copy(), self._trace.base_cp
        for number in range(1, self._recipe.epochs + 1):
            gradient = self._gradient(scores) + 2 * self._pull * changes
            mean = _MEAN_DECAY * mean + (1 - _MEAN_DECAY) * gradient
            square = _SQUARE_DECAY * square + (1 - _SQUARE_DECAY) * gradient**2
            step = mean / (1 - _MEAN_DECAY**number) / (np.sqrt(square / (1 - _SQUARE_DECAY**number)) + 1e-12)
            changes -= _RATE_CP * step
            scores = self._trace.scores(changes)
            epoch = self._epoch(number, scores)
            tell(epoch)
            if epoch.held_out < best.held_out:
                best, best_changes = epoch, changes.copy()
            elif number - best.number >= self._recipe.patience:
                break
        moved = dict(zip(self._trace.knobs, map(float, best_changes), strict=True))
        return Tuned(moved, self.scale_cp, before, best)

    def _gradient(self, scores: Any) -> Any:
        """The gradient of the error on games learnt from, by the weights."""
        points = _points(scores, self.scale_cp)
        by_score = 2 * (points - self._labels) * points * (1 - points) / self.scale_cp
        return self._trace.gradient(np.where(self._learnt, by_score, 0).astype(np.float32)) / self._learnt.sum()

    def _epoch(self, number: int, scores: Any) -> Epoch:
        return Epoch(number, self._error(scores, self._learnt), self._error(scores, ~self._learnt))

    def _error(self, scores: Any, which: Any) -> float:
        return float(np.mean((_points(scores[which], self.scale_cp) - self._labels[which]) ** 2))


def fitted_scale(scores_cp: Any, results: Any) -> float:
    """The scale at which scores predict results best: the points at 1.1 times the scale are 3/4."""
    return float(min(_SCALES_CP, key=lambda scale: float(np.mean((_points(scores_cp, scale) - results) ** 2))))


def _points(scores_cp: Any, scale_cp: float) -> Any:
    return 1 / (1 + np.exp(-scores_cp / np.float32(scale_cp)))
