# Looking positions up in the end-game tables of one game, and judging them by their moves.
from rules.bitboard cimport lsb, popcount, u64
from rules.draws cimport DrawPolicy
from rules.position cimport Position
from rules.state cimport BLACK, KING, MAX_MOVES, QUEEN, WHITE, Move, State, king_square, occupied_of, role_at
from rules.variant cimport DRAWN, LOST, UNDECIDED, Variant
from bot.search.tablebase.placement cimport (
    IMAGES, MOST_OTHERS, MOST_SQUARES, TYPES, Ending, color_of, describe, place, set_up, stands, unplace,
)

cdef enum:
    # A value fits a signed byte: n > 0 is a win in n plies, -1 - n a loss in n plies, 0 a draw.
    UNKNOWN = -128          # not covered: by no table, or no such position can be played
    LONGEST = 126
    SLOTS = 121             # (TYPES + 1) squared: by the types of two men or none

cdef inline int won_in(int plies) noexcept nogil:
    return plies

cdef inline int lost_in(int plies) noexcept nogil:
    return -1 - plies

cdef inline int plies_of(int value) noexcept nogil:
    # to the end of the game, of a win or a loss
    return value if value > 0 else -1 - value

cdef inline int scattered(int number) noexcept nogil:
    # four bits that tell nothing of the number
    return <int>((<unsigned int>number * 2654435761U) >> 28)

cdef struct Slot:
    const signed char* values   # NULL: no table
    Ending ending
    bint swapped                # the table has the colors the other way round

cdef class Tablebase:
    cdef readonly Variant variant
    cdef readonly DrawPolicy policy
    cdef readonly bint first_rank_pawns
    cdef Slot slots[121]
    cdef int most_men           # that any table covers
    cdef dict held              # what the values lie in, by types

    # Value for the side to move, UNKNOWN when not covered.  The position must not be decided already.
    cdef int look_up(self, const State* s) noexcept nogil
    # The same, for any position that a move leads to.
    cdef int value_of(self, const State* s) noexcept nogil
    # The value that the moves of a lawful position give, each judged by value_of.
    cdef int value_by_moves(self, const State* s) noexcept nogil
    cdef int first_wrong(self, const Ending* ending, int begin, int end, int step) noexcept nogil

cdef int describe_types(Ending* ending, tuple types) except -1
