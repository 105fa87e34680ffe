# What a network sees of a position: sets of squares, in pairs of planes, one for each color.
from rules.bitboard cimport bit, lsb, u64
from rules.state cimport BLACK, WHITE, State, king_square
from bot.search.frame cimport MOST_PLANES

cdef enum:
    MAN_PAIRS = 6
    # the bits of a pocket's plane: pawns, then eight for each other role
    PAWNS_IN_HAND = 16
    OTHERS_IN_HAND = 8
    CHECKS_GIVEN = 8

cdef struct Sight:
    int pairs                           # planes of one color; those of Black come after all of White's
    int planes
    bint flips                          # Black sees the board from the other side
    bint mirrors[2]                     # a side sees its king on the files a to d
    int pocket                          # index of the kind of plane, 0: none
    int promoted
    int checks
    int first_of[2][MOST_PLANES]        # the first feature of a plane, as a side numbers them
    int turnable[MOST_PLANES]           # 63 where the plane's bits are squares, else 0

cdef class Features:
    cdef Sight sight
    cdef readonly str name

cdef inline u64 thermometer(int count, int most) noexcept nogil:
    # so many bits, at most `most`
    return (<u64>1 << (count if count < most else most)) - 1

cdef inline void fill_in_hand(const Sight* sight, const State* s, u64* planes) noexcept nogil:
    cdef int color, role, shift
    for color in range(2):
        shift = PAWNS_IN_HAND
        planes[sight.pocket] = thermometer(s.pocket[color][0], PAWNS_IN_HAND)
        for role in range(1, 6):
            planes[sight.pocket] |= thermometer(s.pocket[color][role], OTHERS_IN_HAND) << shift
            shift += OTHERS_IN_HAND
        planes[sight.promoted] = s.promoted & s.colors[color]
        planes += sight.pairs

cdef inline void fill_planes(const Sight* sight, const State* s, u64* planes) noexcept nogil:
    cdef int role
    cdef u64* others = planes + sight.pairs
    for role in range(MAN_PAIRS):
        planes[role] = s.roles[role] & s.colors[WHITE]
        others[role] = s.roles[role] & s.colors[BLACK]
    if sight.pocket:
        fill_in_hand(sight, s, planes)
    if sight.checks:
        planes[sight.checks] = thermometer(s.checks[WHITE], CHECKS_GIVEN)
        others[sight.checks] = thermometer(s.checks[BLACK], CHECKS_GIVEN)

cdef inline int orientation_of(const Sight* sight, const State* s, int color) noexcept nogil:
    # what a side sees a square as: the square, with the bits of this number turned over
    cdef int turned = 56 if color == BLACK and sight.flips else 0
    return turned | 7 if sight.mirrors[color] and king_square(s, color) & 4 else turned

cdef inline int feature_of(const Sight* sight, int color, int orientation, int plane, int square) noexcept nogil:
    # the number of a feature as one side sees it
    return sight.first_of[color][plane] + (square ^ (orientation & sight.turnable[plane]))

cdef void mark_features(const Sight* sight, const State* s, int color, unsigned char* seen) noexcept nogil
