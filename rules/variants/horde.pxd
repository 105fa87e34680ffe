from rules.bitboard cimport DARK_SQUARES, PAWN_ATTACKS, bit, lsb, popcount, rank_mask, u64
from rules.movegen cimport add_double_pushes, add_pawn_captures, add_pawn_pushes, add_pieces, is_attacked
from rules.state cimport (
    BISHOP, BLACK, EN_PASSANT, KING, KNIGHT, NOISY, NORMAL, NO_SQUARE, PAWN, QUEEN, QUIET, ROOK, THREATS,
    WHITE, Move, State, kind_of, make_move, occupied_of, origin_of, promotion_of, role_of, target_of,
)
from rules.variant cimport BY_HORDE_DESTROYED, LOST, UNDECIDED, WON, Variant, ending, keep_threats

cdef class Horde(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef bint may_pass(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
    cdef bint ep_capture_exists(self, const State* s, int square) noexcept nogil
