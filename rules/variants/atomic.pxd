from rules.bitboard cimport BETWEEN, DARK_SQUARES, KING_ATTACKS, LINE, PAWN_ATTACKS, bit, lsb, pawn_attacks_of, popcount, rank_mask, u64
from rules.movegen cimport (
    add_castling, add_double_pushes, add_pawn_captures, add_pawn_pushes, add_pieces, attackers, is_attacked, pinned,
    remove, see_value,
)
from rules.state cimport (
    BISHOP, BLACK, CASTLE, EN_PASSANT, KING, KNIGHT, MAX_MOVES, NOISY, NORMAL, NO_SQUARE, PAWN, QUEEN, QUIET, ROOK,
    THREATS, WHITE, Move, State, king_square, kind_of, make_move, occupied_of, origin_of, role_at, role_of, target_of,
)
from rules.variant cimport (
    BY_KING_EXPLODED, LOST, UNDECIDED, Aims, Variant, aim_at, attacks_king_once_played, ending, keep_threats,
)
from rules.zobrist cimport EP_KEYS, TURN_KEY, castling_key

cdef class Atomic(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef void play(self, const State* s, Move m, State* after) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef u64 checkers(self, const State* s) noexcept nogil
    cdef void aim(self, const State* s, Aims* aims) noexcept nogil
    cdef bint attacks_king(self, const State* s, const Aims* aims, Move m) noexcept nogil
    cdef u64 captured(self, const State* s, Move m) noexcept nogil
    cdef bint threatens_win(self, const State* s) noexcept nogil
    cdef bint exchange_at_least(self, const State* s, Move m, int threshold) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
    cdef bint ep_capture_exists(self, const State* s, int square) noexcept nogil
