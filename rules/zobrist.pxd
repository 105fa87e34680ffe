from rules.bitboard cimport lsb, next_random, u64
from rules.state cimport State, NO_SQUARE

cdef u64 MAN_KEYS[2][6][64]
cdef u64 CASTLING_KEYS[64]          # one a rook square
cdef u64 EP_KEYS[64]
cdef u64 POCKET_KEYS[2][6][32]      # by count; no man in hand has key 0
cdef u64 CHECK_KEYS[2][8]           # by count; no check has key 0
cdef u64 PROMOTED_KEYS[64]
cdef u64 TURN_KEY

cdef u64 castling_key(u64 rooks) noexcept nogil
cdef u64 key_from_scratch(const State* s) noexcept nogil
