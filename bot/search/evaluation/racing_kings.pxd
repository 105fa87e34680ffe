# The evaluation of racing kings.
from rules.bitboard cimport KING_ATTACKS, popcount, rank_mask, u64
from rules.state cimport BLACK, KING, WHITE, State
from bot.search.evaluation.mobile cimport FURTHER, Mobile, Reach

cdef enum:
    STEPS = 265             # 4: squares on the next rank that the king may go to
    BARRED = 269            # squares of the next two ranks, near the king, that the enemy guards

cdef class RacingKings(Mobile):
    cdef void derive(self)
    cdef int further(self, const State* s, const Reach* reach, int color) noexcept nogil
