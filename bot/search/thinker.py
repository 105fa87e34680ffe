"""Thinking about a game: the Python face of the search.

A `Thinker` owns a transposition table and what was learnt in earlier searches.  Several threads may think with one,
and one search may use several; each gets a driver of its own, and they share the table.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bot.search import wdl
from bot.search.crew import Crew
from bot.search.driver import Driver
from bot.search.evaluation.networks import AUTO
from bot.search.evaluation.sharing import Profiles
from bot.search.options import changed
from bot.search.stopping import StopFlag
from bot.search.table import Table
from bot.search.tablebase.generation import tables_of
from rules.move import Move

if TYPE_CHECKING:
    from bot.search.evaluation import Profile
    from bot.search.tablebase.tablebase import Tablebase
    from rules.draws import DrawPolicy
    from rules.position import Position
    from rules.variant import Variant

__all__ = ["Limits", "Played", "StopFlag", "Thinker", "Thought"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, and what it looks at; without any time, depth, nodes or mate, it ends when it is stopped.

    `time_ms` is kept to the millisecond or so; after `soft_ms` (stretched or cut by how clear the choice is) no new
    iteration begins; `nodes` is exact, which takes one thread; `mate` ends it when a win, or a loss, within so many
    moves is proven. `lines` of play that begin with different moves are found, and only `moves` are tried. `threads`
    None are as many as the thinker is set to.
    """

    time_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    soft_ms: int | None = None
    mate: int | None = None
    lines: int = 1
    moves: tuple[Move, ...] | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for name in ("time_ms", "depth", "nodes", "soft_ms", "mate", "lines", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}: a limit is at least 1")


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found, from the view of the side to move; `win_in` counts moves, negative when it loses.

    `ponder` is the reply that is expected, if anything is known of it. `others` are the lines after the best one, when
    several were wanted: best first, each with a score as exact as its.
    """

    move: Move
    ponder: Move | None
    score_cp: int
    win_in: int | None
    depth: int
    selective_depth: int
    nodes: int
    time_ms: int
    pv: tuple[Move, ...]
    others: tuple[Thought, ...] = ()


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

    `threads` is how many each search uses that is not told otherwise; `network` is what `for_game` takes, or profiles
    that are shared with other thinkers; `rival` names another evaluation of the game instead; `tables` is a folder of
    end-game tables that are looked up while searching.

    Raises: ValueError for an unknown option, and for a folder that is none; MemoryError when the table does not fit.
    """

    def __init__(
        self,
        hash_mb: int = 16,
        options: Mapping[str, int] | None = None,
        threads: int = 1,
        network: str | Profiles = AUTO,
        rival: str | None = None,
        tables: str | None = None,
    ) -> None:
        self.threads = threads
        self._shared = network if isinstance(network, Profiles) else Profiles(network)
        self._rival = rival
        self._folder = None if tables is None else folder_of_tables(tables)
        self._endings: dict[str, Tablebase | None] = {}
        self._profiles: dict[str, Profile] = {}
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

        Raises: ValueError when there is no legal move, or none among the moves that may be tried, or when the game
        has no such rival evaluation; NetworkError; TableUnreadable.
        """
        threads = 1 if limits.nodes else limits.threads or self.threads
        drivers = [self._take(game.variant) for _ in range(threads)]
        positions, salt = game.positions, _salt(game)
        for driver in drivers:
            driver.place(positions, game.policy, salt)
        self._table.begin_search()
        try:
            thought = self._search(drivers, limits, stop or StopFlag(), on_progress)
        finally:
            with self._lock:
                self._idle += drivers
        return thought if thought.ponder is not None else replace(thought, ponder=self._reply(thought, positions, salt))

    def set_options(self, options: Mapping[str, int]) -> None:
        """Search with other options from now on, keeping the table; not while a search runs.

        Raises: ValueError for an unknown one.
        """
        changed({}, options)
        with self._lock:
            self._changes = dict(options)
            self._idle.clear()

    def clear(self) -> None:
        """Forget all earlier searches; not while one runs."""
        with self._lock:
            self._idle.clear()
        self._table.clear()

    def fullness_permille(self) -> int:
        """How much of the table the latest search has written."""
        return int(self._table.fullness_permille())

    def _search(
        self, drivers: list[Any], limits: Limits, stop: StopFlag, on_progress: Callable[[Thought], None] | None
    ) -> Thought:
        crew = Crew(drivers[1:], _aims(limits))

        def thought(found: dict[str, Any]) -> Thought:
            return _thought(found, found["nodes"] + crew.nodes)

        listener = None if on_progress is None else (lambda found: on_progress(thought(found)))
        with crew:
            found = drivers[0].think({**_aims(limits), **_ends(limits)}, stop, listener)
        return thought(found)

    def _reply(self, thought: Thought, positions: list[Position], salt: int) -> Move | None:
        """What the table holds best against the move: a line that was cut short does not go so far."""
        after = positions[-1].play(thought.move)
        entry = self._table.get(after.key ^ salt)
        move = None if entry is None else Move(entry[0])
        return move if move in after.legal_moves() else None

    def _take(self, variant: Variant) -> Any:
        """A worker for this game that nobody uses."""
        with self._lock:
            for index, driver in enumerate(self._idle):
                if driver.variant is variant:
                    return self._idle.pop(index)
            if variant.key not in self._profiles:
                profile = self._shared.of(variant)
                self._profiles[variant.key] = profile if self._rival is None else profile.with_rival(self._rival)
                self._endings[variant.key] = None if self._folder is None else tables_of(variant, self._folder)
            profile, endings = self._profiles[variant.key], self._endings[variant.key]
        driver = Driver(self._table, variant, profile.evaluation, changed(profile.options, self._changes))
        driver.use_tables(endings)
        return driver


def folder_of_tables(path: str) -> Path:
    """The folder of end-game tables that a path names.

    Raises: ValueError when there is none.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise ValueError(f"no folder of end-game tables {path}")
    return folder


def _aims(limits: Limits) -> dict[str, Any]:
    """What every driver of a search is told."""
    aims: dict[str, Any] = {"lines": limits.lines}
    if limits.moves is not None:
        aims["moves"] = [move.code for move in limits.moves]
    return aims


def _ends(limits: Limits) -> dict[str, Any]:
    """What the main one is told beside that: the others end with it."""
    return {
        "time_us": limits.time_ms and limits.time_ms * 1000,
        "soft_us": limits.soft_ms and limits.soft_ms * 1000,
        "depth": limits.depth,
        "nodes": limits.nodes,
        "mate": limits.mate,
    }


def _salt(game: Played) -> int:
    """Keeps apart positions that look alike but belong to different games, or end by other draws."""
    name = f"{game.variant.key} {game.policy.name}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def _thought(found: dict[str, Any], nodes: int) -> Thought:
    best, *others = (_line({**found, **line}, nodes) for line in (found, *found["others"]))
    return replace(best, others=tuple(others))


def _line(found: dict[str, Any], nodes: int) -> Thought:
    line = tuple(Move(code) for code in found["line"])
    return Thought(
        move=line[0],
        ponder=line[1] if len(line) > 1 else None,
        score_cp=found["score"],
        win_in=wdl.win_in(found["score"]),
        depth=found["depth"],
        selective_depth=found["selective_depth"],
        nodes=nodes,
        time_ms=found["time_us"] // 1000,
        pv=line,
    )
