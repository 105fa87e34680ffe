"""Thinking on the opponent's time: about the position after the reply that is expected."""

from __future__ import annotations

import logging
import threading
from typing import Final

from bot.backoff import Clock
from bot.minds import Mind
from bot.search.thinker import Limits, StopFlag, Thought
from rules.game import Game
from rules.move import Move

logger = logging.getLogger(__name__)

# Until then what a stopped search has learnt can be had by the next one.
STOPPED_WITHIN_S: Final = 0.05
LEAST_DEPTH: Final = 6


class Pondering:
    """One search that has no limits of time but those of every search, until the reply is known.

    ahead_ms: how much of its time has passed when the reply came as expected.
    """

    def __init__(self, game: Game, limits: Limits, clock: Clock) -> None:
        self.ahead_ms = 0
        self._game = game
        self._limits = limits
        self._clock = clock
        self._began = clock()
        self._stop = StopFlag()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._ceased = self._hit = False
        self._thought: Thought | None = None

    def run(self, mind: Mind) -> None:
        """Ponder, in the thread that is meant for it."""
        try:
            self._thought = mind.think(self._game, self._limits, self._stop)
        except Exception:  # the search that follows is none the worse
            logger.exception("pondering failed")
        self._ended.set()

    def cease(self) -> None:
        """Ponder no longer; when the reply has come as expected it is a search like any other, and goes on."""
        with self._lock:
            self._ceased = not self._hit
        if self._ceased:
            self._stop.set()

    def drop(self) -> None:
        """Its result is not wanted any more."""
        self._stop.set()

    def give_way(self) -> None:
        """Stop, and let the next search have what was learnt."""
        self._stop.set()
        self._ended.wait(STOPPED_WITHIN_S)

    def is_about(self, game: Game) -> bool:
        """Whether the game has come to the expected position."""
        return self._game.moves == game.moves and self._game.initial == game.initial

    def finish(self, limits: Limits, *, only_move: bool) -> Thought | None:
        """The reply is the expected one: go on within these limits of time, what was spent counted as soft time.

        None when the search has failed, was ended before, or has hardly had the processor: then it is to be begun anew.
        """
        with self._lock:
            self._hit = not self._ceased
        if self._ceased:
            return None
        self.ahead_ms = int((self._clock() - self._began) * 1000)
        soft_ms = limits.soft_ms or 0
        if only_move or self.ahead_ms >= soft_ms:
            self._stop.set()
        else:
            self._stop.allow(limits.time_ms or soft_ms, soft_ms, self.ahead_ms)
        self._ended.wait()
        thought = self._thought
        return None if thought is None or thought.depth < min(LEAST_DEPTH, limits.depth or LEAST_DEPTH) else thought


def continued(game: Game, move: Move) -> Game:
    """The game after one more move, apart from the game itself."""
    copy = Game(game.initial, game.policy)
    for each in (*game.moves, move):
        copy.play(each)
    return copy
