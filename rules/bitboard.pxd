# Sets of squares as 64-bit words (a1 = bit 0, h8 = bit 63) and the attack tables that every game shares.
# The small functions live here, in the header, so that each compiled module inlines them.
ctypedef unsigned long long u64

cdef extern from *:
    """
    #ifndef CENTELLA_POPCOUNT
    #define CENTELLA_POPCOUNT
    /* Where no instruction counts, the compiler would call a function of its library. */
    static inline int count_of(unsigned long long squares) {
    #if defined(__POPCNT__) || !defined(__x86_64__)
        return __builtin_popcountll(squares);
    #else
        squares -= squares >> 1 & 0x5555555555555555ULL;
        squares = (squares & 0x3333333333333333ULL) + (squares >> 2 & 0x3333333333333333ULL);
        squares = (squares + (squares >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)(squares * 0x0101010101010101ULL >> 56);
    #endif
    }
    #endif
    """
    int popcount "count_of"(u64 squares) noexcept nogil
    int lsb "__builtin_ctzll"(u64 squares) noexcept nogil       # undefined for the empty set
    int msb_gap "__builtin_clzll"(u64 squares) noexcept nogil   # 63 - index of the highest square

cdef u64 DARK_SQUARES

cdef struct Magic:
    u64 mask
    u64 factor
    u64* attacks
    int shift

# Square 64, "no square", attacks nothing: boards that the validator refuses may lack a king, and must crash nothing.
cdef u64 SLIDER_TABLE[107649]   # 102,400 rook and 5,248 bishop arrangements, and an empty one for no square
cdef Magic ROOK_MAGICS[65]
cdef Magic BISHOP_MAGICS[65]
cdef u64 KNIGHT_ATTACKS[65]
cdef u64 KING_ATTACKS[65]
cdef u64 PAWN_ATTACKS[2][65]    # squares that a pawn of this color on this square attacks
cdef u64 BETWEEN[65][65]        # squares strictly between two squares on one line, else empty
cdef u64 LINE[65][65]           # the whole line through two squares, ends included, else empty

cdef inline u64 bit(int square) noexcept nogil:
    return (<u64>1) << (square & 63)

cdef inline u64 rank_mask(int rank) noexcept nogil:
    return (<u64>0xFF) << (8 * rank)

cdef inline u64 file_mask(int file) noexcept nogil:
    return 0x0101010101010101ULL << file

cdef inline u64 next_random(u64* seed) noexcept nogil:
    # splitmix64; long constants stand in headers, where they keep their C type
    cdef u64 z
    seed[0] += 0x9E3779B97F4A7C15ULL
    z = (seed[0] ^ (seed[0] >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)

cdef inline u64 rook_attacks(int square, u64 occupied) noexcept nogil:
    cdef Magic* m = &ROOK_MAGICS[square]
    return m.attacks[((occupied & m.mask) * m.factor) >> m.shift]

cdef inline u64 bishop_attacks(int square, u64 occupied) noexcept nogil:
    cdef Magic* m = &BISHOP_MAGICS[square]
    return m.attacks[((occupied & m.mask) * m.factor) >> m.shift]

cdef inline u64 pawn_attacks_of(u64 pawns, int color) noexcept nogil:
    # every square attacked by at least one of these pawns
    if color == 0:
        return ((pawns & 0xFEFEFEFEFEFEFEFEULL) << 7) | ((pawns & 0x7F7F7F7F7F7F7F7FULL) << 9)
    return ((pawns & 0xFEFEFEFEFEFEFEFEULL) >> 9) | ((pawns & 0x7F7F7F7F7F7F7F7FULL) >> 7)
