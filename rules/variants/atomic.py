"""Atomic chess: every capture explodes.

The captured man, the capturing man and every man that is no pawn on the eight squares round the capture square
leave the board; en passant explodes where the capturing pawn lands, and takes the captured pawn as well.  A capture
that would explode the own king is illegal, so a king never captures.  Exploding the enemy king wins at once,
whatever checks stand.  Otherwise check, mate and stalemate are as in chess, save that kings side by side cannot be
in check: neither can be captured without the other.  Castling rights vanish with an exploded rook; a castling king
may cross squares beside the enemy king.  Source: Lichess's rules of atomic chess.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _blast(s: cython.pointer(cython.const[State]), m: Move) -> u64:
    """Squares of the men that a capture removes, the capturing man's own left out."""
    target: cython.int = target_of(m)
    near: u64 = KING_ATTACKS[target] & occupied_of(s) & ~s.roles[PAWN] & ~bit(origin_of(m))
    if kind_of(m) == EN_PASSANT:
        return near | bit(target - 8 if s.turn == WHITE else target + 8)
    return near | bit(target)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _captures(s: cython.pointer(cython.const[State]), m: Move) -> cython.bint:
    return kind_of(m) == EN_PASSANT or (kind_of(m) != CASTLE and (s.colors[s.turn ^ 1] & bit(target_of(m))) != 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _explode(s: cython.pointer(State), squares: u64) -> cython.void:
    """Takes men off the board, with the castling rights of rooks and kings among them."""
    square: cython.int
    color: cython.int
    lost: u64 = s.castling & squares
    while squares:
        square = lsb(squares)
        color = WHITE if s.colors[WHITE] & bit(square) else BLACK
        if s.roles[KING] & bit(square):
            lost |= s.castling & rank_mask(0 if color == WHITE else 7)
        remove(s, color, role_at(s, square), square)
        squares &= squares - 1
    s.castling &= ~lost
    s.key ^= castling_key(lost)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _kings_touch(s: cython.pointer(cython.const[State]), king: cython.int) -> cython.bint:
    return (KING_ATTACKS[king] & s.roles[KING]) != 0


class Atomic(Variant):
    """Atomic chess."""

    key = "atomic"
    name = "Atomic"
    short = "Atomic"
    uci_name = "atomic"
    perf_key = "atomic"
    pgn_name = "Atomic"
    tablebase_suffix = "atomic"
    kings = ((0, 1), (0, 1))

    def __cinit__(self):
        self.blasts = True

    def play(self, s, m, after):
        us: cython.int = s.turn
        blast: u64
        if not _captures(s, m):
            Variant.play(self, s, m, after)
            return
        blast = _blast(s, m) | bit(origin_of(m))
        after[0] = s[0]
        if after.ep != NO_SQUARE:
            after.key ^= EP_KEYS[after.ep]
            after.ep = NO_SQUARE
        _explode(after, blast)
        after.halfmoves = 0
        after.reversible_plies = 0
        after.turn = us ^ 1
        after.key ^= TURN_KEY
        after.fullmove += us

    def is_lawful(self, after):
        """The own king stands, and is unattacked unless the other king is gone or stands beside it."""
        king: cython.int = king_square(after, after.turn ^ 1)
        if king == NO_SQUARE:
            return False
        if not after.roles[KING] & after.colors[after.turn] or _kings_touch(after, king):
            return True
        return not is_attacked(after, king, occupied_of(after), after.turn)

    def generate(self, s, what, out):
        """Quiet moves are lawful by checkers and pins, while the kings stand apart; the rest is tried on the child."""
        us: cython.int = s.turn
        king: cython.int = king_square(s, us)
        start: cython.pointer(Move) = out
        if king == NO_SQUARE or not s.roles[KING] & s.colors[us ^ 1]:
            return 0
        if what == THREATS:
            return keep_threats(self, s, out, self.generate(s, QUIET, out))
        if what != QUIET:
            out = _add_explosions(self, s, out)
            out = _add_quiet(self, s, out, king, True)
        if what != NOISY:
            out = _add_quiet(self, s, out, king, False)
        return cython.cast(cython.int, out - start)

    def pseudo_legal(self, s, m):
        moves: Move[2]
        end: cython.pointer(Move)
        count: cython.int
        i: cython.int
        if kind_of(m) == CASTLE:
            if role_of(m) != KING or not s.roles[KING] & s.colors[s.turn] & bit(origin_of(m)) or self.checkers(s):
                return False
            end = add_castling(s, moves, _enemy_zone(s))
            count = cython.cast(cython.int, end - cython.cast(cython.pointer(Move), moves))
            for i in range(count):
                if moves[i] == m:
                    return True
            return False
        if role_of(m) == KING and _captures(s, m):
            return False
        return Variant.pseudo_legal(self, s, m)

    def decided(self, s):
        if not s.roles[KING] & s.colors[s.turn]:
            return ending(LOST, BY_KING_EXPLODED)
        return UNDECIDED

    def checkers(self, s):
        king: cython.int = king_square(s, s.turn)
        if king == NO_SQUARE or _kings_touch(s, king):
            return 0
        return attackers(s, king, occupied_of(s), s.turn ^ 1)

    def aim(self, s, aims):
        """A king beside the other attacks nothing, and keeps others from doing so."""
        king: cython.int = king_square(s, s.turn ^ 1)
        aim_at(s, king, aims)
        aims.squares[KING] = 0
        if king != NO_SQUARE and _kings_touch(s, king):
            aims.screens = s.colors[s.turn]

    def attacks_king(self, s, aims, m):
        return attacks_king_once_played(self, s, m) if _captures(s, m) else Variant.attacks_king(self, s, aims, m)

    def captured(self, s, m):
        return _blast(s, m) if _captures(s, m) else 0

    def threatens_win(self, s):
        """Whether a man that is no king can capture the enemy king, or a man beside it and not beside the own."""
        us: cython.int = s.turn
        enemy: cython.int = king_square(s, us ^ 1)
        king: cython.int = king_square(s, us)
        centres: u64
        if enemy == NO_SQUARE or king == NO_SQUARE:
            return False
        centres = (KING_ATTACKS[enemy] | bit(enemy)) & s.colors[us ^ 1] & ~KING_ATTACKS[king]
        while centres:
            if attackers(s, lsb(centres), occupied_of(s), us) & ~bit(king):
                return True
            centres &= centres - 1
        return False

    def exchange_at_least(self, s, m, threshold):
        """A capture ends its own exchange: the blast is what is won and lost.  Quiet moves exchange nothing."""
        us: cython.int = s.turn
        blast: u64
        balance: cython.int = 0
        role: cython.int
        if not _captures(s, m):
            return threshold <= 0
        blast = _blast(s, m)
        if blast & s.roles[KING] & s.colors[us ^ 1]:
            return True
        for role in range(PAWN, KING):
            balance += see_value(role) * popcount(blast & s.roles[role] & s.colors[us ^ 1])
            balance -= see_value(role) * popcount(blast & s.roles[role] & s.colors[us])
        return balance - see_value(role_of(m)) >= threshold

    def can_win(self, s, color):
        """A side with more than its king can, as long as the position is not dead for both."""
        if not s.roles[KING] & s.colors[color ^ 1]:
            return True
        return (s.colors[color] & ~s.roles[KING]) != 0 and not _is_dead(s)

    def ep_capture_exists(self, s, square):
        pawns: u64 = PAWN_ATTACKS[s.turn ^ 1][square] & s.roles[PAWN] & s.colors[s.turn]
        after: State
        while pawns:
            self.play(s, make_move(PAWN, lsb(pawns), square, EN_PASSANT, 0), cython.address(after))
            if self.is_lawful(cython.address(after)):
                return True
            pawns &= pawns - 1
        return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_dead(s: cython.pointer(cython.const[State])) -> cython.bint:
    """Whether nobody can win: Lichess's table of small endings, or a closed position."""
    occupied: u64 = occupied_of(s)
    bishops: u64 = s.roles[BISHOP]
    men: cython.int = popcount(occupied)
    if popcount(s.colors[WHITE]) >= 2 and popcount(s.colors[BLACK]) >= 2:
        # A bishop each, on squares of different color: they never meet.
        if occupied == bishops | s.roles[KING] and men == 4 and bishops & DARK_SQUARES and bishops & ~DARK_SQUARES:
            return True
    elif occupied == s.roles[KNIGHT] | s.roles[KING]:
        return men <= 4
    elif men <= 3 and not s.roles[QUEEN] | s.roles[PAWN]:
        return True
    return _is_closed(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_closed(s: cython.pointer(cython.const[State])) -> cython.bint:
    """Whether all men are kings, pawns that block each other, and bishops of one side that find nothing to capture."""
    pawns: u64 = s.roles[PAWN]
    bishops: u64 = s.roles[BISHOP]
    white: u64 = pawns & s.colors[WHITE]
    black: u64 = pawns & s.colors[BLACK]
    owner: cython.int
    reach: u64
    if occupied_of(s) != pawns | bishops | s.roles[KING] or s.ep != NO_SQUARE:
        return False
    if white << 8 & ~pawns or black >> 8 & ~pawns:
        return False
    if pawn_attacks_of(white, WHITE) & s.colors[BLACK] or pawn_attacks_of(black, BLACK) & s.colors[WHITE]:
        return False
    if not bishops:
        return True
    owner = WHITE if bishops & s.colors[WHITE] else BLACK
    reach = DARK_SQUARES if bishops & DARK_SQUARES else ~DARK_SQUARES
    return not bishops & ~(s.colors[owner] & reach) and not pawns & s.colors[owner ^ 1] & reach


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _enemy_zone(s: cython.pointer(cython.const[State])) -> u64:
    """Squares beside the enemy king, on which the own king is never in check."""
    return KING_ATTACKS[king_square(s, s.turn ^ 1)]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_explosions(
    atomic: Atomic, s: cython.pointer(cython.const[State]), out: cython.pointer(Move)
) -> cython.pointer(Move):
    """Captures, each played to see what its blast leaves."""
    us: cython.int = s.turn
    moves: Move[MAX_MOVES]
    end: cython.pointer(Move) = moves
    after: State
    i: cython.int
    pawns: u64 = s.roles[PAWN] & s.colors[us]
    # A capture beside the own king explodes it.
    targets: u64 = s.colors[us ^ 1] & ~KING_ATTACKS[king_square(s, us)]
    end = add_pieces(s, end, us, ~cython.cast(u64, 0), targets)
    end = add_pawn_captures(end, us, pawns, targets)
    if s.ep != NO_SQUARE:
        pawns &= PAWN_ATTACKS[us ^ 1][s.ep]
        while pawns:
            end[0] = make_move(PAWN, lsb(pawns), s.ep, EN_PASSANT, 0)
            end += 1
            pawns &= pawns - 1
    for i in range(cython.cast(cython.int, end - cython.cast(cython.pointer(Move), moves))):
        atomic.play(s, moves[i], cython.address(after))
        if atomic.is_lawful(cython.address(after)):
            out[0] = moves[i]
            out += 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_king_steps(
    atomic: Atomic, s: cython.pointer(cython.const[State]), out: cython.pointer(Move), king: cython.int
) -> cython.pointer(Move):
    """King moves: safe beside the enemy king, elsewhere where nothing attacks."""
    us: cython.int = s.turn
    behind: u64 = occupied_of(s) & ~bit(king)
    zone: u64 = _enemy_zone(s)
    steps: u64 = KING_ATTACKS[king] & ~occupied_of(s)
    while steps:
        if zone & steps & -steps or not is_attacked(s, lsb(steps), behind, us ^ 1):
            out[0] = make_move(KING, king, lsb(steps), NORMAL, 0)
            out += 1
        steps &= steps - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_quiet(
    atomic: Atomic,
    s: cython.pointer(cython.const[State]),
    out: cython.pointer(Move),
    king: cython.int,
    promotions: cython.bint,
) -> cython.pointer(Move):
    """Moves that capture nothing: only promotions, or all but promotions."""
    us: cython.int = s.turn
    own: u64 = s.colors[us]
    empty: u64 = ~occupied_of(s)
    checkers: u64 = atomic.checkers(s)
    shields: u64 = 0 if _kings_touch(s, king) else pinned(s, king, us)
    targets: u64 = empty
    square: cython.int
    if not promotions:
        out = _add_king_steps(atomic, s, out, king)
        if not checkers and s.castling & own:
            out = add_castling(s, out, _enemy_zone(s))
    if checkers & (checkers - 1):
        return out
    if checkers:
        targets &= BETWEEN[king][lsb(checkers)]
    out = _add_quiet_of(s, out, ~shields, targets, promotions)
    if not checkers:
        while shields:
            square = lsb(shields)
            out = _add_quiet_of(s, out, bit(square), targets & LINE[king][square], promotions)
            shields &= shields - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_quiet_of(
    s: cython.pointer(cython.const[State]),
    out: cython.pointer(Move),
    movers: u64,
    targets: u64,
    promotions: cython.bint,
) -> cython.pointer(Move):
    """Such moves of `movers`, the king left out, onto `targets`."""
    us: cython.int = s.turn
    empty: u64 = ~occupied_of(s)
    ends: u64 = rank_mask(0) | rank_mask(7)
    pawns: u64 = s.roles[PAWN] & s.colors[us] & movers
    if promotions:
        return add_pawn_pushes(out, us, pawns, empty, targets & ends)
    out = add_pieces(s, out, us, movers, targets)
    out = add_pawn_pushes(out, us, pawns, empty, targets & ~ends)
    return add_double_pushes(out, us, pawns, empty, targets)
