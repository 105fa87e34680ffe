# Quiescence, and the first and the last steps of any node.
from rules.bitboard cimport u64
from rules.state cimport Move, State
from rules.variant cimport Aims
from bot.search.frame cimport INFINITE, MAX_PLY, NO_LEAN, NO_SCORE, WIN, Frame
from bot.search.picker cimport CALM, CALM_THREATS, RESCUE, Picker, begin, next_move
from bot.search.table cimport EXACT, LOWER, UPPER, Hit, Table
from bot.search.worker cimport Worker

cdef enum:
    TRIED = 64      # moves of each kind that a node remembers, to count them down when another refutes

cdef struct Node:
    int ply
    int depth
    int alpha
    int beta
    bint pv             # the window is open
    bint cut            # a move is expected to refute
    bint endangered     # men press: the own king is attacked, or a capture is compulsory
    bint improving      # stands better than two plies ago
    bint hash_noisy
    u64 key
    Hit hit
    int evaluation      # static, corrected by the table; NO_SCORE when endangered
    int first_alpha
    int best
    Move best_move
    int searched
    int quiets
    int noisies
    bint hushed         # whether late quiet moves have been left out
    bint aimed          # whether `aims` is filled in
    Aims aims
    Move quiet_moves[TRIED]
    Move noisy_moves[TRIED]

cdef class Quiescence(Worker):
    cdef int quiesce(self, int ply, int level, int alpha, int beta) noexcept nogil
    cdef bint ends_early(self, int ply, int* alpha, int* beta, int* score) noexcept nogil
    cdef bint table_ends(self, Node* n) noexcept nogil
    cdef int stand_pat(self, Node* n) noexcept nogil
    cdef void try_forcing(self, Node* n, Picker* picker, int level) noexcept nogil
    cdef bint accept(self, Node* n, Move m, int value) noexcept nogil
    cdef int without_moves_score(self, int ply) noexcept nogil

cdef inline int lean_of_child(const Frame* frame, int ply) noexcept nogil:
    # what a value rests on that comes from the next frame: a repetition of this node or a later one is its own affair
    cdef int lean = (frame + 1).leans_on
    return lean if lean < ply else NO_LEAN
