# The search of a node: principal variation search.
from libc.math cimport log
from rules.bitboard cimport u64
from rules.state cimport Move, State
from bot.search.frame cimport INFINITE, NO_LEAN, NO_SCORE, SURE, Frame
from bot.search.histories cimport HISTORY_LIMIT, Histories, capture_entry, reward, reward_quiet
from bot.search.picker cimport CALM, RESCUE, WHOLE, Picker, begin, next_move
from bot.search.quiescence cimport TRIED, Node, Quiescence, lean_of_child
from bot.search.table cimport EXACT, LOWER, UPPER

cdef class Searcher(Quiescence):
    cdef int reduction_table[64][64]
    cdef int root_depth
    cdef int null_from          # null moves are tried from this ply on
    cdef int search(self, int ply, int depth, int alpha, int beta, bint cut) noexcept nogil
    cdef void assess(self, Node* n) noexcept nogil
    cdef bint prune(self, Node* n) noexcept nogil
    cdef bint null_move_refutes(self, Node* n) noexcept nogil
    cdef bint probe_cut(self, Node* n, Picker* picker) noexcept nogil
    cdef int plan(self, const Node* n) noexcept nogil
    cdef void try_moves(self, Node* n, Picker* picker) noexcept nogil
    cdef bint skips(self, Node* n, Picker* picker, Move m) noexcept nogil
    cdef int extension(self, Node* n, Move m) noexcept nogil
    cdef int value_of(self, Node* n, const Picker* picker, Move m, int depth) noexcept nogil
    cdef int reduction(self, const Node* n, const Picker* picker) noexcept nogil
    cdef bint endangers(self, Node* n, Move m) noexcept nogil
    cdef void hush(self, Node* n, Picker* picker) noexcept nogil
    cdef void learn(self, Node* n, bint noisy) noexcept nogil
    cdef void leave(self, Node* n) noexcept nogil
