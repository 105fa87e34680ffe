"""Antichess: who has lost all its men, or cannot move, wins; who can capture must.

The king is a man like any other: there is no check, and pawns promote to king as well.  There is no castling.
A position is dead when each side's bishops keep to squares of the other's color, and no pawn can move or be captured;
with a knight each, whose turn it is decides who can never be captured.  Source: Lichess's rules.
"""

import cython


class Antichess(Variant):
    """Antichess."""

    key = "antichess"
    name = "Antichess"
    short = "Anti"
    uci_name = "antichess"
    perf_key = "antichess"
    pgn_name = "Antichess"
    tablebase_suffix = "antichess"
    start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    kings = ((0, 64), (0, 64))

    def __cinit__(self):
        self.has_check = False
        self.has_castling = False

    def generate(self, s, what, out):
        us: cython.int = s.turn
        start: cython.pointer(Move) = out
        pawns: u64 = s.roles[PAWN] & s.colors[us]
        empty: u64 = ~occupied_of(s)
        ends: u64 = rank_mask(0) | rank_mask(7)
        if what == THREATS:
            return 0
        if what != QUIET:
            out = _add_captures(s, out)
            if out != start:
                return cython.cast(cython.int, out - start)
            out = _widen_promotions(add_pawn_pushes(out, us, pawns, empty, ends), out)
            if what == NOISY:
                return cython.cast(cython.int, out - start)
        elif _can_capture(s):
            return 0
        out = _add_men(s, out, empty)
        out = add_pawn_pushes(out, us, pawns, empty, ~ends)
        out = add_double_pushes(out, us, pawns, empty, empty)
        return cython.cast(cython.int, out - start)

    def is_lawful(self, after):
        return True

    def pseudo_legal(self, s, m):
        promotion: cython.int = promotion_of(m)
        if kind_of(m) == CASTLE:
            return False
        if promotion == KING:
            m = make_move(role_of(m), origin_of(m), target_of(m), kind_of(m), QUEEN)
        if not Variant.pseudo_legal(self, s, m):
            return False
        return Variant.captured(self, s, m) != 0 or not _can_capture(s)

    def decided(self, s):
        if not s.colors[s.turn]:
            return ending(WON, BY_ALL_LOST)
        return UNDECIDED

    def without_moves(self, s):
        return ending(WON, BY_STALEMATE)

    def checkers(self, s):
        return 0

    def pressing(self, s):
        """Men that may be captured, so that one of them must be."""
        moves: Move[MAX_MOVES]
        end: cython.pointer(Move) = _add_captures(s, moves)
        at: cython.pointer(Move) = moves
        men: u64 = 0
        while at != end:
            men |= self.captured(s, at[0])
            at += 1
        return men

    def aim(self, s, aims):
        memset(aims, 0, cython.sizeof(Aims))

    def attacks_king(self, s, aims, m):
        return False

    def may_pass(self, s):
        """Never: a move too many is what loses here."""
        return False

    def exchange_at_least(self, s, m, threshold):
        """Material has no fixed sign here, so no capture is ruled out by it."""
        return True

    def can_win(self, s, color):
        occupied: u64 = occupied_of(s)
        knights: u64 = s.roles[KNIGHT]
        parity: cython.int
        if not s.colors[color]:
            return True
        if not s.colors[color ^ 1]:
            return False
        if occupied == knights and popcount(knights) == 2 and s.colors[WHITE] & knights and s.colors[BLACK] & knights:
            # A knight changes the color of its square with each move: only one side can ever come to capture.
            parity = color ^ (s.colors[WHITE] & ~DARK_SQUARES != 0) ^ (s.colors[BLACK] & DARK_SQUARES != 0)
            return s.turn != parity
        return not _is_dead(s)

    def ep_capture_exists(self, s, square):
        return (PAWN_ATTACKS[s.turn ^ 1][square] & s.roles[PAWN] & s.colors[s.turn]) != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _can_capture(s: cython.pointer(cython.const[State])) -> cython.bint:
    moves: Move[MAX_MOVES]
    return _add_captures(s, moves) != cython.cast(cython.pointer(Move), moves)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_men(
    s: cython.pointer(cython.const[State]), out: cython.pointer(Move), targets: u64
) -> cython.pointer(Move):
    """Moves of all men but pawns; there may be any number of kings."""
    kings: u64 = s.roles[KING] & s.colors[s.turn]
    while kings:
        out = add_targets(out, KING, lsb(kings), KING_ATTACKS[lsb(kings)] & targets)
        kings &= kings - 1
    return add_pieces(s, out, s.turn, ~cython.cast(u64, 0), targets)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_captures(s: cython.pointer(cython.const[State]), out: cython.pointer(Move)) -> cython.pointer(Move):
    us: cython.int = s.turn
    pawns: u64 = s.roles[PAWN] & s.colors[us]
    out = _add_men(s, out, s.colors[us ^ 1])
    out = _widen_promotions(add_pawn_captures(out, us, pawns, s.colors[us ^ 1]), out)
    if s.ep != NO_SQUARE:
        pawns &= PAWN_ATTACKS[us ^ 1][s.ep]
        while pawns:
            out[0] = make_move(PAWN, lsb(pawns), s.ep, EN_PASSANT, 0)
            out += 1
            pawns &= pawns - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _widen_promotions(end: cython.pointer(Move), first: cython.pointer(Move)) -> cython.pointer(Move):
    """Adds the promotion to king beside each promotion to queen from `first` to `end`; returns the new end."""
    last: cython.pointer(Move) = end
    while first != last:
        if promotion_of(first[0]) == QUEEN:
            end[0] = make_move(PAWN, origin_of(first[0]), target_of(first[0]), NORMAL, KING)
            end += 1
        first += 1
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_dead(s: cython.pointer(cython.const[State])) -> cython.bint:
    """Whether only bishops of opposite colors and pawns are left, and no pawn can move or ever be captured."""
    bishops: u64 = s.roles[BISHOP]
    white: u64 = bishops & s.colors[WHITE]
    black: u64 = bishops & s.colors[BLACK]
    white_pawns: u64 = s.roles[PAWN] & s.colors[WHITE]
    black_pawns: u64 = s.roles[PAWN] & s.colors[BLACK]
    reach: u64 = DARK_SQUARES if white & DARK_SQUARES else ~DARK_SQUARES
    if occupied_of(s) != bishops | s.roles[PAWN] or not white or not black or s.ep != NO_SQUARE:
        return False
    if white & ~reach or black & reach or black_pawns & reach or white_pawns & ~reach:
        return False
    if white_pawns << 8 & ~s.roles[PAWN] or black_pawns >> 8 & ~s.roles[PAWN]:
        return False
    if pawn_attacks_of(white_pawns, WHITE) & s.colors[BLACK]:
        return False
    return not pawn_attacks_of(black_pawns, BLACK) & s.colors[WHITE]
