from rules.bitboard cimport u64
from rules.state cimport ALL, MAX_MOVES, Move, State
from rules.variant cimport Variant

cdef u64 count_leaves(Variant variant, const State* s, int depth) noexcept nogil
