# The evaluation of Spark Chess.
from rules.bitboard cimport KING_ATTACKS, PAWN_ATTACKS, bit, lsb, pawn_attacks_of, popcount, rank_mask, u64
from rules.state cimport KING, NO_SQUARE, PAWN, QUEEN, ROOK, State, occupied_of
from bot.search.evaluation.base cimport ahead, beside, file_mask
from bot.search.evaluation.mobile cimport FURTHER, Mobile, Reach

cdef enum:
    FIRST_PAWN = 265        # having a pawn at all: it carries every Spark Move
    GUARDED = 266           # 8: each empty square guarded twice, by rank
    GUARDED_SAFE = 274      # 8: more, when no enemy man attacks it
    GATE = 282              # 2: such a square on the seventh rank with a way to promote: attacked, safe
    FORK = 284              # 2: a square from which a shifted pawn would attack two pieces: attacked, safe
    KING_FORK = 286         # 3: squares from which a shifted pawn would attack the enemy king, up to two
    ROOM = 289              # 9: squares beside the king that the enemy does not attack
    RING = 298              # 32: attack units on the king's ring, in steps
    PAWN_HIT = 330          # each enemy piece that a pawn attacks
    MINOR_HIT = 331         # rooks and queens that a minor piece attacks
    LOOSE = 332             # attacked enemy pieces that nothing guards
    SWAPS = 333             # own pieces on squares guarded twice
    PHALANX_PAIR = 334      # pawns side by side

cdef class Spark(Mobile):
    cdef int further(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int guards(self, const State* s, const Reach* reach, int color, u64 enemy) noexcept nogil
    cdef int king_zone(self, const State* s, const Reach* reach, int color, u64 enemy) noexcept nogil
