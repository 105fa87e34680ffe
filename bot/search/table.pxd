# The transposition table: lock-free, shared by all workers, aged by search.
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
    """
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>

    #define PAGE_BYTES ((size_t)2 << 20)

    /* Room that begins at a large page, zeroed, and in large pages where the system has them: a table is read all over,
       and each of its many small pages would have to be looked up first.  NULL when there is none. */
    static inline void *take_pages(size_t bytes, void **block, size_t *block_bytes) {
    #if defined(__SANITIZE_ADDRESS__)
        /* where what lies beyond is watched */
        *block_bytes = 0;
        *block = aligned_alloc(64, bytes);
        return *block ? memset(*block, 0, bytes) : NULL;
    #else
        *block_bytes = bytes + PAGE_BYTES;
        *block = mmap(NULL, *block_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (*block == MAP_FAILED)
            return *block = NULL;
        char *first = (char *)(((size_t)*block + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1));
    #if defined(MADV_HUGEPAGE)
        madvise(first, bytes, MADV_HUGEPAGE);
    #endif
        return first;
    #endif
    }

    static inline void give_pages(void *block, size_t block_bytes) {
        if (block_bytes)
            munmap(block, block_bytes);
        else
            free(block);
    }
    """
    void* take_pages(size_t bytes, void** block, size_t* block_bytes) noexcept nogil
    void give_pages(void* block, size_t block_bytes) noexcept nogil
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
    cdef void* block            # what was allocated
    cdef size_t block_bytes
    cdef Entry* entries
    cdef u64 mask           # of the first entry's index
    cdef u64 generation
    cdef bint probe(self, u64 key, int ply, Hit* hit) noexcept nogil
    cdef void store(self, u64 key, int ply, Move m, int score, int depth, int bound) noexcept nogil

cdef inline void prefetch(Table table, u64 key) noexcept nogil:
    __builtin_prefetch(table.entries + (key & table.mask))
