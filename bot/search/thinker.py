"""Thinking about a game: the Python face of the search.

A `Thinker` owns a transposition table and what was learnt in earlier searches.  Several threads may think with one;
each gets a worker of its own, and they share the table.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bot.search import wdl
from bot.search.driver import Driver
from bot.search.evaluation import for_game
from bot.search.options import changed
from bot.search.stopping import StopFlag
from bot.search.table import Table
from rules.move import Move

if TYPE_CHECKING:
    from rules.draws import DrawPolicy
    from rules.position import Position
    from rules.variant import Variant

__all__ = ["Limits", "Played", "StopFlag", "Thinker", "Thought"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; without any, only when it is stopped.

    `time_ms` is kept to the millisecond or so; after `soft_ms` (stretched or cut by how clear the choice is) no new
    iteration begins; `nodes` is exact.
    """

    time_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    soft_ms: int | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}: a limit is at least 1")


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found, from the view of the side to move; `win_in` counts moves, negative when it loses."""

    move: Move
    ponder: Move | None
    score_cp: int
    win_in: int | None
    depth: int
    selective_depth: int
    nodes: int
    time_ms: int
    pv: tuple[Move, ...]


class Played(Protocol):
    """What the search wants of a `rules.game.Game`."""

    @property
    def variant(self) -> Variant: ...
    @property
    def policy(self) -> DrawPolicy: ...
    @property
    def positions(self) -> list[Position]: ...


class Thinker:
    """Searches positions of any game.

    Raises: ValueError for an unknown option; MemoryError when the table does not fit.
    """

    def __init__(self, hash_mb: int = 16, options: Mapping[str, int] | None = None) -> None:
        self._changes = dict(options or {})
        changed({}, self._changes)
        self._table = Table(hash_mb)
        self._lock = threading.Lock()
        self._idle: list[Any] = []

    def think(
        self,
        game: Played,
        limits: Limits,
        stop: StopFlag | None = None,
        on_progress: Callable[[Thought], None] | None = None,
    ) -> Thought:
        """Search the game's present position, its history and draw policy in mind; runs without the GIL.

        `on_progress` is called after each iteration.

        Raises: ValueError when there is no legal move.
        """
        driver = self._take(game.variant)
        driver.place(game.positions, game.policy, _salt(game))
        self._table.begin_search()
        listener = None if on_progress is None else (lambda found: on_progress(_thought(found)))
        try:
            found = driver.think(_for_driver(limits), stop or StopFlag(), listener)
        finally:
            with self._lock:
                self._idle.append(driver)
        return _thought(found)

    def clear(self) -> None:
        """Forget all earlier searches; not while one runs."""
        with self._lock:
            self._idle.clear()
        self._table.clear()

    def fullness_permille(self) -> int:
        """How much of the table the latest search has written."""
        return int(self._table.fullness_permille())

    def _take(self, variant: Variant) -> Any:
        """A worker for this game that nobody uses."""
        with self._lock:
            for index, driver in enumerate(self._idle):
                if driver.variant is variant:
                    return self._idle.pop(index)
        profile = for_game(variant)
        return Driver(self._table, variant, profile.evaluation, changed(profile.options, self._changes))


def _for_driver(limits: Limits) -> dict[str, int]:
    wanted = {
        "time_us": limits.time_ms and limits.time_ms * 1000,
        "soft_us": limits.soft_ms and limits.soft_ms * 1000,
        "depth": limits.depth,
        "nodes": limits.nodes,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _salt(game: Played) -> int:
    """Keeps apart positions that look alike but belong to different games, or end by other draws."""
    name = f"{game.variant.key} {game.policy.name}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def _thought(found: dict[str, Any]) -> Thought:
    line = tuple(Move(code) for code in found["line"])
    return Thought(
        move=line[0],
        ponder=line[1] if len(line) > 1 else None,
        score_cp=found["score"],
        win_in=wdl.win_in(found["score"]),
        depth=found["depth"],
        selective_depth=found["selective_depth"],
        nodes=found["nodes"],
        time_ms=found["time_us"] // 1000,
        pv=line,
    )
