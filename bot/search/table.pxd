# The transposition table: lock-free, shared by all workers, aged by search.
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from rules.bitboard cimport u64
from rules.state cimport Move
from bot.search.frame cimport SURE

cdef enum:
    UPPER = 1       # the score is at most that
    LOWER = 2       # at least that
    EXACT = 3
    CLUSTER = 4     # entries that a key may lie in: one cache line

cdef extern from *:
    void __builtin_prefetch(const void* address) noexcept nogil

cdef struct Entry:
    u64 check       # key ^ word: an entry torn by two writers fits no key
    u64 word        # move 32, score 16, depth 8, bound 2, generation 6

cdef struct Hit:
    Move move
    int score
    int depth
    int bound

cdef class Table:
    cdef Entry* block           # what was allocated
    cdef Entry* entries
    cdef u64 mask           # of the first entry's index
    cdef u64 generation
    cdef bint probe(self, u64 key, int ply, Hit* hit) noexcept nogil
    cdef void store(self, u64 key, int ply, Move m, int score, int depth, int bound) noexcept nogil

cdef inline void prefetch(Table table, u64 key) noexcept nogil:
    __builtin_prefetch(table.entries + (key & table.mask))
