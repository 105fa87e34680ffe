# How a search is stopped from outside, and the clock it looks at.
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef class StopFlag:
    cdef int raised
    cdef long long deadline_us  # 0: none
    cdef long long soft_us      # 0: none
    cdef long long soft_from_us # when the time began of which soft_us may be used

cdef long long now_us() noexcept nogil
