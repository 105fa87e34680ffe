# What a move is, what it does and which positions are decided: one stateless object a game, orthodox by default.
from libc.string cimport memset
from rules.bitboard cimport (
    DARK_SQUARES, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, bit, lsb, popcount, rank_mask,
    rook_attacks, u64,
)
from rules.state cimport (
    ALL, BISHOP, CASTLE, DOUBLE_PUSH, DROP, EN_PASSANT, KING, KNIGHT, MAX_MOVES, NORMAL, NO_SQUARE, PAWN, QUEEN, QUIET,
    ROOK, SWAP, THREATS, WHITE, Move, State, king_square, kind_of, occupied_of, origin_of, promotion_of, role_at, role_of,
    target_of,
)
from rules.movegen cimport (
    add_castling, add_lawful, attackers, attacks_from, castled_king, castled_rook, ep_is_safe, is_attacked,
    pseudo_legal_pawn_move, put, remove, wins_exchange,
)
from rules.zobrist cimport EP_KEYS, TURN_KEY, castling_key

cdef enum:
    # `ending` packs who wins (from the side to move) with a reason; 0 means that play goes on
    UNDECIDED = 0
    DRAWN = 1
    LOST = 2            # the side to move has lost
    WON = 3             # the side to move has won
    # reasons, shifted by two bits beside the result
    BY_CHECKMATE = 1
    BY_STALEMATE = 2
    BY_KING_EXPLODED = 3
    BY_KING_ON_HILL = 4
    BY_THREE_CHECKS = 5
    BY_RACE = 6
    BY_BOTH_RACED = 7
    BY_HORDE_DESTROYED = 8
    BY_ALL_LOST = 9
    BY_KING_CAPTURED = 10
    BY_BARE_KINGS = 11
    BY_KING_AND_MINOR = 12
    BY_NO_MOVES = 13

cdef inline int ending(int result, int reason) noexcept nogil:
    return result | reason << 2

cdef struct Aims:       # how the side to move can attack the enemy king
    u64 squares[6]      # from where each role does
    u64 screens         # own men that may uncover an attack by moving

cdef class Variant:
    # mechanisms, asked for by shared code
    cdef readonly bint generates_lawful     # generate() gives lawful moves only
    cdef readonly bint has_check            # an attacked king must be saved
    cdef readonly bint has_castling
    cdef readonly bint has_pocket
    cdef readonly bint counts_checks
    cdef readonly bint repeats_pawn_moves   # pawn moves can be undone (Spark)
    cdef readonly bint blasts               # captures explode

    # All states handed in are legal positions of this game; `out` has room for MAX_MOVES.
    cdef int generate(self, const State* s, int what, Move* out) noexcept nogil
    cdef void play(self, const State* s, Move m, State* after) noexcept nogil
    cdef bint is_lawful(self, const State* after) noexcept nogil
    cdef bint pseudo_legal(self, const State* s, Move m) noexcept nogil
    cdef bint legal(self, const State* s, Move m) noexcept nogil
    cdef int decided(self, const State* s) noexcept nogil
    cdef int without_moves(self, const State* s) noexcept nogil
    cdef int legal_moves_into(self, const State* s, Move* out) noexcept nogil
    cdef bint has_legal_move(self, const State* s) noexcept nogil
    cdef u64 checkers(self, const State* s) noexcept nogil
    cdef u64 pressing(self, const State* s) noexcept nogil
    cdef void aim(self, const State* s, Aims* aims) noexcept nogil
    cdef bint attacks_king(self, const State* s, const Aims* aims, Move m) noexcept nogil
    cdef u64 captured(self, const State* s, Move m) noexcept nogil
    cdef bint is_noisy(self, const State* s, Move m) noexcept nogil
    cdef bint threatens_win(self, const State* s) noexcept nogil
    cdef bint exchange_at_least(self, const State* s, Move m, int threshold) noexcept nogil
    cdef bint may_pass(self, const State* s) noexcept nogil
    cdef void pass_turn(self, const State* s, State* after) noexcept nogil
    cdef bint can_win(self, const State* s, int color) noexcept nogil
    cdef bint ep_capture_exists(self, const State* s, int square) noexcept nogil

# The parts that `play` is made of, for games that put them together otherwise.
cdef bint king_could_step(const State* s, int us, u64 goals) noexcept nogil
cdef void move_man(State* s, int us, Move m) noexcept nogil
cdef void move_castling_men(State* s, int us, Move m) noexcept nogil
cdef void drop_castling_rights(State* s, int us, Move m) noexcept nogil
cdef bint is_castling(const State* s, Move m) noexcept nogil
cdef void aim_at(const State* s, int king, Aims* aims) noexcept nogil
cdef bint attacks_king_once_played(Variant variant, const State* s, Move m) noexcept nogil
cdef int keep_threats(Variant variant, const State* s, Move* moves, int count) noexcept nogil
cdef int keep_lawful(Variant variant, const State* s, Move* moves, int count) noexcept nogil
