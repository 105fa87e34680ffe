"""The sources that one game asks, in their order, until one knows a move."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bot.backoff import Clock
from bot.sources.guard import Advice, Guard
from bot.sources.source import Question, Setting

logger = logging.getLogger(__name__)


class Consultation:
    """For one game, and one thread at a time."""

    def __init__(self, guards: Sequence[Guard], setting: Setting, clock: Clock) -> None:
        self._setting = setting
        self._clock = clock
        self._guards = [guard for guard in guards if guard.serves(setting)]
        self._moves: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()
        for guard in self._guards:
            guard.source.begin_game(setting)

    def __bool__(self) -> bool:
        return bool(self._guards)

    def ask(self, question: Question) -> Advice | None:
        """The first move that a source knows; `question.within_ms` is for all of them together."""
        until = self._clock() + question.within_ms / 1000
        for guard in self._guards:
            left_ms = (until - self._clock()) * 1000
            if left_ms < 1 or question.over.is_set:
                return None
            if not self._may_ask(guard, question):
                continue
            advice = guard.ask(replace(question, within_ms=left_ms))
            if advice is not None:
                self._moves[guard.name] += 1
                self._misses[guard.name] = 0
                return advice
            self._misses[guard.name] += 1
        return None

    def close(self) -> None:
        """The game is over."""
        for guard in self._guards:
            guard.source.end_game(self._setting.game_id)
        self._guards = []

    def _may_ask(self, guard: Guard, question: Question) -> bool:
        terms = guard.terms
        if terms.most_moves is not None and self._moves[guard.name] >= terms.most_moves:
            return False
        if terms.most_misses is not None and self._misses[guard.name] >= terms.most_misses:
            return False
        return guard.may_ask(question)


class Sources:
    """All sources of an account; closed once no game is left that may ask them."""

    def __init__(self, guards: Sequence[Guard], clock: Clock) -> None:
        self._guards = tuple(guards)
        self._clock = clock
        self._lock = threading.Lock()
        self._games = 0
        self._closing = False

    def __len__(self) -> int:
        return len(self._guards)

    def hold(self) -> None:
        """A game begins that may ask them: they stay open until it is let go, whenever it begins to ask."""
        with self._lock:
            self._games += 1

    def let_go(self) -> None:
        """Such a game is over."""
        with self._lock:
            self._games -= 1
        self._close_if_idle()

    def consult(self, setting: Setting) -> Consultation:
        """What a game asks; for games that hold the sources."""
        return Consultation(self._guards, setting, self._clock)

    def close(self) -> None:
        """Close them when the games that hold them now are over."""
        with self._lock:
            self._closing = True
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        with self._lock:
            if not self._closing or self._games:
                return
            guards, self._guards = self._guards, ()
        for guard in guards:
            guard.source.close()
