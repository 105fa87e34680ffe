"""What a session waits for, and until when."""

from __future__ import annotations

from enum import Enum

from bot.backoff import Clock


class Alarm(Enum):
    """The things that a session may wait for."""

    BEGIN = "the first line of the game's stream"
    ABORT = "the opponent's first move"
    CLAIM = "the opponent's return"
    HOLD = "what a takeback or a resignation leads to"
    PACE = "the end of a pause before a move"
    SETTLE = "the stream to show what was answered"
    NEWS = "the opponent's move, of which the news may be lost"
    OVERDUE = "a search that should have ended"
    REST = "a move of an opponent who takes days"


class Alarms:
    """At most one time for each alarm; for one thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times: dict[Alarm, float] = {}

    def __contains__(self, alarm: Alarm) -> bool:
        return alarm in self._times

    def set(self, alarm: Alarm, in_s: float) -> None:
        """Ring in so many seconds, instead of any earlier set time."""
        self._times[alarm] = self._clock() + in_s

    def cancel(self, *alarms: Alarm) -> None:
        """Do not ring."""
        for alarm in alarms:
            self._times.pop(alarm, None)

    def wait_s(self) -> float | None:
        """How long until the next one rings, None when none is set."""
        return max(0.0, min(self._times.values()) - self._clock()) if self._times else None

    def take_due(self) -> list[Alarm]:
        """The alarms that ring now, which are thereby over."""
        now = self._clock()
        due = [alarm for alarm, at in self._times.items() if at <= now]
        self.cancel(*due)
        return due
