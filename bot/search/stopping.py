"""How a search is stopped from outside, and the clock it looks at."""

import cython


class StopFlag:
    """Stops the searches that were given it; any thread may raise it."""

    def set(self) -> None:
        """Ask the search to stop; it does within milliseconds."""
        self.raised = 1

    def clear(self) -> None:
        """Make the flag good for another search."""
        self.raised = 0

    @property
    def is_set(self) -> bool:
        """Whether the flag is up."""
        return self.raised != 0


def now_us():
    """Microseconds of a clock that never goes back."""
    moment: timespec
    clock_gettime(CLOCK_MONOTONIC, cython.address(moment))
    return cython.cast(cython.longlong, moment.tv_sec) * 1000000 + moment.tv_nsec // 1000
