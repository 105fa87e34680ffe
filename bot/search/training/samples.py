"""Records as arrays to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bot.search.evaluation.networks import features_of
from bot.search.training import records
from bot.search.training.packing import Layout
from bot.search.training.records import RecordsError

if TYPE_CHECKING:
    from rules.variant import Variant

# Every so many-th game is held out, whole: positions of one game are too much alike to test what was learnt from it.
HELD_OUT: Final = 50
JUDGED_AT_ONCE: Final = 100_000
# The planes of a side's men come in the order of the roles, this one last.
KING: Final = 5


@dataclass(frozen=True, eq=False)
class Samples:
    """Packed records, a row each, with the fields that training looks at."""

    variant: Variant
    layout: Layout
    rows: Any  # uint8, count x layout.size
    score_cp: Any  # int16, of the mover
    result: Any  # uint8, 0 1 2
    men: Any  # uint8
    hand_cp: Any  # float32, of the mover: what the network is to refine; 0 where it judges alone

    def __len__(self) -> int:
        return len(self.rows)

    def some(self, which: Any) -> Samples:
        """Those of an index or a mask."""
        parts = (self.rows, self.score_cp, self.result, self.men, self.hand_cp)
        return Samples(self.variant, self.layout, *(part[which] for part in parts))


def judged(samples: Samples, evaluation: Any) -> Samples:
    """The samples with what an evaluation makes of each."""
    scores = np.empty(len(samples), np.float32)
    for first in range(0, len(samples), JUDGED_AT_ONCE):
        rows = samples.rows[first : first + JUDGED_AT_ONCE]
        scores[first : first + len(rows)] = evaluation.judge([samples.layout.position(row.tobytes()) for row in rows])
    return replace(samples, hand_cp=scores)


def load(paths: Sequence[Path]) -> tuple[Samples, Samples]:
    """The records of some files: those to learn from, and those of the games that are held out.

    Positions in which a king stands alone are left out: networks are not asked about them.

    Raises: RecordsError.
    """
    learnt, held = [], []
    variant = None
    for path in paths:
        header, content = records.whole_records(path)
        if variant is not None and header.variant is not variant:
            raise RecordsError(f"{path}: records of {header.variant.key} beside those of {variant.key}")
        variant = header.variant
        samples, games = _samples(variant, content)
        wanted = _both_have_men(samples)
        learnt.append(samples.some(wanted & (games % HELD_OUT != 0)))
        held.append(samples.some(wanted & (games % HELD_OUT == 0)))
    if not sum(map(len, learnt)) or not sum(map(len, held)):
        raise RecordsError(f"{', '.join(map(str, paths))}: too few games to learn from and to hold some out")
    return _joined(learnt), _joined(held)


def _both_have_men(samples: Samples) -> Any:
    """Which have men of both sides beside the kings."""
    features = features_of(samples.variant)
    found = np.empty(len(samples), bool)
    for first in range(0, len(samples), JUDGED_AT_ONCE):
        rows = samples.rows[first : first + JUDGED_AT_ONCE]
        seen = np.frombuffer(samples.layout.seen(features, rows.tobytes()), "<u8").reshape(len(rows), 2, -1)
        own, theirs = (seen[:, 0, at : at + KING].any(axis=1) for at in (0, features.pairs))
        found[first : first + len(rows)] = own & theirs
    return found


def _samples(variant: Variant, content: bytes) -> tuple[Samples, Any]:
    layout = Layout(variant)
    rows = np.frombuffer(content, np.uint8).reshape(-1, layout.size)

    def field(at: int, kind: str) -> Any:
        return np.ascontiguousarray(rows[:, at : at + np.dtype(kind).itemsize]).view(kind)[:, 0]

    men = np.bitwise_count(field(layout.occupancy_at, "<u8")).astype(np.uint8)
    blank = np.zeros(len(rows), np.float32)
    samples = Samples(variant, layout, rows, field(layout.score_at, "<i2"), rows[:, layout.result_at], men, blank)
    return samples, field(layout.game_at, "<u4")


def _joined(parts: list[Samples]) -> Samples:
    first = parts[0]
    fields = ("rows", "score_cp", "result", "men", "hand_cp")
    joined = (np.concatenate([getattr(part, name) for part in parts]) for name in fields)
    return Samples(first.variant, first.layout, *joined)
