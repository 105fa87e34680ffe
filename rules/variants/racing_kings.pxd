from rules.bitboard cimport BETWEEN, KING_ATTACKS, LINE, bishop_attacks, bit, lsb, rank_mask, rook_attacks, u64
from rules.movegen cimport attacks_from
from rules.state cimport (
    ALL, BISHOP, BLACK, KING, MAX_MOVES, QUEEN, ROOK, THREATS, WHITE, Move, State, king_square, occupied_of, origin_of,
    role_of, target_of,
)
from rules.variant cimport BY_BOTH_RACED, BY_RACE, DRAWN, LOST, UNDECIDED, WON, Variant, ending, king_could_step

cdef class RacingKings(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef bint _reaches_goal(self, const State* s) noexcept nogil
    cdef bint threatens_win(self, const State* s) noexcept nogil
    cdef u64 pressing(self, const State* s) noexcept nogil
    cdef bint may_pass(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
