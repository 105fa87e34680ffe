"""What each weight of a hand evaluation adds to each position: an evaluation is a sum of its weights, nearly.

The share of a weight is found by turning it up and judging the positions again, so that no evaluation needs to tell how
it counts.  Most positions know nothing of most weights: only what differs is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rules.position import Position

Table = Mapping[str, Sequence[tuple[int, int]]]

# Enough to drown the rounding of tapered scores, and divisible by the phases of a game.
TURN_CP: Final = 240
_LEAST_SHARE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Knob:
    """A weight: its group, its place there, and 0 for the midgame or 1 for the endgame."""

    group: str
    place: int
    phase: int


@dataclass(frozen=True, eq=False)
class Trace:
    """The weights that matter, and for each the positions that know it with its share there, from White's side."""

    knobs: tuple[Knob, ...]
    positions: tuple[Any, ...]  # int32 each
    shares: tuple[Any, ...]  # float32 each
    base_cp: Any  # float32: what the present weights say of each position

    def scores(self, changes: Any) -> Any:
        """What the evaluation says when its weights are changed by so much, in the order of the knobs."""
        scores = self.base_cp.copy()
        for where, share, change in zip(self.positions, self.shares, changes.astype(np.float32), strict=True):
            scores[where] += share * change
        return scores

    def gradient(self, by_score: Any) -> Any:
        """The gradient by the weights, given that by the scores."""
        terms = zip(self.positions, self.shares, strict=True)
        return np.array([np.dot(share, by_score[where]) for where, share in terms], dtype=np.float64)


def white_scores(evaluation: Any, positions: list[Position]) -> Any:
    """What an evaluation says of positions, from White's side."""
    signs = np.array([1 - 2 * position.turn for position in positions], dtype=np.float32)
    return np.array(evaluation.judge(positions), dtype=np.float32) * signs


def with_changes(table: Table, changes: Mapping[Knob, float]) -> dict[str, tuple[tuple[int, int], ...]]:
    """The table with some weights changed, rounded to centipawns."""
    turned = {name: [list(pair) for pair in pairs] for name, pairs in table.items()}
    for knob, change in changes.items():
        turned[knob.group][knob.place][knob.phase] = round(turned[knob.group][knob.place][knob.phase] + change)
    return {name: tuple((middle, end) for middle, end in pairs) for name, pairs in turned.items()}


def trace(
    evaluation: Any, table: Table, positions: list[Position], least_positions: int, tell: Callable[[int, int], None]
) -> Trace:
    """The trace of all weights that at least so many positions know; `tell` hears how many of how many are done.

    The evaluation is loaded with one table after the other, and holds `table` again at the end.
    """
    evaluation.load(table)
    base_cp = white_scores(evaluation, positions)
    places = [(group, place) for group, pairs in table.items() for place in range(len(pairs))]
    every = [Knob(group, place, phase) for group, place in places for phase in (0, 1)]
    knobs, where, shares = [], [], []
    for done, knob in enumerate(every, start=1):
        evaluation.load(with_changes(table, {knob: TURN_CP}))
        share = (white_scores(evaluation, positions) - base_cp) / TURN_CP
        known = np.nonzero(np.abs(share) > _LEAST_SHARE)[0].astype(np.int32)
        if len(known) >= least_positions:
            knobs.append(knob)
            where.append(known)
            shares.append(share[known])
        tell(done, len(every))
    evaluation.load(table)
    return Trace(tuple(knobs), tuple(where), tuple(shares), base_cp)
