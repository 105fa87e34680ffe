from libc.string cimport memset
from rules.bitboard cimport DARK_SQUARES, KING_ATTACKS, PAWN_ATTACKS, lsb, pawn_attacks_of, popcount, rank_mask, u64
from rules.movegen cimport add_double_pushes, add_pawn_captures, add_pawn_pushes, add_pieces, add_targets
from rules.state cimport (
    BISHOP, BLACK, CASTLE, EN_PASSANT, KING, KNIGHT, MAX_MOVES, NOISY, NORMAL, NO_SQUARE, PAWN, QUEEN, QUIET, THREATS,
    WHITE, Move, State, kind_of, make_move, occupied_of, origin_of, promotion_of, role_of, target_of,
)
from rules.variant cimport BY_ALL_LOST, BY_STALEMATE, UNDECIDED, WON, Aims, Variant, ending

cdef class Antichess(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef int without_moves(self, const State* s) noexcept nogil
    cdef u64 checkers(self, const State* s) noexcept nogil
    cdef u64 pressing(self, const State* s) noexcept nogil
    cdef void aim(self, const State* s, Aims* aims) noexcept nogil
    cdef bint attacks_king(self, const State* s, const Aims* aims, Move m) noexcept nogil
    cdef bint may_pass(self, const State* s) noexcept nogil
    cdef bint exchange_at_least(self, const State* s, Move m, int threshold) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
    cdef bint ep_capture_exists(self, const State* s, int square) noexcept nogil
