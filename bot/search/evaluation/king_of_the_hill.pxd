# The evaluation of king of the hill.
from rules.bitboard cimport popcount, u64
from rules.state cimport State
from bot.search.evaluation.orthodox cimport Maps, Orthodox

cdef enum:
    CLIMB = 900             # 4: the king's steps to the nearest square of the hill
    OPEN_HILL = 904         # 4: by the same steps, each square of the hill that the king might enter

cdef class KingOfTheHill(Orthodox):
    cdef int threats(self, const State* s, const Maps* maps, int color) noexcept nogil
    cdef int winnable(self, const State* s, int score) noexcept nogil

cdef inline u64 hill() noexcept nogil:
    # d4, e4, d5, e5
    return 0x0000001818000000ULL

cdef inline int steps_to_hill(int king) noexcept nogil:
    cdef int files = max(3 - (king & 7), (king & 7) - 4)
    cdef int ranks = max(3 - (king >> 3), (king >> 3) - 4)
    return max(files, ranks)
