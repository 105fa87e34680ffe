"""Filling a file with records of games, and telling beside it where they come from."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.search.training import records, selfplay
from bot.search.training.packing import Layout
from rules import variants

if TYPE_CHECKING:
    from bot.search.training.selfplay import Settings


@dataclass(frozen=True, slots=True)
class Quota:
    """How much a file shall hold; None: however much."""

    positions: int | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """How far a file has come."""

    positions: int
    games: int
    positions_here: int  # those of this run
    seconds: float


def gather(
    path: Path, settings: Settings, made_by: str, quota: Quota, workers: int, tell: Callable[[Gathered], None]
) -> Gathered:
    """Play games until the file holds its quota, whole games only, going on where it ends; `tell` hears of each game.

    Raises: RecordsError, SelfPlayFailed, OSError.
    """
    description = {**settings.described(), "made_by": made_by}
    written = records.open_for_more(path, variants.by_key(settings.variant_key), description)
    began = time.perf_counter()
    so_far = Gathered(written.records, written.games, 0, 0.0)
    if _is_met(quota, so_far):
        return so_far
    records.cut_back(path, written)
    with path.open("ab") as file, closing(selfplay.play(settings, written.games, workers)) as games:
        while not _is_met(quota, so_far):
            number, played = next(games)
            file.write(b"".join(played))
            here = so_far.positions_here + len(played)
            so_far = Gathered(written.records + here, number + 1, here, time.perf_counter() - began)
            tell(so_far)
    return so_far


def _is_met(quota: Quota, so_far: Gathered) -> bool:
    enough_positions = quota.positions is not None and so_far.positions >= quota.positions
    return enough_positions or (quota.games is not None and so_far.games >= quota.games)


def provenance(path: Path) -> dict[str, Any]:
    """Where a file's records come from, and how many there are of what.

    Raises: RecordsError.
    """
    header = records.read_header(path)
    layout = Layout(header.variant)
    results: Counter[str] = Counter()
    positions = games = last_game = 0
    for game in records.games(path):
        judged = layout.judged(game[-1])
        white_points = judged.result if layout.position(game[-1]).turn == 0 else 2 - judged.result
        results[("black_won", "drawn", "white_won")[white_points]] += 1
        positions += len(game)
        games += 1
        last_game = judged.game
    return {
        "format": records.VERSION,
        **header.description,
        "positions": positions,
        "games_kept": games,
        "games_played": last_game + 1 if games else 0,
        "results": dict(sorted(results.items())),
    }


def write_provenance(path: Path) -> Path:
    """Write `provenance` beside a file of records, as JSON; where to.

    Raises: RecordsError, OSError.
    """
    beside = path.with_name(path.name + ".json")
    beside.write_text(json.dumps(provenance(path), indent=2) + "\n")
    return beside
