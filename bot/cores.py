"""The processor, shared out among the running games: every game may think, and while there are enough cores, ponder."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

# where Linux keeps how much of the processor a container may use: microseconds in a period
QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


class Cores:
    """Counts the running games of all accounts; for any thread.

    A game is any object, by which it is known here.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._games: dict[int, Callable[[], None] | None] = {}

    @classmethod
    def of_this_machine(cls, quota: Path = QUOTA) -> Cores:
        """Those that this process may use; a container may have a part of the machine's only."""
        count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        try:
            allowed_us, _, period_us = quota.read_text(encoding="ascii").partition(" ")
            return cls(max(1, min(count, int(allowed_us) // int(period_us))))
        except (OSError, ValueError):
            # there is no such file, or it says "max"
            return cls(count)

    def enter(self, game: object) -> None:
        """A game begins; when it is one too many, no game ponders on."""
        with self._lock:
            self._games[id(game)] = None
            stops = [] if len(self._games) <= self._count else self._take_stops()
        for stop in stops:
            stop()

    def leave(self, game: object) -> None:
        """A game has ended."""
        with self._lock:
            self._games.pop(id(game), None)

    def threads(self, wanted: int) -> int:
        """How many threads a search may use, so that every game can have as many."""
        with self._lock:
            return max(1, min(wanted, self._count // max(1, len(self._games))))

    def ponder(self, game: object, stop: Callable[[], None]) -> bool:
        """Whether a game may ponder; `stop` is called if that changes."""
        with self._lock:
            if id(game) not in self._games or len(self._games) > self._count:
                return False
            self._games[id(game)] = stop
            return True

    def _take_stops(self) -> list[Callable[[], None]]:
        stops = [stop for stop in self._games.values() if stop is not None]
        self._games = dict.fromkeys(self._games)
        return stops
