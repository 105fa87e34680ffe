# Attacks and move lists that the orthodox games share.
from rules.bitboard cimport (
    BETWEEN, BISHOP_MAGICS, KING_ATTACKS, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, ROOK_MAGICS, bishop_attacks, bit, file_mask,
    lsb, pawn_attacks_of, popcount, rank_mask, rook_attacks, u64,
)
from rules.state cimport (
    ALL, BISHOP, BLACK, CASTLE, DOUBLE_PUSH, EN_PASSANT, KING, KNIGHT, NOISY, NORMAL, NO_ROLE, NO_SQUARE, PAWN, QUEEN,
    QUIET, ROOK, WHITE, Move, State, king_square, kind_of, make_move, occupied_of, origin_of, promotion_of, role_at,
    role_of, target_of,
)
from rules.zobrist cimport MAN_KEYS

cdef u64 attackers(const State* s, int square, u64 occupied, int color) noexcept nogil
cdef bint is_attacked(const State* s, int square, u64 occupied, int color) noexcept nogil
cdef u64 attacks_from(int role, int color, int square, u64 occupied) noexcept nogil
cdef u64 pinned(const State* s, int king, int color) noexcept nogil

# Each appends to `out` and returns the new end of the list.
cdef Move* add_targets(Move* out, int role, int origin, u64 targets) noexcept nogil
cdef Move* add_promotions(Move* out, int origin, int target) noexcept nogil
cdef Move* add_pieces(const State* s, Move* out, int color, u64 movers, u64 targets) noexcept nogil
cdef Move* add_pawn_captures(Move* out, int color, u64 pawns, u64 targets) noexcept nogil
cdef Move* add_pawn_pushes(Move* out, int color, u64 pawns, u64 empty, u64 targets) noexcept nogil
cdef Move* add_double_pushes(Move* out, int color, u64 pawns, u64 empty, u64 targets) noexcept nogil
cdef Move* add_castling(const State* s, Move* out, u64 harmless) noexcept nogil
cdef Move* add_lawful(const State* s, Move* out, int what) noexcept nogil
cdef bint pseudo_legal_pawn_move(const State* s, Move m) noexcept nogil
cdef bint ep_is_safe(const State* s, int origin, int target) noexcept nogil
cdef bint wins_exchange(const State* s, Move m, int threshold) noexcept nogil
cdef u64 castling_path(int king, int rook) noexcept nogil
cdef int castled_king(int king, int rook) noexcept nogil
cdef int castled_rook(int king, int rook) noexcept nogil
cdef int see_value(int role) noexcept nogil

# Changes to a state that keep its key right.
cdef void put(State* s, int color, int role, int square) noexcept nogil
cdef void remove(State* s, int color, int role, int square) noexcept nogil
