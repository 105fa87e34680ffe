"""Positions to tune by, with what a search said of them and how their games ended."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bot.search.training import records
from bot.search.training.packing import Layout
from bot.search.training.records import RecordsError
from rules.position import Position
from rules.variant import Variant

# Beyond this a game is as good as over, and what the evaluation says of it does not matter.
MOST_CP: Final = 2000


@dataclass(frozen=True, eq=False)
class Examples:
    """Positions, a row each; scores and results are White's, results 0, 1/2 or 1."""

    positions: list[Position]
    scores_cp: Any  # float32
    results: Any  # float32
    held_out: Any  # bool: of games that are not learnt from
    games: int


def load(paths: Sequence[Path], variant: Variant, most: int, held_out: float, seed: int) -> Examples:
    """The positions of some files, drawn at random when there are more than `most`.

    A share of the games is held out, whole: positions of one game are too much alike to test what was learnt from it.

    Raises: RecordsError.
    """
    chance = random.Random(seed)
    layout = Layout(variant)
    contents, places, held = [], [], bytearray()
    games = 0
    for path in paths:
        header, content = records.whole_records(path)
        if header.variant is not variant:
            raise RecordsError(f"{path}: records of {header.variant.key}, not of {variant.key}")
        contents.append(content)
        game, is_held_out = None, False
        for at in range(0, len(content), layout.size):
            judged = layout.judged(content[at : at + layout.size])
            if judged.game != game:
                game, is_held_out = judged.game, chance.random() < held_out
                games += 1
            if abs(judged.score_cp) <= MOST_CP:
                places.append((len(contents) - 1, at))
                held.append(is_held_out)
    drawn = sorted(chance.sample(range(len(places)), most)) if len(places) > most else range(len(places))
    held_drawn = np.array([held[index] for index in drawn], dtype=bool)
    if held_drawn.all() or not held_drawn.any():
        raise RecordsError(f"{', '.join(map(str, paths))}: too few games to learn from some and hold out others")
    rows = [contents[file][at : at + layout.size] for file, at in (places[index] for index in drawn)]
    return _examples(layout, rows, held_drawn, games)


def _examples(layout: Layout, rows: list[bytes], held_out: Any, games: int) -> Examples:
    positions = [layout.position(row) for row in rows]
    judged = [layout.judged(row) for row in rows]
    signs = np.array([1 - 2 * position.turn for position in positions], dtype=np.float32)
    scores = np.array([one.score_cp for one in judged], dtype=np.float32) * signs
    results = 0.5 + (np.array([one.result for one in judged], dtype=np.float32) - 1) / 2 * signs
    return Examples(positions, scores, results, held_out, games)
