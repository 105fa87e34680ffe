# How the positions of an ending are numbered: one number for all the images of a position that symmetry makes equal.
from libc.string cimport memset
from rules.bitboard cimport bit, popcount, u64
from rules.movegen cimport put
from rules.state cimport BLACK, KING, NO_SQUARE, PAWN, QUEEN, WHITE, State

cdef enum:
    MOST_OTHERS = 2         # men besides the kings
    MOST_SQUARES = 4
    KING_PAIRS = 518        # placements of two kings that no reflection or rotation of the board makes equal
    SYMMETRIES = 8
    TYPES = 10              # white queen 0 ... white pawn 4, black queen 5 ... black pawn 9

cdef int IMAGES[8][64]              # where each symmetry of the board takes a square; 0 leaves all in place
cdef int PAIR_NUMBER[64][64]        # of a white and a black king
cdef int PAIR_SYMMETRY[64][64]      # the symmetry that takes these kings to those that stand for their pair
cdef int PAIR_KINGS[518][2]         # the kings that stand for it

cdef struct Ending:
    int others              # men besides the kings
    int types[2]            # of those, ascending
    bint has_pawn           # then it is the only man
    int size                # numbers for one side to move

cdef struct Place:
    int number
    int twins               # 2 when a reflection leaves the position as it is, else 1

cdef inline int color_of(int man_type) noexcept nogil:
    return WHITE if man_type < 5 else BLACK

cdef inline int role_of_type(int man_type) noexcept nogil:
    return QUEEN - man_type % 5

cdef void describe(Ending* ending, int others, int first, int second) noexcept nogil
# squares: white king, black king, the others in the order of their types
cdef Place place(const Ending* ending, const int* squares, int turn) noexcept nogil
cdef int unplace(const Ending* ending, int number, int* squares) noexcept nogil
cdef bint stands(const Ending* ending, const int* squares, bint first_rank_pawns) noexcept nogil
cdef void set_up(const Ending* ending, const int* squares, int turn, State* s) noexcept nogil
