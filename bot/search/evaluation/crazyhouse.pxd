# The evaluation of crazyhouse.
from rules.bitboard cimport (
    KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, lsb, popcount, rank_mask, rook_attacks, u64,
)
from rules.state cimport BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, State, occupied_of
from bot.search.evaluation.base cimport ranks_ahead
from bot.search.evaluation.mobile cimport FURTHER, Mobile, Reach, midgame

cdef enum:
    IN_HAND = 265           # 6, by role: what a man is worth more in hand than on the board
    DANGER = 271            # 64: by units of attack on the king, from the board and from the hand
    SHIELD = 335            # 4: own pawns on the squares beside the king, in front of it or level
    HOLE = 339              # each square beside the king that is empty and that no man but the king guards
    UNITS_MOST = 63

cdef class Crazyhouse(Mobile):
    cdef int further(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int king_zone(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int drop_units(self, const State* s, int king, int them, u64 landing, u64 holes) noexcept nogil
    cdef int finished(self, const State* s, int phase, int packed) noexcept nogil

cdef inline int holding_units(int role) noexcept nogil:
    # of a man in the enemy's hand when there is a hole to drop it into
    return 1 if role == PAWN else 2 if role <= BISHOP else 3 if role == ROOK else 5

cdef inline int check_units(int role) noexcept nogil:
    # of a drop that gives check and is not captured
    return 2 if role == PAWN else 7 if role == KNIGHT else 5 if role == BISHOP else 6 if role == ROOK else 9
