"""What thinks, shared out among running games: a mind with a memory of its own for each, used again by later games."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Protocol

from bot.search.thinker import Limits, StopFlag, Thought
from rules.game import Game


class Mind(Protocol):
    """What thinks about a game; bot.search.thinker.Thinker is one."""

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        """The best move found within the limits, or until the flag is set."""

    def clear(self) -> None:
        """Forget everything."""


class Minds:
    """Lends a mind to each game; `new_mind` takes the size of its memory in MB.

    No game gets more than its part of `total_mb` when all `places` are taken, so that none has to do with less than
    another because it came later.
    """

    def __init__(self, new_mind: Callable[[int], Mind], total_mb: int, places: int) -> None:
        self._new_mind = new_mind
        self._most_mb = max(1, total_mb // places)
        self._lock = threading.Lock()
        self._idle: dict[int, list[Mind]] = defaultdict(list)

    def take(self, wanted_mb: int) -> tuple[Mind, int]:
        """A mind that remembers nothing, and the size of its memory, to be given back with it."""
        size_mb = min(wanted_mb, self._most_mb)
        with self._lock:
            idle = self._idle[size_mb]
            mind = idle.pop() if idle else None
        if mind is None:
            return self._new_mind(size_mb), size_mb
        mind.clear()
        return mind, size_mb

    def give_back(self, mind: Mind, size_mb: int) -> None:
        """A mind that thinks no more."""
        with self._lock:
            self._idle[size_mb].append(mind)
