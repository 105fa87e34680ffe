"""Horde: White's horde of pawns, without a king, against Black's usual army.

White wins by mate, Black by taking every white man.  White pawns on the first rank may step two squares as well;
that leaves no en-passant target, and a pawn that came from there to the second rank may step two squares once more.
Stalemate is a draw.  Black can always win; White cannot with too little left to mate even a king that its own men
hem in (a table of small armies), and neither can when the horde stands in a fortress: no white man could move even
if the black king made way.  Source: Lichess's rules.
"""

import cython


class Horde(Variant):
    """Horde."""

    key = "horde"
    name = "Horde"
    short = "Horde"
    uci_name = "horde"
    perf_key = "horde"
    pgn_name = "Horde"
    start_fen = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
    kings = ((0, 0), (1, 1))
    pawns_on_first_rank = (True, False)

    def generate(self, s, what, out):
        start: cython.pointer(Move) = out
        if s.turn == BLACK:
            return Variant.generate(self, s, what, out)
        if what == THREATS:
            return keep_threats(self, s, out, self.generate(s, QUIET, out))
        return cython.cast(cython.int, _add_horde_moves(s, out, what) - start)

    def is_lawful(self, after):
        return after.turn == BLACK or Variant.is_lawful(self, after)

    def pseudo_legal(self, s, m):
        origin: cython.int = origin_of(m)
        if s.turn == WHITE and origin < 8 and role_of(m) == PAWN and target_of(m) == origin + 16:
            if kind_of(m) != NORMAL or promotion_of(m) or not s.roles[PAWN] & s.colors[WHITE] & bit(origin):
                return False
            return not (bit(origin + 8) | bit(origin + 16)) & occupied_of(s)
        return Variant.pseudo_legal(self, s, m)

    def decided(self, s):
        if not s.colors[WHITE]:
            return ending(LOST if s.turn == WHITE else WON, BY_HORDE_DESTROYED)
        return UNDECIDED

    def may_pass(self, s):
        return s.turn == BLACK and Variant.may_pass(self, s)

    def can_win(self, s, color):
        if not s.colors[WHITE] or _is_fortress(s):
            return color == BLACK and not s.colors[WHITE]
        return color == BLACK or _horde_can_mate(s)

    def ep_capture_exists(self, s, square):
        if s.turn == BLACK:
            return Variant.ep_capture_exists(self, s, square)
        return (PAWN_ATTACKS[BLACK][square] & s.roles[PAWN] & s.colors[WHITE]) != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_horde_moves(
    s: cython.pointer(cython.const[State]), out: cython.pointer(Move), what: cython.int
) -> cython.pointer(Move):
    """White's moves: with no king, nothing pins and nothing checks."""
    pawns: u64 = s.roles[PAWN] & s.colors[WHITE]
    empty: u64 = ~occupied_of(s)
    first: u64 = pawns & rank_mask(0)
    if what != QUIET:
        out = add_pieces(s, out, WHITE, ~cython.cast(u64, 0), s.colors[BLACK])
        out = add_pawn_captures(out, WHITE, pawns, s.colors[BLACK])
        out = add_pawn_pushes(out, WHITE, pawns, empty, rank_mask(7))
        if s.ep != NO_SQUARE:
            first = pawns & PAWN_ATTACKS[BLACK][s.ep]
            while first:
                out[0] = make_move(PAWN, lsb(first), s.ep, EN_PASSANT, 0)
                out += 1
                first &= first - 1
    if what != NOISY:
        out = add_pieces(s, out, WHITE, ~cython.cast(u64, 0), empty)
        out = add_pawn_pushes(out, WHITE, pawns, empty, ~rank_mask(7))
        out = add_double_pushes(out, WHITE, pawns, empty, empty)
        first = (pawns & rank_mask(0)) << 8 & empty
        first = first << 8 & empty
        while first:
            out[0] = make_move(PAWN, lsb(first) - 16, lsb(first), NORMAL, 0)
            out += 1
            first &= first - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_fortress(s: cython.pointer(cython.const[State])) -> cython.bint:
    """Whether White has nothing but pawns, each with a pawn before it; a lone pawn under attack is none."""
    horde: u64 = s.colors[WHITE]
    if horde & ~s.roles[PAWN] or horde << 8 & ~s.roles[PAWN]:
        return False
    return horde & (horde - 1) != 0 or not is_attacked(s, lsb(horde), occupied_of(s), BLACK)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count(s: cython.pointer(cython.const[State]), color: cython.int, role: cython.int) -> cython.int:
    return popcount(s.roles[role] & s.colors[color])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _horde_can_mate(s: cython.pointer(cython.const[State])) -> cython.bint:
    """Whether White's men can mate a king that Black's own men may hem in; a third bishop of one color adds nothing."""
    horde: u64 = s.colors[WHITE]
    dark: cython.int = popcount(s.roles[BISHOP] & horde & DARK_SQUARES)
    light: cython.int = popcount(s.roles[BISHOP] & horde & ~DARK_SQUARES)
    knights: cython.int = _count(s, WHITE, KNIGHT)
    rooks: cython.int = _count(s, WHITE, ROOK)
    strong: cython.int = _count(s, WHITE, PAWN) + _count(s, WHITE, QUEEN)
    men: cython.int = strong + knights + rooks + (dark if dark < 2 else 2) + (light if light < 2 else 2)
    black: cython.int = popcount(s.colors[BLACK])
    same: cython.int = popcount(s.roles[BISHOP] & s.colors[BLACK] & (~DARK_SQUARES if light else DARK_SQUARES))
    if men == 1:
        return black > 1 and _lone_man_can_mate(s, light > 0)
    if men >= 4 or strong:
        return men > 0
    if rooks:
        # Only a rook with a bishop fails, when Black has nothing but its king and bishops of that color.
        return not (men == 2 and rooks == 1 and dark + light == 1 and black - same == 1)
    if men == 3:
        return knights == 3 or (knights == 2 and dark + light == 1) or (dark > 0 and light > 0) or black > 1
    return black > 1 and _two_minors_can_mate(s, knights, dark > 0 and light > 0, light > 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _lone_man_can_mate(s: cython.pointer(cython.const[State]), on_light: cython.bint) -> cython.bint:
    pawns: cython.int = _count(s, BLACK, PAWN)
    rooks: cython.int = _count(s, BLACK, ROOK)
    knights: cython.int = _count(s, BLACK, KNIGHT)
    other: cython.int = popcount(s.roles[BISHOP] & s.colors[BLACK] & (DARK_SQUARES if on_light else ~DARK_SQUARES))
    if s.roles[QUEEN] & s.colors[WHITE]:
        return _queen_can_mate(s)
    if s.roles[PAWN] & s.colors[WHITE]:
        return _queen_can_mate(s) or _knight_can_mate(s)
    if s.roles[ROOK] & s.colors[WHITE]:
        return pawns >= 2 or (rooks >= 1) + (pawns >= 1) + (knights >= 1) >= 2
    if s.roles[BISHOP] & s.colors[WHITE]:
        return other >= 2 or pawns >= 2 or (other >= 1 and pawns >= 1)
    return _knight_can_mate(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _queen_can_mate(s: cython.pointer(cython.const[State])) -> cython.bint:
    """A queen mates in the corner beside a pawn or a rook, or two bishops of one color."""
    bishops: u64 = s.roles[BISHOP] & s.colors[BLACK]
    if s.colors[BLACK] & (s.roles[PAWN] | s.roles[ROOK]):
        return True
    return popcount(bishops & DARK_SQUARES) >= 2 or popcount(bishops & ~DARK_SQUARES) >= 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _knight_can_mate(s: cython.pointer(cython.const[State])) -> cython.bint:
    """A knight smothers a king between three of its men, of kinds that can stand so."""
    pawns: cython.int = _count(s, BLACK, PAWN)
    rooks: cython.int = _count(s, BLACK, ROOK)
    knights: cython.int = _count(s, BLACK, KNIGHT)
    bishops: cython.int = _count(s, BLACK, BISHOP)
    dark: cython.int = popcount(s.roles[BISHOP] & s.colors[BLACK] & DARK_SQUARES)
    black: cython.int = popcount(s.colors[BLACK])
    kinds: cython.int = (rooks > 0) + (knights > 0) + (bishops > 0) + (pawns > 0)
    if black < 4 or (dark >= 2 and black - dark < 3) or (bishops - dark >= 2 and black - bishops + dark < 3):
        return False
    return knights >= 2 or pawns >= 2 or kinds >= 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _two_minors_can_mate(
    s: cython.pointer(cython.const[State]), knights: cython.int, pair: cython.bint, on_light: cython.bint
) -> cython.bint:
    pawns: cython.int = _count(s, BLACK, PAWN)
    bishops: cython.int = _count(s, BLACK, BISHOP)
    helpers: cython.int = _count(s, BLACK, KNIGHT)
    majors: cython.int = _count(s, BLACK, ROOK) + _count(s, BLACK, QUEEN)
    other: cython.int = popcount(s.roles[BISHOP] & s.colors[BLACK] & (DARK_SQUARES if on_light else ~DARK_SQUARES))
    if knights == 2:
        return pawns + bishops + helpers >= 1
    if pair:
        return pawns >= 1 or bishops >= 1 or (helpers >= 1 and majors >= 1)
    if knights == 1:
        return pawns >= 1 or other >= 1 or popcount(s.colors[BLACK]) - (bishops - other) >= 3
    # Bishops of one color: the squares of the other color must be blocked by two men that can stand there.
    return pawns >= 2 or other >= 2 or helpers >= 2 or (pawns >= 1) + (other >= 1) + (helpers >= 1) >= 2
