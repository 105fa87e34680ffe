from rules.bitboard cimport KING_ATTACKS, bit, file_mask, lsb, rank_mask, u64
from rules.movegen cimport is_attacked
from rules.state cimport KING, Move, State, king_square, occupied_of
from rules.variant cimport BY_KING_ON_HILL, LOST, UNDECIDED, WON, Variant, ending

cdef class KingOfTheHill(Variant):
    cdef int decided(self, const State* s) noexcept nogil
    cdef bint threatens_win(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
