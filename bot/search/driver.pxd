# The root of a search: moves, iterations, aspiration, and when to stop.
from rules.bitboard cimport u64
from rules.position cimport Position
from rules.state cimport MAX_MOVES, Move
from bot.search.forcing cimport BUDGET_SHARE, Forcing
from bot.search.frame cimport INFINITE, MAX_PLY, NO_LEAN, NO_SCORE, SURE, WIN
from bot.search.quiescence cimport lean_of_child
from bot.search.stopping cimport StopFlag, now_us
from bot.search.table cimport EXACT, Hit

cdef enum:
    FIRST_ITERATION_US = 10000
    ONLY_MOVE_DEPTH = 8     # an only move needs no thought beyond a score that means something

cdef struct RootMove:
    Move move
    int score               # when it was last among the lines; -INFINITE: never
    int leans_on            # the lowest ply that the score leans on
    u64 nodes
    int length
    int selective_depth
    Move line[MAX_PLY + 1]

cdef class Driver(Forcing):
    cdef RootMove root[MAX_MOVES]
    cdef RootMove settled       # root[0] as the last finished iteration left it
    cdef int root_count
    cdef bint restricted        # the root's list lacks moves that are legal
    cdef int lines              # best lines that are wanted, of different first moves
    cdef int first              # where in the root's list the line begins that is being searched
    cdef int mate_moves         # a win within so many moves ends the search; 0: none does
    cdef int ahead              # iterations that this one skips now and then, so that not all threads do the same
    cdef int depth              # of the last finished iteration
    cdef int score              # of root[0]
    cdef int earlier_score      # of the iteration before
    cdef int steady             # iterations since the best move changed
    cdef int depth_limit
    cdef long long begun_us
    cdef long long soft_us      # 0: none
    cdef u64 iteration_nodes    # when the iteration began
    cdef bint reporting
    cdef object on_iteration
    cdef object failure         # what on_iteration raised

    cdef void list_root(self) noexcept nogil
    cdef bint wins_by_force(self, long long hard_us) noexcept nogil
    cdef void iterate(self) noexcept nogil
    cdef void aspire(self) noexcept nogil
    cdef void aspire_line(self, int depth) noexcept nogil
    cdef int search_root(self, int depth, int alpha, int beta) noexcept nogil
    cdef int root_value(self, int index, int depth, int alpha, int beta) noexcept nogil
    cdef void bring_forward(self, int index) noexcept nogil
    cdef void take_best(self, int index, int value) noexcept nogil
    cdef void finish_iteration(self) noexcept nogil
    cdef void rank_lines(self) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef bint is_proven(self) noexcept nogil
    cdef bint is_enough(self) noexcept nogil
    cdef void report(self) noexcept with gil
