"""One queue of requests for each host, whoever they are for: a site counts what comes from one address."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Final

from bot.backoff import Clock

LONGEST_PAUSE_S: Final = 600.0


class Urgency(IntEnum):
    """What goes first to a host. Moves wait for nothing: a slow answer to one game must not cost another its flag."""

    MOVE = 0
    ACCEPT = 1
    ANSWER = 2
    OTHER = 3


class Closed(Exception):
    """Whoever was waiting at the gate has left."""


class Gates:
    """The queue of each host that a process talks to, by scheme, name and port."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._gates: dict[Hashable, Gate] = {}

    def at(self, host: Hashable) -> Gate:
        """The queue of a host."""
        with self._lock:
            return self._gates.setdefault(host, Gate(self._clock))


class Gate:
    """Lets requests through one at a time, urgent ones first; after "too many requests", nothing but moves for a while.

    `owner` is whoever the requests are for; when it leaves, its requests are not let through any more.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._changed = threading.Condition()
        self._waiting: list[tuple[Urgency, int]] = []
        self._tickets = itertools.count()
        self._gone: set[object] = set()
        self._busy = False
        self._limits = 0
        self._paused_until = 0.0

    @contextmanager
    def turn(self, urgency: Urgency, owner: object = None) -> Iterator[None]:
        """Wait for our turn, and keep it while the context lasts. Raises Closed."""
        if urgency is Urgency.MOVE:
            yield
            return
        self._enter(urgency, owner)
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def wait_out_pause(self, owner: object = None) -> None:
        """Wait while the site wants no requests, without taking a turn. Raises Closed."""
        with self._changed:
            while (left_s := self._paused_until - self.clock()) > 0 and owner not in self._gone:
                self._changed.wait(left_s)
            if owner in self._gone:
                raise Closed

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn."""
        with self._changed:
            return len(self._waiting)

    @property
    def paused_s(self) -> float:
        """For how much longer nothing but moves is let through."""
        with self._changed:
            return max(0.0, self._paused_until - self.clock())

    def limit(self, seconds: float | None, usual_s: float) -> float:
        """Too many requests: hold up everything but moves for so long.

        Without a number from the site it is `usual_s`, and twice as long each time that this was not enough.
        """
        with self._changed:
            now = self.clock()
            if seconds is None:
                # moves are tried on meanwhile: only a request after the pause shows that it was too short
                if now >= self._paused_until:
                    self._limits += 1
                seconds = min(LONGEST_PAUSE_S, usual_s * 2 ** max(0, min(self._limits, 10) - 1))
            self._paused_until = max(self._paused_until, now + seconds)
            return seconds

    def served(self) -> None:
        """A request was let through and not limited: the next pause is a short one again."""
        with self._changed:
            self._limits = 0

    def leave(self, owner: object = None) -> None:
        """Let nothing of this owner through any more; moves under way are not waited for."""
        with self._changed:
            self._gone.add(owner)
            self._changed.notify_all()

    def _enter(self, urgency: Urgency, owner: object) -> None:
        ticket = (urgency, next(self._tickets))
        with self._changed:
            heapq.heappush(self._waiting, ticket)
            try:
                while owner not in self._gone:
                    left_s = self._paused_until - self.clock()
                    if left_s <= 0 and not self._busy and self._waiting[0] == ticket:
                        break
                    self._changed.wait(left_s if left_s > 0 else None)
                if owner in self._gone:
                    raise Closed
                self._busy = True
            finally:
                self._waiting.remove(ticket)
                heapq.heapify(self._waiting)
                self._changed.notify_all()
