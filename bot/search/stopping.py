"""How a search is stopped from outside, and the clock it looks at."""

import cython


class StopFlag:
    """Stops the searches that were given it, at once or after a while; any thread may do so."""

    def set(self) -> None:
        """Ask the search to stop; it does within milliseconds."""
        self.raised = 1

    def clear(self) -> None:
        """Make the flag good for another search."""
        self.raised = 0
        self.deadline_us = 0
        self.soft_us = 0

    def allow(self, time_ms: int, soft_ms: int, spent_ms: int = 0) -> None:
        """Limit a search that began without limits of time: those of `Limits` count from now on.

        Of `soft_ms`, the time that it may be worth, `spent_ms` have passed already.
        """
        now: cython.longlong = now_us()
        self.soft_from_us = now - spent_ms * 1000
        self.soft_us = soft_ms * 1000
        self.deadline_us = now + time_ms * 1000

    @property
    def is_set(self) -> bool:
        """Whether the flag is up."""
        return self.raised != 0


def now_us():
    """Microseconds of a clock that never goes back."""
    moment: timespec
    clock_gettime(CLOCK_MONOTONIC, cython.address(moment))
    return cython.cast(cython.longlong, moment.tv_sec) * 1000000 + moment.tv_nsec // 1000
