# How a position is packed into a record of fixed length, and read back.
from libc.string cimport memcpy, memset
from rules.bitboard cimport bit, lsb, popcount, u64
from rules.movegen cimport put
from rules.position cimport Position
from rules.state cimport BLACK, NO_SQUARE, ROOK, WHITE, State, king_square, occupied_of, role_at
from rules.variant cimport Variant
from rules.zobrist cimport key_from_scratch
from bot.search.evaluation.features cimport Features, mark_features

cdef enum:
    # offsets in a record; numbers are little-endian
    OCCUPANCY = 0       # 8 bytes
    SCORE = 8           # 2, signed
    PLY = 10            # 2
    GAME = 12           # 4
    RESULT = 16
    FLAGS = 17
    EP = 18
    HALFMOVES = 19
    MEN = 20            # a nibble for each man in the order of the squares, the lower one first
    MOST_BYTES = 64
    # nibbles: 0 ... 11 are the men by color and role
    CASTLING_ROOK = 12  # 12 White's, 13 Black's: a rook that may still castle
    # flags
    BLACK_TO_MOVE = 1

cdef class Layout:
    cdef readonly Variant variant
    cdef readonly int most_men
    cdef readonly int size              # of a record, in bytes
    cdef int checks_at                  # two bytes; 0: none
    cdef int pocket_at                  # ten bytes, by color and role, then eight of promoted men; 0: none
    cdef void write_state(self, const State* s, unsigned char* record) noexcept nogil
    cdef void read_state(self, const unsigned char* record, State* s) noexcept nogil

cdef inline void write_number(unsigned char* at, u64 number, int size) noexcept nogil:
    cdef int i
    for i in range(size):
        at[i] = <unsigned char>(number >> (8 * i))

cdef inline u64 read_number(const unsigned char* at, int size) noexcept nogil:
    cdef u64 number = 0
    cdef int i
    for i in range(size):
        number |= <u64>at[i] << (8 * i)
    return number
