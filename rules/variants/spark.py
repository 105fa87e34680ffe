"""Spark Chess: no check, and pawns that jump to squares their side guards twice.  Rules by Aleksandr Solomachev.

The king may be attacked, and is captured to win; kings may stand side by side.  There is no castling, no double
step and no en passant; pieces otherwise move as in chess, pawns push one square and capture diagonally, and promote
on the last rank.  A Spark Move moves an own pawn to a square that two own pieces attack or defend: a *Shift* onto
an empty square, a *Swap* with the own piece that stands there.  It captures and promotes nothing; the pawn may land
on any rank but its last.  A side without a legal move draws, so does the first repetition, and two material endings
are drawn when nothing is left to capture at once.  Only captures and promotions end the repetition history: pawn
moves can be undone here.

Decision: the usual chess start.  Decision: a pair is at least two, pawns do not count, the king does, lines stop at
the first man.  Decision: a pawn that captures the king on its last rank promotes, one move a promotion piece.
Decision: attacks are counted before the move.  Decision: for a Swap the square guarded twice is the piece's, which
may be the king.  Decision: a Shift that equals a push is that push.  Decision: king captured, then material,
repetition, no moves.
"""

import cython

from rules import draws

# Where the bare king of a drawn ending must not stand: every edge square, and b2 g2 b7 g7.
BISHOP_DANGER = 0xFFC381818181C3FF
# a1-c1 f1-h1, a2 b2 g2 h2, a3 h3, and the same from the top.
KNIGHT_DANGER = 0xE7C381000081C3E7


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _guarded_twice(s: cython.pointer(cython.const[State]), color: cython.int) -> u64:
    """Squares that at least two pieces of this side attack or defend."""
    occupied: u64 = occupied_of(s)
    once: u64 = 0
    twice: u64 = 0
    role: cython.int
    men: u64
    reached: u64
    for role in range(KNIGHT, NO_ROLE):
        men = s.roles[role] & s.colors[color]
        while men:
            reached = attacks_from(role, color, lsb(men), occupied)
            twice |= once & reached
            once |= reached
            men &= men - 1
    return twice


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _landing_squares(s: cython.pointer(cython.const[State])) -> u64:
    """Squares to which the pawns of the side to move may be brought by Spark Moves, empty or held by an own piece."""
    us: cython.int = s.turn
    allowed: u64 = ~(s.colors[us ^ 1] | s.roles[PAWN] | rank_mask(7 if us == WHITE else 0))
    return _guarded_twice(s, us) & allowed


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _push(s: cython.pointer(cython.const[State]), pawn: cython.int) -> u64:
    """The empty square that the pawn may push to, if there is one: a Shift to it is that push."""
    return (bit(pawn) << 8 if s.turn == WHITE else bit(pawn) >> 8) & ~occupied_of(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_spark_moves(s: cython.pointer(cython.const[State]), out: cython.pointer(Move)) -> cython.pointer(Move):
    us: cython.int = s.turn
    landing: u64 = _landing_squares(s)
    pawns: u64 = s.roles[PAWN] & s.colors[us]
    targets: u64
    pawn: cython.int
    while pawns:
        pawn = lsb(pawns)
        pawns &= pawns - 1
        targets = landing & ~_push(s, pawn)
        while targets:
            out[0] = make_move(PAWN, pawn, lsb(targets), SWAP if s.colors[us] & bit(lsb(targets)) else SHIFT, 0)
            out += 1
            targets &= targets - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _keep_evasions(
    s: cython.pointer(cython.const[State]), moves: cython.pointer(Move), count: cython.int
) -> cython.int:
    """Keeps king moves, captures, and moves onto the line of a lone attacker: nothing else saves an attacked king."""
    us: cython.int = s.turn
    king: cython.int = king_square(s, us)
    foes: u64 = attackers(s, king, occupied_of(s), us ^ 1)
    onto: u64 = s.colors[us ^ 1]
    kept: cython.int = 0
    i: cython.int
    if foes and not foes & (foes - 1):
        onto |= BETWEEN[king][lsb(foes)]
    for i in range(count):
        if origin_of(moves[i]) == king or target_of(moves[i]) == king or onto & bit(target_of(moves[i])):
            moves[kept] = moves[i]
            kept += 1
    return kept


class Spark(Variant):
    """Spark Chess, played on our own hosts only."""

    key = "spark"
    name = "Spark Chess"
    short = "Spark"
    uci_name = "spark"
    perf_key = "spark"
    pgn_name = "Spark"
    start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    pawns_on_first_rank = (True, True)
    has_en_passant = False
    own_policy = draws.SPARK
    lichess = False

    def __cinit__(self):
        self.has_check = False
        self.has_castling = False
        self.repeats_pawn_moves = True

    def generate(self, s, what, out):
        us: cython.int = s.turn
        start: cython.pointer(Move) = out
        king: cython.int = king_square(s, us)
        empty: u64 = ~occupied_of(s)
        pawns: u64 = s.roles[PAWN] & s.colors[us]
        ends: u64 = rank_mask(0) | rank_mask(7)
        targets: u64 = ~s.colors[us]
        if king == NO_SQUARE:
            return 0
        if what == THREATS:
            return keep_threats(self, s, out, self.generate(s, QUIET, out))
        if what == EVASIONS:
            return _keep_evasions(s, out, self.generate(s, ALL, out))
        if what == NOISY:
            targets = s.colors[us ^ 1]
        elif what == QUIET:
            targets = empty
        out = add_targets(out, KING, king, KING_ATTACKS[king] & targets)
        out = add_pieces(s, out, us, ~cython.cast(u64, 0), targets)
        if what != QUIET:
            out = add_pawn_captures(out, us, pawns, s.colors[us ^ 1])
            out = add_pawn_pushes(out, us, pawns, empty, ends)
        if what != NOISY:
            out = add_pawn_pushes(out, us, pawns, empty, ~ends)
            out = _add_spark_moves(s, out)
        return cython.cast(cython.int, out - start)

    def play(self, s, m, after):
        """As in chess, but that pawn moves end no repetition: only captures and promotions do."""
        us: cython.int = s.turn
        swapped: cython.int = role_at(s, target_of(m))
        after[0] = s[0]
        after.halfmoves += 1
        if kind_of(m) == SWAP:
            remove(after, us, swapped, target_of(m))
        move_man(after, us, m)
        if kind_of(m) == SWAP:
            put(after, us, swapped, origin_of(m))
        if not promotion_of(m) and not s.colors[us ^ 1] & bit(target_of(m)):
            after.reversible_plies = s.reversible_plies + 1
        after.turn = us ^ 1
        after.key ^= TURN_KEY
        after.fullmove += us

    def is_lawful(self, after):
        return True

    def pseudo_legal(self, s, m):
        us: cython.int = s.turn
        origin: cython.int = origin_of(m)
        target: cython.int = target_of(m)
        if kind_of(m) == SHIFT or kind_of(m) == SWAP:
            if role_of(m) != PAWN or promotion_of(m) or not s.roles[PAWN] & s.colors[us] & bit(origin):
                return False
            if (kind_of(m) == SWAP) != ((s.colors[us] & bit(target)) != 0):
                return False
            return (_landing_squares(s) & ~_push(s, origin) & bit(target)) != 0
        return kind_of(m) == NORMAL and Variant.pseudo_legal(self, s, m)

    def decided(self, s):
        """A captured king, or one of the two material draws."""
        kings: u64 = s.roles[KING]
        occupied: u64 = occupied_of(s)
        minor: u64
        us: cython.int = s.turn
        if not kings & s.colors[us]:
            return ending(LOST, BY_KING_CAPTURED)
        if popcount(occupied) > 3 or s.roles[PAWN] | s.roles[ROOK] | s.roles[QUEEN]:
            return UNDECIDED
        if KING_ATTACKS[king_square(s, us)] & kings:
            return UNDECIDED
        minor = occupied & ~kings
        if not minor:
            return ending(DRAWN, BY_BARE_KINGS)
        return _minor_ending(s, minor)

    def without_moves(self, s):
        return ending(DRAWN, BY_NO_MOVES)

    def threatens_win(self, s):
        """Whether the side to move attacks the enemy king."""
        enemy: cython.int = king_square(s, s.turn ^ 1)
        return enemy != NO_SQUARE and is_attacked(s, enemy, occupied_of(s), s.turn)

    def exchange_at_least(self, s, m, threshold):
        if kind_of(m) == SWAP:
            return threshold <= 0
        return wins_exchange(s, m, threshold)

    def may_pass(self, s):
        """Never: in matches null moves lost here."""
        return False

    def can_win(self, s, color):
        """Always: even a bare king captures a king that comes beside it."""
        return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _minor_ending(s: cython.pointer(cython.const[State]), minor: u64) -> cython.int:
    """King and minor piece against a bare king, the kings apart: drawn when the bare king is safe from the edge."""
    owner: cython.int = WHITE if s.colors[WHITE] & minor else BLACK
    bare: u64 = s.roles[KING] & s.colors[owner ^ 1]
    role: cython.int = role_at(s, lsb(minor))
    if attacks_from(role, owner, lsb(minor), occupied_of(s)) & bare:
        return UNDECIDED
    if bare & (BISHOP_DANGER if role == BISHOP else KNIGHT_DANGER):
        return UNDECIDED
    return ending(DRAWN, BY_KING_AND_MINOR)
