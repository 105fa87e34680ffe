from rules.bitboard cimport file_mask, rank_mask, u64
from rules.state cimport KING, State
from rules.variant cimport BY_KING_ON_HILL, LOST, UNDECIDED, WON, Variant, ending, king_could_step

cdef class KingOfTheHill(Variant):
    cdef int decided(self, const State* s) noexcept nogil
    cdef bint threatens_win(self, const State* s) noexcept nogil
    cdef u64 pressing(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
