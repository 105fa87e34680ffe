from rules.bitboard cimport BETWEEN, bit, lsb, rank_mask, u64
from rules.movegen cimport attackers, attacks_from, put
from rules.state cimport (
    CASTLE, DROP, EN_PASSANT, KING, KNIGHT, NOISY, NO_SQUARE, PAWN, QUIET, THREATS, Move, State, king_square, kind_of,
    make_move, occupied_of, origin_of, promotion_of, role_at, role_of, target_of,
)
from rules.variant cimport Variant, keep_threats
from rules.zobrist cimport EP_KEYS, POCKET_KEYS, PROMOTED_KEYS, TURN_KEY

cdef class Crazyhouse(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef void play(self, const State* s, Move m, State* after) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef u64 captured(self, const State* s, Move m) noexcept nogil
    cdef bint may_pass(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
