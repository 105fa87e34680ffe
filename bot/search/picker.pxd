# The order in which a node's moves are tried, found step by step: most nodes end before the last step.
from rules.bitboard cimport lsb, u64
from rules.movegen cimport see_value
from rules.state cimport (
    EVASIONS, KING, MAX_MOVES, NOISY, QUEEN, QUIET, THREATS, Move, State, promotion_of, role_at, role_of, target_of,
)
from rules.variant cimport Variant
from bot.search.frame cimport Frame
from bot.search.histories cimport Histories, capture_entry, quiet_score

cdef enum:
    # plans: what a node wants to see
    WHOLE = 0           # every move
    RESCUE = 1          # moves worth a look while the king is attacked
    CALM = 2            # captures and promotions that lose nothing
    CALM_THREATS = 3    # and quiet moves that attack the king
    # steps
    HASH_STEP = 0
    LIST_NOISY = 1
    GIVE_NOISY = 2
    LIST_QUIET = 3
    GIVE_QUIET = 4
    GIVE_DEFERRED = 5
    LIST_RESCUE = 6
    GIVE_RESCUE = 7
    LIST_THREATS = 8
    GIVE_THREATS = 9
    DONE = 10
    # worth of some moves among the others of their step
    FIRST_NOISY = 1 << 24
    KILLER = 1 << 20

cdef struct Picker:
    Frame* frame
    Histories* histories
    Move hash_move
    Move reply
    int plan
    int step
    int next
    int end
    int deferred            # noisy moves that lose material, kept at the front of the list
    bint noisy              # whether the move given last is noisy
    bint special            # whether it is a killer or a reply
    int score               # its history, when it is quiet
    Move moves[MAX_MOVES]
    int worth[MAX_MOVES]

cdef void begin(Picker* p, Variant variant, Frame* frame, Histories* histories, Move hash_move, int plan) noexcept nogil
cdef Move next_move(Picker* p, Variant variant) noexcept nogil
cdef bint admissible(Variant variant, const State* s, Move m) noexcept nogil

cdef inline long long ranked(const Picker* p, int index) noexcept nogil:
    # of two moves the more worthy has the greater number, of two alike the one that stands first
    return <long long>p.worth[index] * (2 * MAX_MOVES) + MAX_MOVES - index
