# The evaluation of horde.
from rules.bitboard cimport lsb, popcount, rank_mask, u64
from rules.state cimport NO_SQUARE, PAWN, State, occupied_of
from bot.search.evaluation.base cimport ahead, relative_rank
from bot.search.evaluation.mobile cimport FURTHER, Mobile, Reach, unopposed_pawns

cdef enum:
    HORDE_PAWN = 265        # what a pawn of the horde is worth more than one of the army
    SUPPORTED = 266         # a pawn of the horde that another guards
    BLOCKED = 267           # one that stands before an enemy man
    LOOSE = 268             # one that the army attacks and that nothing guards
    PAWN_HIT = 269          # each enemy piece that a pawn of the horde attacks
    RUNNER = 270            # 8: a pawn of either side that no enemy pawn can stop, by rank
    DANGER = 278            # 32: attack units on the king's ring

cdef class Horde(Mobile):
    cdef int further(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int crowd(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int runners(self, const State* s, int color) noexcept nogil
