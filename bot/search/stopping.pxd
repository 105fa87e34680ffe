# How a search is stopped from outside, and the clock it looks at.
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef class StopFlag:
    cdef int raised

cdef long long now_us() noexcept nogil
