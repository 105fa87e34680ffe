# The evaluation of games that are played as chess is: a king to guard, pawns to promote.
from rules.bitboard cimport (
    KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, bit, lsb, msb_gap, pawn_attacks_of, popcount, rank_mask, rook_attacks, u64,
)
from rules.state cimport BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, State, king_square, occupied_of
from bot.search.evaluation.base cimport (
    Evaluation, ahead, beside, distance, endgame, file_mask, midgame, ranks_ahead, relative_rank,
)
from bot.search.frame cimport PAWN_ENTRIES, Frame, PawnEntry, Scratch

cdef enum:
    # where each group of weights begins
    MATERIAL = 0            # 6, by role
    SQUARES = 6             # 6 x 32
    KNIGHT_REACH = 198      # 9, by squares it may go to
    BISHOP_REACH = 207      # 14
    ROOK_REACH = 221        # 15
    QUEEN_REACH = 236       # 28
    BISHOP_PAIR = 264
    ROOK_FILE = 265         # 2: half open, open
    OUTPOST = 267           # 2: knight, bishop
    SHIELDED_MINOR = 269    # a minor piece behind a pawn
    BISHOP_PAWN = 270       # each own pawn on the bishop's color
    DOUBLED = 271
    ISOLATED = 272          # 2: on a closed, on a half-open file
    BACKWARD = 274          # 2
    PHALANX = 276           # 8, by rank
    SUPPORTED = 284         # 8
    PASSED = 292            # 8
    PASSED_FREE = 300       # 8: the square before it is empty and not attacked
    PASSED_OWN_KING = 308   # 8: by the king's distance
    PASSED_THEIR_KING = 316 # 8
    PAWN_THREAT = 324       # 6, by the role attacked
    MINOR_THREAT = 330      # 6
    ROOK_THREAT = 336       # 6
    KING_THREAT = 342
    HANGING = 343
    PUSH_THREAT = 344       # a safe push attacks a piece
    SHELTER = 345           # 8: rank of the foremost-but-own pawn by the king; 0: none
    STORM = 353             # 8: rank of the enemy pawn
    OPEN_KING = 361         # a file by the king without pawns
    DANGER = 362            # 32, by attack units in steps
    TEMPO = 394
    FULL_PHASE = 24
    ENDING_PHASE = 10

cdef struct Maps:           # what both sides attack
    u64 by[2][6]
    u64 all[2]
    u64 twice[2]
    u64 ring[2]             # squares round the king
    u64 goals[2]            # squares that count as mobility
    u64 passed[2]
    int king[2]
    int units[2]            # of attack against the other king
    int attackers[2]
    int phase

cdef class Orthodox(Evaluation):
    cdef int pawns(self, const State* s, Maps* maps, Scratch* scratch) noexcept nogil
    cdef int pawns_of(self, const State* s, int color, u64* passed) noexcept nogil
    cdef void survey(self, const State* s, Maps* maps) noexcept nogil
    cdef int pieces(self, const State* s, Maps* maps, int color) noexcept nogil
    cdef int piece(self, const State* s, Maps* maps, int color, int role, int square) noexcept nogil
    cdef int king_safety(self, const State* s, const Maps* maps, int color) noexcept nogil
    cdef int shelter(self, const State* s, const Maps* maps, int color) noexcept nogil
    cdef int threats(self, const State* s, const Maps* maps, int color) noexcept nogil
    cdef int passers(self, const State* s, const Maps* maps, int color) noexcept nogil
    cdef int tapered(self, const State* s, const Maps* maps, int packed) noexcept nogil
    cdef int winnable(self, const State* s, int score) noexcept nogil
    cdef int tempered(self, const State* s, int score) noexcept nogil
    cdef int mop_up(self, const State* s, int strong) noexcept nogil

cdef inline u64 mixed(u64 white, u64 black) noexcept nogil:
    # one key of two sets of pawns; never 0 for a set that differs from the empty one
    cdef u64 key = (white * 0x9E3779B97F4A7C15ULL) ^ (black * 0xC2B2AE3D27D4EB4FULL)
    return key ^ (key >> 29) ^ 0x165667B19E3779F9ULL

cdef inline u64 same_color(int square) noexcept nogil:
    # squares of the color of this one
    return 0xAA55AA55AA55AA55ULL if ((square >> 3) + square) & 1 == 0 else 0x55AA55AA55AA55AAULL

cdef inline u64 outposts(int color) noexcept nogil:
    # ranks 4 to 6
    return 0x000000FFFFFF0000ULL if color else 0x0000FFFFFF000000ULL

cdef inline int nearest(int color, u64 squares) noexcept nogil:
    # the one nearest to that side
    return 63 - msb_gap(squares) if color else lsb(squares)

cdef inline int attacker_units(int role) noexcept nogil:
    return 5 if role == KNIGHT else 4 if role == BISHOP else 5 if role == ROOK else 8

cdef inline int pieces_worth(const State* s, int color) noexcept nogil:
    # roughly, and without pawns
    return (
        320 * popcount(s.roles[KNIGHT] & s.colors[color]) + 330 * popcount(s.roles[BISHOP] & s.colors[color])
        + 500 * popcount(s.roles[ROOK] & s.colors[color]) + 950 * popcount(s.roles[QUEEN] & s.colors[color])
    )
