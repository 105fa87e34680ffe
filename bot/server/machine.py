"""The machines that people and bots can play against: the embedded search, held back by level."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from typing import Protocol

from bot.search.thinker import Limits, Thinker
from rules.game import Game
from rules.move import Move

LEVELS = range(1, 9)
_NODES = (20, 80, 300, 1_200, 5_000, 20_000, 80_000, 300_000)
_HASH_MB = 4


def limits_of(level: int) -> Limits:
    """How much a machine of that level may think."""
    return Limits(nodes=_NODES[level - LEVELS.start])


class Machine(Protocol):
    """Somebody who plays for all machines."""

    def think(self, game: Game, level: int, found: Callable[[Move], None]) -> None:
        """Look for a move; `found` is called with it later, in the thread of the event loop.

        `game` belongs to the machine from now on.
        """


class ThinkingMachine:
    """Thinks in a thread of its own, about one game at a time: a level is so many nodes, whoever else plays.

    Decision: every move is sought afresh, so that it depends on the game and the level alone.
    """

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix="machine")

    @cached_property
    def _thinker(self) -> Thinker:
        return Thinker(hash_mb=_HASH_MB)

    def think(self, game: Game, level: int, found: Callable[[Move], None]) -> None:
        """Look for a move."""
        loop = asyncio.get_running_loop()

        def tell(thought: Future[Move]) -> None:
            # A server that has gone down meanwhile needs no move.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(found, thought.result())

        self._pool.submit(self.choose, game, level).add_done_callback(tell)

    def choose(self, game: Game, level: int) -> Move:
        """The move of a machine of that level."""
        self._thinker.clear()
        return self._thinker.think(game, limits_of(level)).move
