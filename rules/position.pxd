from rules.bitboard cimport bit, lsb, u64
from rules.movegen cimport attackers as attackers_of, put
from rules.perft cimport count_leaves
from rules.state cimport (
    ALL, KING, MAX_MOVES, NO_ROLE, NO_SQUARE, PAWN, WHITE, Move, State, king_square, occupied_of, origin_of, role_at,
)
from rules.variant cimport DRAWN, LOST, UNDECIDED, WON, Aims, Variant
from rules.zobrist cimport key_from_scratch as fresh_key

cdef class Position:
    cdef readonly Variant variant
    cdef State state
