"""How long to wait: pauses that double, openings that are counted, and one request at a time to a host."""

from __future__ import annotations

import heapq
import itertools
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum

Clock = Callable[[], float]
"""Seconds that never go back, such as time.monotonic."""


class Backoff:
    """Pauses that double from `first_s` to `most_s`, each shortened by chance by up to a quarter."""

    def __init__(self, first_s: float, most_s: float, chance: random.Random) -> None:
        self._first_s = first_s
        self._most_s = most_s
        self._chance = chance
        self._failures = 0

    def next_s(self) -> float:
        """The pause after one more failure."""
        pause_s = min(self._most_s, self._first_s * 2 ** min(self._failures, 30))
        self._failures += 1
        return float(pause_s * (1 - self._chance.random() / 4))

    def reset(self) -> None:
        """Start again from the shortest pause, after a success."""
        self._failures = 0


class Allowance:
    """At most `most` times in any `period_s`."""

    def __init__(self, most: int, period_s: float) -> None:
        self._most = most
        self._period_s = period_s
        self._times: deque[float] = deque()

    def wait_s(self, now: float) -> float:
        """How long to wait until the next time is allowed."""
        while self._times and self._times[0] <= now - self._period_s:
            self._times.popleft()
        return 0.0 if len(self._times) < self._most else self._times[0] + self._period_s - now

    def note(self, now: float) -> None:
        """It happened."""
        self._times.append(now)


class Urgency(IntEnum):
    """What goes first to a host. Moves wait for nothing."""

    MOVE = 0
    ANSWER = 1
    OTHER = 2


class Closed(Exception):
    """The gate was shut for good while a request waited at it."""


class Gate:
    """Lets requests to one host through one at a time, urgent ones first; a pause holds up all but moves."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[tuple[Urgency, int]] = []
        self._tickets = itertools.count()
        self._busy = False
        self._closed = False
        self._paused_until = 0.0

    @contextmanager
    def turn(self, urgency: Urgency) -> Iterator[None]:
        """Wait for our turn, and keep it while the context lasts. Raises Closed."""
        if urgency is Urgency.MOVE:
            yield
            return
        self._enter(urgency)
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn."""
        with self._changed:
            return len(self._waiting)

    def pause(self, seconds: float) -> None:
        """Hold up everything but moves."""
        with self._changed:
            self._paused_until = max(self._paused_until, self._clock() + seconds)

    def close(self) -> None:
        """Let nothing through any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _enter(self, urgency: Urgency) -> None:
        ticket = (urgency, next(self._tickets))
        with self._changed:
            heapq.heappush(self._waiting, ticket)
            try:
                while not self._closed:
                    left_s = self._paused_until - self._clock()
                    if left_s <= 0 and not self._busy and self._waiting[0] == ticket:
                        break
                    self._changed.wait(left_s if left_s > 0 else None)
                if self._closed:
                    raise Closed
                self._busy = True
            finally:
                self._waiting.remove(ticket)
                heapq.heapify(self._waiting)
                self._changed.notify_all()
