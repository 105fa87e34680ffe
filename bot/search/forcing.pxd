# Forced wins: every move of the attacker attacks the king, every move of the defender saves it, until none does.
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from rules.bitboard cimport u64
from rules.state cimport ALL, EVASIONS, MAX_MOVES, Move, State
from rules.variant cimport keep_threats
from bot.search.frame cimport SURE
from bot.search.searcher cimport Searcher

cdef enum:
    REFUTED = 32768         # entries of what has been refuted; a power of two
    BUDGET_SHARE = 8        # of the limits of a search, what looking for forced wins may take at most
    BUDGET_NODES = 50000    # where there is no limit

cdef struct Refuted:
    u64 key
    Move move               # the attack that came furthest, or the defence
    int plies               # within so many plies nothing is won from here

cdef class Forcing(Searcher):
    cdef Refuted* refuted
    cdef u64 attack_limit       # nodes
    cdef int forced_win(self, int most_plies) noexcept nogil
    cdef int attack(self, int ply, int plies) noexcept nogil
    cdef int defend(self, int ply, int plies) noexcept nogil
    cdef void order_by_answers(self, int ply, Move* moves, int count) noexcept nogil
    cdef int count_defences(self, int ply, Move m) noexcept nogil
    cdef Refuted* known(self, int ply) noexcept nogil
    cdef bint is_refuted(self, int ply, int plies) noexcept nogil
    cdef void refute(self, int ply, int plies, Move m) noexcept nogil
    cdef bint is_spent(self) noexcept nogil

cdef inline void bring_first(Move* moves, int count, Move m) noexcept nogil:
    cdef int i
    for i in range(count):
        if moves[i] == m:
            moves[i] = moves[0]
            moves[0] = m
            return
