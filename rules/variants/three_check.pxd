from rules.state cimport KING, Move, State
from rules.variant cimport BY_THREE_CHECKS, LOST, UNDECIDED, WON, Variant, ending
from rules.zobrist cimport CHECK_KEYS

cdef class ThreeCheck(Variant):
    cdef void play(self, const State* s, Move m, State* after) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
