"""A source under guard: whatever it does, slow, broken or wrong, it costs no more than its time-out."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from typing import Final

from bot.backoff import Clock
from bot.config.sources import SourceTerms
from bot.sources.source import Interrupt, MoveSource, Question, Setting, SourceFailed, Suggestion
from bot.timing import left_ms
from rules import uci
from rules.errors import IllegalMove
from rules.move import Move

logger = logging.getLogger(__name__)

STRAYS_MOST: Final = 3
RESTS_LENGTHENED: Final = 5


@dataclass(frozen=True)
class Advice:
    """A legal move, who knew it, and what it says of it."""

    move: Move
    source: str
    score_cp: int | None = None
    certain: bool = False


class _Asking:
    """One question on its way; the answer is a suggestion, None, or what went wrong."""

    def __init__(self) -> None:
        self.over = Interrupt()
        self.woken = threading.Event()
        self.done = False
        self.stray = False
        self.answer: Suggestion | Exception | None = None


class Guard:
    """Asks one source, and leaves it alone for a while after several failures in a row, ever longer until it answers.

    Of failures in a row only the first is logged as a warning.
    """

    def __init__(self, name: str, source: MoveSource, terms: SourceTerms, clock: Clock) -> None:
        self.name = name
        self.terms = terms
        self._source = source
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._rests = 0
        self._strays = 0
        self._resting_until = float("-inf")

    @property
    def source(self) -> MoveSource:
        """What is guarded."""
        return self._source

    def serves(self, setting: Setting) -> bool:
        """Whether the source may be asked in that game at all."""
        terms = self.terms
        return (
            (terms.variants is None or setting.variant.key in terms.variants)
            and (terms.speeds is None or setting.speed in terms.speeds)
            and setting.color.wire in terms.colors
            and ("rated" if setting.rated else "casual") in terms.modes
            and self._source.plays(setting.variant)
        )

    def may_ask(self, question: Question) -> bool:
        """Whether this is the time to ask it."""
        terms, clock_ms = self.terms, left_ms(question.clock)
        if terms.most_plies is not None and len(question.moves) >= terms.most_plies:
            return False
        if clock_ms is not None and clock_ms < terms.least_clock_s * 1000:
            return False
        if not self._source.fits(question.position):
            return False
        with self._lock:
            return self._clock() >= self._resting_until and self._strays < STRAYS_MOST

    def ask(self, question: Question) -> Advice | None:
        """The source's move, if it knows one in time and our rules hold it legal."""
        asking, within_ms = _Asking(), question.within_ms
        if not self._source.thinks:
            within_ms = min(within_ms, float(self.terms.timeout_ms))
        question.over.call(asking.over.set)
        asking.over.call(asking.woken.set)
        asked = replace(question, within_ms=within_ms, over=asking.over)
        threading.Thread(target=self._run, args=(asking, asked), name=f"source {self.name}", daemon=True).start()
        asking.woken.wait(within_ms / 1000)
        with self._lock:
            if not asking.done:
                asking.stray = True
                self._strays += 1
        if asking.stray:
            asking.over.set()
            if not question.over.is_set:
                self._failed(f"no answer within {within_ms:.0f} ms", None)
            return None
        return self._judge(asking.answer, question)

    def _run(self, asking: _Asking, question: Question) -> None:
        answer: Suggestion | Exception | None
        try:
            answer = self._source.suggest(question)
        except Exception as error:  # foreign code may raise anything, and owes us nothing
            answer = error
        with self._lock:
            asking.answer, asking.done = answer, True
            if asking.stray:
                self._strays -= 1
        asking.woken.set()

    def _judge(self, answer: Suggestion | Exception | None, question: Question) -> Advice | None:
        match answer:
            case SourceFailed():
                self._failed(str(answer), answer.rest_s)
                return None
            case Exception():
                self._failed(f"{type(answer).__name__}: {answer}", None)
                return None
            case None:
                self._succeeded()
                return None
        try:
            move = uci.read(question.position, answer.uci)
        except IllegalMove as error:
            self._failed(f"{answer.uci!r} is no legal move in {question.position.fen()}: {error}", None)
            return None
        self._succeeded()
        return Advice(move, self.name, answer.score_cp, answer.certain)

    def _succeeded(self) -> None:
        with self._lock:
            self._failures = self._rests = 0

    def _failed(self, why: str, rest_s: float | None) -> None:
        with self._lock:
            first = not self._failures and not self._rests
            self._failures += 1
            if self._failures >= self.terms.failures or rest_s is not None:
                usual_s = self.terms.rest_s * 2 ** min(self._rests, RESTS_LENGTHENED)
                self._resting_until = self._clock() + max(rest_s or 0.0, usual_s)
                self._rests += 1
                self._failures = 0
        logger.log(logging.WARNING if first else logging.DEBUG, "source %s: %s", self.name, why)
