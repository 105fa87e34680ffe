# What earlier nodes taught about moves: the worker's own, carried from search to search.
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from rules.bitboard cimport u64
from rules.state cimport NO_ROLE, Move, State, role_at, target_of
from bot.search.frame cimport NO_SLOT, SLOTS, Frame, class_of, slot_of

cdef enum:
    HISTORY_LIMIT = 16384

cdef struct Histories:
    short squares[2][4096]          # by color, origin and target
    short men[1024]                 # by slot
    short after[SLOTS][512]         # by the slot of an earlier move, and class and target of this one
    short captures[512][8]          # by class, target and victim's role
    Move replies[SLOTS]             # what last refuted the move of a slot

cdef int quiet_score(const Histories* h, const Frame* frame, Move m) noexcept nogil
cdef short* capture_entry(Histories* h, const State* s, Move m) noexcept nogil
cdef void reward(short* entry, int bonus) noexcept nogil
cdef void reward_quiet(Histories* h, const Frame* frame, Move m, int bonus) noexcept nogil
cdef void halve(Histories* h) noexcept nogil
