# What a network sees of a position: sets of squares, in pairs of planes, one for each color.
from rules.bitboard cimport bit, lsb, u64
from rules.state cimport BLACK, WHITE, State, king_square
from bot.search.frame cimport MOST_PLANES

cdef enum:
    MOST_PAIRS = 8
    # the bits of a pocket's plane: pawns, then eight for each other role
    PAWNS_IN_HAND = 16
    OTHERS_IN_HAND = 8
    CHECKS_GIVEN = 8

cdef class Features:
    cdef readonly int pairs             # planes of one color; those of Black come after all of White's
    cdef readonly int planes
    cdef readonly str name
    cdef bint flips                     # Black sees the board from the other side
    cdef bint mirrors[2]                # a side sees its king on the files a to d
    cdef bint on_board[MOST_PAIRS]      # the plane's bits are squares
    cdef int pocket                     # index of the kind of plane, -1: none
    cdef int promoted
    cdef int checks

    cdef void fill(self, const State* s, u64* planes) noexcept nogil
    cdef int orientation(self, const State* s, int color) noexcept nogil
    cdef int index_of(self, int color, int orientation, int plane, int square) noexcept nogil
    cdef void mark(self, const State* s, int color, unsigned char* seen) noexcept nogil

cdef inline u64 lowest(int count, int most) noexcept nogil:
    # a thermometer: so many bits, at most `most`
    return (<u64>1 << (count if count < most else most)) - 1
