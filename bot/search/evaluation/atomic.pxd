# The evaluation of atomic chess.
from rules.bitboard cimport KING_ATTACKS, bit, lsb, popcount, rank_mask, u64
from rules.movegen cimport see_value
from rules.state cimport BISHOP, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, State, king_square, occupied_of, role_at
from bot.search.evaluation.base cimport ahead, beside, distance, file_mask, ranks_ahead, relative_rank
from bot.search.evaluation.mobile cimport FURTHER, Mobile, Reach, unopposed_pawns

cdef enum:
    NEAR_MEN = 265          # 9: own men beside the king: each can be captured to explode it
    NEAR_HIT = 274          # 9: of those, attacked ones
    AIM = 283               # 32: attack units on the king's ring, in steps
    ROOM = 315              # 9: squares beside the king that are empty and not attacked
    BLAST = 324             # 16: the best explosion at hand, in half pawns
    ADVANCED = 340          # 8: passed pawns, by rank
    FREE = 348              # 8: more, when nothing stands before it
    GUARD = 356             # 4: own pawns on the three files before the king

cdef class Atomic(Mobile):
    cdef int further(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int king_zone(self, const State* s, const Reach* reach, int color, u64 enemy) noexcept nogil
    cdef int best_blast(self, const State* s, const Reach* reach, int color) noexcept nogil
    cdef int cheapest(self, const Reach* reach, int color, int square) noexcept nogil
    cdef int passed(self, const State* s, int color) noexcept nogil
    cdef int finished(self, const State* s, int phase, int packed) noexcept nogil
    cdef int driven(self, const State* s, int strong) noexcept nogil
