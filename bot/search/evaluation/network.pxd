# An evaluation that was learnt: sums of weights for each side, kept up to date beside the stack, and one layer on top.
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from rules.bitboard cimport lsb, popcount, u64
from rules.position cimport Position
from rules.state cimport KING, State, occupied_of
from bot.search.evaluation.base cimport Evaluation
from bot.search.evaluation.features cimport Features, Sight, feature_of, fill_planes, orientation_of
from bot.search.frame cimport MAX_PLY, MOST_PLANES, SURE, Accumulator, Frame, Scratch, accumulators_of

cdef extern from "network.h":
    enum: NETWORK_BUILDS
    enum: NETWORK_LANES
    enum: NETWORK_ACTIVE

    ctypedef struct NetworkLayer:
        const short* rows
        const short* biases
        int width

    ctypedef struct NetworkBuild:
        const char* name
        void (*update)(
            const NetworkLayer* layer, const short* source, short* target,
            const int* added, int added_count, const int* removed, int removed_count,
        ) noexcept nogil
        long long (*forward)(const short* own, const short* theirs, const short* weights, int width) noexcept nogil

    const NetworkBuild* network_builds
    int network_can_run(int build) noexcept nogil

cdef enum:
    UNIT = 64               # QB: what one is in the weights of the output
    MOST_CHANGES = 32       # with more of them sums are made anew
    MOST_FEATURES = 256

cdef struct Changes:        # features by plane and square, as plane << 6 | square
    int added[MOST_FEATURES]
    int removed[MOST_FEATURES]
    int added_count
    int removed_count

cdef class Network(Evaluation):
    cdef readonly Features features
    cdef Sight sight                    # of the features, at hand
    cdef Evaluation hand                # judges where the network does not, and what it may refine; None for nothing
    cdef bint refines
    cdef object content                 # what the pointers below point into
    cdef const NetworkBuild* build
    cdef NetworkLayer layer
    cdef const short* output            # for each head: the mover's sums, then the other side's
    cdef const int* output_biases
    cdef int heads
    cdef int scale_cp
    cdef int evaluate(self, const Frame* stack, int ply, Scratch* scratch) noexcept nogil
    cdef void bring_up_to_date(self, const State* s, const Accumulator* earlier, Accumulator* sums) noexcept nogil
    cdef void begin_side(self, const u64* planes, int color, int orientation, short* target) noexcept nogil
    cdef void update_side(
        self, const Changes* changes, int color, int orientation, const short* source, short* target
    ) noexcept nogil
    cdef int output_of(self, const State* s, const Accumulator* sums) noexcept nogil

cdef void list_changes(const u64* before, const u64* after, int planes, Changes* changes) noexcept nogil
