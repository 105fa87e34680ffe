# Finding all values of one ending, the tables that its captures and promotions lead to being known.
from rules.bitboard cimport bit, lsb, u64
from rules.movegen cimport attacks_from
from rules.state cimport KING, MAX_MOVES, Move, State
from rules.variant cimport LOST, WON
from bot.search.tablebase.placement cimport (
    MOST_SQUARES, Ending, Place, color_of, place, role_of_type, set_up, stands, unplace,
)
from bot.search.tablebase.tablebase cimport LONGEST, UNKNOWN, Tablebase, describe_types, lost_in, plies_of, won_in

cdef class Solver:
    cdef readonly Tablebase tablebase
    cdef Ending ending
    cdef bint by_sweeps
    cdef readonly int level         # plies to the end, of the values that the next step works on
    cdef int furthest               # the longest of the values found so far
    cdef bint failed                # a position led to none that the tables cover
    cdef object array
    cdef signed char[::1] values
    cdef unsigned char[::1] open_moves      # those that may still save the side to move, in halves; 0: settled
    cdef unsigned char[::1] slowest_loss    # of captures and promotions: the plies that they still leave

    cdef void begin(self, int number) noexcept nogil
    cdef void weigh_moves(self, int number, const State* s, const Move* moves, int count) noexcept nogil
    cdef void sweep(self) noexcept nogil
    cdef void spread(self, int number, bint lost) noexcept nogil
    cdef void reach(self, Place before, int twins, bint lost) noexcept nogil
