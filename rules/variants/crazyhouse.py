"""Crazyhouse: a captured man changes sides and goes to the capturer's pocket, to be dropped later instead of a move.

A man may be dropped on any empty square, pawns not on the first or the last rank; a drop may give check or mate, or
parry a check.  A man that promoted goes to the pocket as a pawn.  It is mate only if no drop helps.  There is no
rule of quiet moves, no dead material, and captures can be undone by drops: only lost castling rights end the
repetition history.  Source: Lichess's rules.
"""

import cython


class Crazyhouse(Variant):
    """Crazyhouse."""

    key = "crazyhouse"
    name = "Crazyhouse"
    short = "Crazy"
    uci_name = "crazyhouse"
    perf_key = "crazyhouse"
    pgn_name = "Crazyhouse"
    start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"

    def __cinit__(self):
        self.has_pocket = True

    def generate(self, s, what, out):
        start: cython.pointer(Move) = out
        if what == THREATS:
            out += keep_threats(self, s, out, Variant.generate(self, s, QUIET, out))
            return cython.cast(cython.int, _add_drops(s, out, True) - start)
        out += Variant.generate(self, s, what, out)
        if what != NOISY:
            out = _add_drops(s, out, False)
        return cython.cast(cython.int, out - start)

    def play(self, s, m, after):
        us: cython.int = s.turn
        if kind_of(m) == DROP:
            _play_drop(s, m, after)
            return
        Variant.play(self, s, m, after)
        after.reversible_plies = s.reversible_plies + 1 if after.castling == s.castling else 0
        if kind_of(m) == EN_PASSANT:
            _change_pocket(after, us, PAWN, 1)
        elif kind_of(m) != CASTLE:
            _settle_promoted(s, m, after)

    def pseudo_legal(self, s, m):
        if kind_of(m) != DROP:
            return Variant.pseudo_legal(self, s, m)
        if origin_of(m) != target_of(m) or promotion_of(m) or role_of(m) >= KING or not s.pocket[s.turn][role_of(m)]:
            return False
        return (_drop_squares(s, role_of(m)) & bit(target_of(m))) != 0

    def captured(self, s, m):
        return 0 if kind_of(m) == DROP else Variant.captured(self, s, m)

    def may_pass(self, s):
        role: cython.int
        for role in range(KNIGHT, KING):
            if s.pocket[s.turn][role]:
                return True
        return Variant.may_pass(self, s)

    def can_win(self, s, color):
        return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _drop_squares(s: cython.pointer(cython.const[State]), role: cython.int) -> u64:
    empty: u64 = ~occupied_of(s)
    return empty & ~(rank_mask(0) | rank_mask(7)) if role == PAWN else empty


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_drops(
    s: cython.pointer(cython.const[State]), out: cython.pointer(Move), checks: cython.bint
) -> cython.pointer(Move):
    """Lawful drops: anywhere, or between the king and a lone checker; perhaps only those that give check."""
    us: cython.int = s.turn
    foe: cython.int = king_square(s, us ^ 1)
    king: cython.int = king_square(s, us)
    checkers: u64 = attackers(s, king, occupied_of(s), us ^ 1)
    open_squares: u64 = BETWEEN[king][lsb(checkers)] if checkers else ~cython.cast(u64, 0)
    role: cython.int
    targets: u64
    if checkers & (checkers - 1):
        return out
    for role in range(PAWN, KING):
        if s.pocket[us][role]:
            targets = _drop_squares(s, role) & open_squares
            if checks:
                targets &= attacks_from(role, us ^ 1, foe, occupied_of(s))
            while targets:
                out[0] = make_move(role, lsb(targets), lsb(targets), DROP, 0)
                out += 1
                targets &= targets - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _change_pocket(s: cython.pointer(State), color: cython.int, role: cython.int, change: cython.int) -> cython.void:
    count: cython.int = s.pocket[color][role]
    s.pocket[color][role] = count + change
    s.key ^= POCKET_KEYS[color][role][count & 31] ^ POCKET_KEYS[color][role][(count + change) & 31]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _play_drop(s: cython.pointer(cython.const[State]), m: Move, after: cython.pointer(State)) -> cython.void:
    us: cython.int = s.turn
    after[0] = s[0]
    if after.ep != NO_SQUARE:
        after.key ^= EP_KEYS[after.ep]
        after.ep = NO_SQUARE
    put(after, us, role_of(m), target_of(m))
    _change_pocket(after, us, role_of(m), -1)
    after.halfmoves += 1
    after.reversible_plies += 1
    after.turn = us ^ 1
    after.key ^= TURN_KEY
    after.fullmove += us


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle_promoted(s: cython.pointer(cython.const[State]), m: Move, after: cython.pointer(State)) -> cython.void:
    """Puts the captured man in the pocket, and keeps the marks of promoted men with the men."""
    us: cython.int = s.turn
    origin: u64 = bit(origin_of(m))
    target: u64 = bit(target_of(m))
    if s.colors[us ^ 1] & target:
        _change_pocket(after, us, PAWN if s.promoted & target else role_at(s, target_of(m)), 1)
        _mark(after, target, False)
    if s.promoted & origin or promotion_of(m):
        _mark(after, origin, False)
        _mark(after, target, True)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark(s: cython.pointer(State), square: u64, promoted: cython.bint) -> cython.void:
    if promoted != ((s.promoted & square) != 0):
        s.promoted ^= square
        s.key ^= PROMOTED_KEYS[lsb(square)]
