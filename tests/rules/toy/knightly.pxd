from rules.bitboard cimport KING_ATTACKS, bit, lsb, u64
from rules.movegen cimport add_targets
from rules.state cimport KNIGHT, NOISY, QUIET, Move, State, king_square, occupied_of, origin_of, role_of, target_of
from rules.variant cimport Variant

cdef class Knightly(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef u64 checkers(self, const State* s) noexcept nogil
