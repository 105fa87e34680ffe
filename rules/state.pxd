# The plain, copyable state of a game, and the move code.  Roles: pawn 0 ... king 5.  Colors: white 0, black 1.
from rules.bitboard cimport u64, bit, lsb

ctypedef unsigned int Move

cdef enum:
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    NO_ROLE = 6
    WHITE = 0
    BLACK = 1
    NO_SQUARE = 64
    MAX_MOVES = 2048    # more than any board the validator lets through can have
    # kinds of move
    NORMAL = 0
    DOUBLE_PUSH = 1
    EN_PASSANT = 2
    CASTLE = 3          # target is the square of the castling rook
    DROP = 4            # origin = target
    SHIFT = 5           # Spark: a pawn moves to an empty square guarded twice
    SWAP = 6            # Spark: a pawn and a piece exchange squares
    # what to generate
    ALL = 0
    NOISY = 1           # captures and promotions; what quiescence looks at
    QUIET = 2           # the rest: noisy and quiet together are all
    EVASIONS = 3        # moves worth a look while the king is attacked (a superset of what parries)
    THREATS = 4         # quiet moves that attack the enemy king (a game may leave some out)

cdef struct State:
    u64 roles[6]                # men of both colors, by role
    u64 colors[2]
    u64 key                     # Zobrist key: placement, turn, castling, en passant, pockets, checks
    u64 castling                # squares of the rooks that may still castle
    u64 promoted                # men that became what they are by promotion (games with a pocket)
    unsigned char pocket[2][6]  # men in hand, by color and role
    unsigned char checks[2]     # checks given so far, by color (games that count them)
    unsigned char turn
    unsigned char ep            # en-passant target, set only when a legal capture exists; else NO_SQUARE
    unsigned short halfmoves    # quiet plies as FEN counts them
    unsigned short fullmove
    unsigned short reversible_plies     # plies since a move that no later move can undo: the repetition window
    unsigned short spare

cdef inline Move make_move(int role, int origin, int target, int kind, int promotion) noexcept nogil:
    return <Move>(origin | target << 6 | promotion << 12 | kind << 15 | role << 18)

cdef inline int origin_of(Move m) noexcept nogil:
    return m & 63

cdef inline int target_of(Move m) noexcept nogil:
    return (m >> 6) & 63

cdef inline int promotion_of(Move m) noexcept nogil:
    # 0 (the pawn) means none
    return (m >> 12) & 7

cdef inline int kind_of(Move m) noexcept nogil:
    return (m >> 15) & 7

cdef inline int role_of(Move m) noexcept nogil:
    # the role of the man that moves (before a promotion)
    return (m >> 18) & 7

cdef inline u64 occupied_of(const State* s) noexcept nogil:
    return s.colors[0] | s.colors[1]

cdef inline int role_at(const State* s, int square) noexcept nogil:
    # NO_ROLE on an empty square
    cdef u64 b = bit(square)
    if not ((s.colors[0] | s.colors[1]) & b):
        return NO_ROLE
    if s.roles[PAWN] & b:
        return PAWN
    if s.roles[KNIGHT] & b:
        return KNIGHT
    if s.roles[BISHOP] & b:
        return BISHOP
    if s.roles[ROOK] & b:
        return ROOK
    if s.roles[QUEEN] & b:
        return QUEEN
    return KING

cdef inline int king_square(const State* s, int color) noexcept nogil:
    cdef u64 kings = s.roles[KING] & s.colors[color]
    return lsb(kings) if kings else NO_SQUARE
