"""Time as the server sees it: the real one, and one that a test moves by hand."""
from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen, unless it is cancelled."""

    def cancel(self) -> None:
        """Make it not happen."""


class Timekeeper(Protocol):
    """The clock on the wall, and an alarm; both belong to the thread of the event loop."""

    def now_ms(self) -> int:
        """Milliseconds since 1970; never runs backwards."""

    def call_at(self, when_ms: int, action: Callable[[], None]) -> Timer:
        """Call `action` once it is `when_ms`."""

    def first_after_ms(self, period_ms: int) -> int:
        """How long until something that happens every `period_ms` happens first: no longer than that."""


class RealTime:
    """Wall-clock time at the start, carried on by the monotonic clock.

    What happens periodically begins at random, or whatever began together would fall due together for ever.
    """

    def __init__(self, chance: random.Random | None = None) -> None:
        self._offset_s = time.time() - time.monotonic()
        self._chance = chance or random.Random()

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        return int((self._offset_s + time.monotonic()) * 1000)

    def call_at(self, when_ms: int, action: Callable[[], None]) -> Timer:
        """Call `action` once it is `when_ms`."""
        delay_s = max(when_ms - self.now_ms(), 0) / 1000
        return asyncio.get_running_loop().call_later(delay_s, action)

    def first_after_ms(self, period_ms: int) -> int:
        """How long until something that happens every `period_ms` happens first: half of that at least."""
        return self._chance.randint(period_ms // 2, period_ms)


class _Alarm:
    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class ManualTime:
    """Time that stands still until it is told to move."""

    def __init__(self, now_ms: int = 1_790_000_000_000) -> None:
        self._now_ms = now_ms
        self._alarms: list[tuple[int, int, _Alarm]] = []
        self._order = itertools.count()

    def now_ms(self) -> int:
        """Milliseconds since 1970, by this clock."""
        return self._now_ms

    def call_at(self, when_ms: int, action: Callable[[], None]) -> Timer:
        """Call `action` once time has been moved to `when_ms`."""
        alarm = _Alarm(action)
        heapq.heappush(self._alarms, (when_ms, next(self._order), alarm))
        return alarm

    def first_after_ms(self, period_ms: int) -> int:
        """A whole period, so that tests know when."""
        return period_ms

    def advance(self, by_ms: int) -> None:
        """Let time pass: alarms that fall due ring in order, each at its own time."""
        end_ms = self._now_ms + by_ms
        while self._alarms and self._alarms[0][0] <= end_ms:
            when_ms, _, alarm = heapq.heappop(self._alarms)
            self._now_ms = max(self._now_ms, when_ms)
            if alarm.action is not None:
                alarm.action()
        self._now_ms = end_ms


async def pause(timekeeper: Timekeeper, for_ms: int) -> None:
    """Wait until that much of this timekeeper's time has passed."""
    if for_ms <= 0:
        return
    rung = asyncio.Event()
    timer = timekeeper.call_at(timekeeper.now_ms() + for_ms, rung.set)
    try:
        await rung.wait()
    finally:
        timer.cancel()
