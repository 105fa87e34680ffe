# Material, squares and mobility: what every game with pieces has, and the maps that its further terms are made of.
from rules.bitboard cimport (
    KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, bit, lsb, pawn_attacks_of, popcount, rook_attacks, u64,
)
from rules.state cimport BISHOP, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, State, king_square, occupied_of
from bot.search.evaluation.base cimport Evaluation, beside, endgame, file_mask, midgame, ranks_ahead
from bot.search.frame cimport Frame, Scratch

cdef enum:
    MOBILE_KNIGHT = 198     # 9, by squares it may go to
    MOBILE_BISHOP = 207     # 14
    MOBILE_ROOK = 221       # 15
    MOBILE_QUEEN = 236      # 28
    MOBILE_TEMPO = 264
    FURTHER = 265           # where a subclass may go on
    WHOLE_PHASE = 24

cdef struct Reach:          # what both sides attack; lines stop at the first man
    u64 pawns[2]            # squares that pawns attack
    u64 minors[2]
    u64 rooks[2]
    u64 queens[2]
    u64 pieces[2]           # kings included
    u64 twice[2]            # by two pieces at least
    u64 ring[2]             # round the king, its own square included
    int king[2]
    int units[2]            # how strongly pieces bear on the other king's ring
    int attackers[2]
    int phase

cdef class Mobile(Evaluation):
    cdef void survey(self, const State* s, Reach* reach) noexcept nogil
    cdef int mobility(self, const State* s, Reach* reach, int color) noexcept nogil
    cdef int further(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int finished(self, const State* s, int phase, int packed) noexcept nogil

cdef inline u64 unopposed_pawns(const State* s, int color) noexcept nogil:
    # those that no enemy pawn stands before or beside
    cdef u64 theirs = s.roles[PAWN] & s.colors[color ^ 1]
    cdef u64 left = s.roles[PAWN] & s.colors[color]
    cdef u64 found = 0
    cdef u64 files
    while left:
        files = file_mask(lsb(left) & 7)
        if not theirs & ranks_ahead(color, lsb(left) >> 3) & (files | beside(files)):
            found |= left & -left
        left &= left - 1
    return found

cdef inline u64 piece_attacks(int role, int square, u64 occupied) noexcept nogil:
    if role == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if role == BISHOP:
        return bishop_attacks(square, occupied)
    if role == ROOK:
        return rook_attacks(square, occupied)
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied)

cdef inline int reach_of(int role) noexcept nogil:
    if role == KNIGHT:
        return MOBILE_KNIGHT
    if role == BISHOP:
        return MOBILE_BISHOP
    return MOBILE_ROOK if role == ROOK else MOBILE_QUEEN

cdef inline int phase_of(int role) noexcept nogil:
    return 1 if role <= BISHOP else 2 if role == ROOK else 4

cdef inline int weight_of(int role) noexcept nogil:
    # of an attacker of the king's ring
    return 4 if role <= BISHOP else 5 if role == ROOK else 8
