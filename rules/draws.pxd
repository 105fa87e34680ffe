# When play stops without a winner, and the order of the tests.
from rules.bitboard cimport popcount, u64
from rules.position cimport Position
from rules.state cimport BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, WHITE, State, occupied_of
from rules.variant cimport Variant

cdef class DrawPolicy:
    cdef readonly str name
    cdef readonly int quiet_limit           # plies without pawn move or capture that end the game; 0: none
    cdef readonly int occurrences_limit     # the occurrence of a position that ends the game; 0: none
    cdef readonly tuple order               # the order of the tests, by name
    cdef bint is_dead(self, Variant variant, const State* s) noexcept nogil

cdef class EnginePolicy(DrawPolicy):
    pass

cdef class ParlourPolicy(DrawPolicy):
    pass

cdef class SparkPolicy(DrawPolicy):
    pass
