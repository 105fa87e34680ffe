# What the search knows of each ply, and the scale of its scores.
from rules.bitboard cimport u64
from rules.state cimport SHIFT, SWAP, Move, State, kind_of, role_of, target_of

cdef enum:
    MAX_PLY = 128
    ALL_PLIES = 136         # frames in a stack: some before the root, one behind the last ply
    BEFORE_ROOT = 6         # frames before the root, so that a look back needs no test
    # scores, in centipawns for the side to move; a win that is found at ply p is WIN - p
    WIN = 32000
    SURE = 31000            # beyond it a score is a distance to the end
    INFINITE = 32600
    NO_SCORE = 32700
    # a value leans on a ply when it rests on repeating the position there; -1: one before the root
    NO_LEAN = 1000
    # slots of continuation history: 2 colors x 8 classes of mover x 64 squares, and one for no move
    NO_SLOT = 1024
    SLOTS = 1025
    PAWN_ENTRIES = 8192
    JUDGED_ENTRIES = 16384  # 256 KB: more would push other things out of the cache
    MOST_PLANES = 16        # of a network
    MOST_WIDTH = 256

cdef struct Frame:
    State state
    u64 pressing            # men that the mover must answer: they attack its king, or must be captured
    Move move               # being searched from here
    Move excluded           # left out by a singular search
    Move killers[2]
    int slot                # of `move`
    int evaluation          # static; NO_SCORE while men press
    int leans_on            # the lowest ply that this frame's value leans on

cdef struct PawnEntry:
    u64 key
    u64 passed[2]
    int score

cdef struct JudgedEntry:    # what an evaluation made of the position with this key
    u64 key
    int score

cdef struct Accumulator:    # a network's sums for both sides, and the planes that they belong to; 64 bytes times n
    u64 planes[MOST_PLANES]
    int ready
    int orientations[2]
    int spare[13]
    short sums[2][MOST_WIDTH]

cdef struct Scratch:        # what one worker keeps for evaluations
    PawnEntry pawns[PAWN_ENTRIES]
    JudgedEntry judged[JUDGED_ENTRIES]
    Accumulator accumulators[ALL_PLIES + 1]

cdef inline Accumulator* accumulators_of(Scratch* scratch) noexcept nogil:
    # one a ply, from the root on; each begins with a line of the cache
    return <Accumulator*>((<size_t>scratch.accumulators + 63) & ~<size_t>63)

cdef inline int class_of(Move m) noexcept nogil:
    # movers by role; Shifts and Swaps are classes of their own
    cdef int kind = kind_of(m)
    return 6 if kind == SHIFT else 7 if kind == SWAP else role_of(m)

cdef inline int slot_of(int color, Move m) noexcept nogil:
    return color << 9 | class_of(m) << 6 | target_of(m)
