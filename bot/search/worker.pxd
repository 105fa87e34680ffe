# One thread of a search: its stack, what it has learnt, and the tests that come before a node is searched.
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from rules.bitboard cimport bit, u64
from rules.draws cimport DrawPolicy
from rules.position cimport Position
from rules.state cimport Move, State, origin_of, role_at, role_of, target_of
from rules.variant cimport LOST, WON, Variant
from rules.zobrist cimport MAN_KEYS, TURN_KEY
from bot.search.evaluation.base cimport Evaluation
from bot.search.frame cimport (
    ALL_PLIES, BEFORE_ROOT, INFINITE, JUDGED_ENTRIES, MAX_PLY, NO_LEAN, NO_SCORE, NO_SLOT, SURE, WIN, Frame, JudgedEntry,
    Scratch, slot_of,
)
from bot.search.histories cimport Histories, halve
from bot.search.switches cimport Options
from bot.search.stopping cimport StopFlag, now_us
from bot.search.table cimport Table, prefetch
from bot.search.tablebase.tablebase cimport UNKNOWN, Tablebase, plies_of

cdef enum:
    MAX_PAST = 1024         # keys of the game that are looked back at
    POLL_NODES = 1024       # nodes between two looks at the clock and the flag

cdef inline u64 likely_key(const State* s, Move m) noexcept nogil:
    # of the position after a plain move, which most are: known before it is played, and the table takes its time
    cdef int us = s.turn
    cdef int target = target_of(m)
    cdef u64 key = s.key ^ TURN_KEY ^ MAN_KEYS[us][role_of(m)][origin_of(m)] ^ MAN_KEYS[us][role_of(m)][target]
    if s.colors[us ^ 1] & bit(target):
        key ^= MAN_KEYS[us ^ 1][role_at(s, target)][target]
    return key

cdef class Worker:
    cdef readonly Variant variant
    cdef Evaluation evaluation
    cdef DrawPolicy policy
    cdef Table table
    cdef Tablebase endings      # None: no end-game tables
    cdef bint draws_count       # a draw by the tables is one; at a drawn root, what to play for is left to the search
    cdef StopFlag flag
    cdef Options options
    cdef Frame* frames          # all of them; `stack` points to the root's
    cdef Frame* stack
    cdef Histories* histories
    cdef Scratch* scratch
    cdef u64 keys[MAX_PAST + ALL_PLIES]
    cdef int past               # keys before the root's
    cdef u64 salt               # tells apart games that share a table
    cdef int quiet_limit
    cdef int fade_plies
    cdef int occurrences_limit
    cdef readonly u64 nodes
    cdef u64 node_limit
    cdef u64 next_poll
    cdef long long deadline_us  # 0: none
    cdef bint stopped
    cdef int selective_depth
    cdef Move line[MAX_PLY + 1][MAX_PLY + 1]    # principal variations, by the ply they begin at
    cdef int line_length[MAX_PLY + 1]

    cdef void poll(self) noexcept nogil
    cdef bint make(self, int ply, Move m) noexcept nogil
    cdef void make_null(self, int ply) noexcept nogil
    cdef u64 table_key(self, int ply) noexcept nogil
    cdef int static_score(self, int ply) noexcept nogil
    cdef int verdict_score(self, int verdict, int ply) noexcept nogil
    cdef int repeated_ply(self, int ply) noexcept nogil
    cdef int repetition_score(self, int ply) noexcept nogil
    cdef bint is_settled(self, int ply, int* score) noexcept nogil
    cdef bint is_in_tables(self, int ply, int* score) noexcept nogil
    cdef void keep_line(self, int ply, Move m) noexcept nogil

cdef inline u64 quiet_key(int bucket) noexcept nogil:
    return <u64>(bucket + 1) * 0x9E3779B97F4A7C15ULL
