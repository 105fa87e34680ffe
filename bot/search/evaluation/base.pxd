# What every evaluation is: weights that do not change, and one function of the search's stack.
from libc.stdlib cimport calloc, free
from rules.bitboard cimport lsb, u64
from rules.position cimport Position
from rules.state cimport State
from bot.search.frame cimport Frame, Scratch

cdef enum:
    MAX_WEIGHTS = 1024

cdef class Evaluation:
    # midgame and endgame value packed into one number each: midgame + (endgame << 16)
    cdef int weights[MAX_WEIGHTS]
    cdef int men[2][6][64]          # a man on its square, material included, by color and role
    cdef void derive(self)
    cdef int evaluate(self, const Frame* stack, int ply, Scratch* scratch) noexcept nogil
    cdef int tempered(self, const State* s, int score) noexcept nogil

cdef inline int midgame(int packed) noexcept nogil:
    return <short>(<unsigned int>packed & 0xFFFF)

cdef inline int endgame(int packed) noexcept nogil:
    return <short>(<unsigned int>(packed + 0x8000) >> 16)

# Squares as one side sees them, and sets of them.
cdef inline int relative(int color, int square) noexcept nogil:
    return square ^ 56 if color else square

cdef inline int relative_rank(int color, int square) noexcept nogil:
    return (square >> 3) ^ (7 if color else 0)

cdef inline u64 file_mask(int file) noexcept nogil:
    return 0x0101010101010101ULL << file

cdef inline u64 beside(u64 squares) noexcept nogil:
    # the squares left and right of these
    return (squares & 0x7F7F7F7F7F7F7F7FULL) << 1 | (squares & 0xFEFEFEFEFEFEFEFEULL) >> 1

cdef inline u64 ahead(int color, u64 squares) noexcept nogil:
    # one step forward
    return squares >> 8 if color else squares << 8

cdef inline u64 ranks_ahead(int color, int rank) noexcept nogil:
    # all ranks in front of a rank (counted from White's side)
    if color == 0:
        return 0 if rank >= 7 else ~<u64>0 << (8 * (rank + 1))
    return 0 if rank <= 0 else ~<u64>0 >> (8 * (8 - rank))

cdef inline int distance(int a, int b) noexcept nogil:
    # king steps
    cdef int files = (a & 7) - (b & 7)
    cdef int ranks = (a >> 3) - (b >> 3)
    if files < 0:
        files = -files
    if ranks < 0:
        ranks = -ranks
    return files if files > ranks else ranks
