from rules.bitboard cimport BETWEEN, KING_ATTACKS, bit, lsb, popcount, rank_mask, u64
from rules.movegen cimport (
    add_pawn_captures, add_pawn_pushes, add_pieces, add_targets, attackers, attacks_from, is_attacked, put, remove,
    wins_exchange,
)
from rules.state cimport (
    ALL, BISHOP, BLACK, EVASIONS, KING, KNIGHT, NOISY, NORMAL, NO_ROLE, NO_SQUARE, PAWN, QUEEN, QUIET, ROOK, SHIFT, SWAP,
    THREATS, WHITE, Move, State, king_square, kind_of, make_move, occupied_of, origin_of, promotion_of, role_at,
    role_of, target_of,
)
from rules.variant cimport (
    BY_BARE_KINGS, BY_KING_AND_MINOR, BY_KING_CAPTURED, BY_NO_MOVES, DRAWN, LOST, UNDECIDED, Variant, ending,
    keep_threats, move_man,
)
from rules.zobrist cimport TURN_KEY

cdef u64 BISHOP_DANGER
cdef u64 KNIGHT_DANGER

cdef class Spark(Variant):
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef void play(self, const State* s, Move m, State* after) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef int without_moves(self, const State* s) noexcept nogil
    cdef bint threatens_win(self, const State* s) noexcept nogil
    cdef bint exchange_at_least(self, const State* s, Move m, int threshold) noexcept nogil
    cdef bint may_pass(self, const State* s) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
