"""How long to wait: pauses that double, and openings that are counted."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

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
