"""Racing Kings: the first king on the eighth rank wins; no move may give check, nor leave the own king in check.

White moves first: when its king arrives, Black still has one move, and draws if its own king arrives with it.  If no
move does that the game is over at once.  There are no pawns, no castling, and no material is insufficient.
Source: Lichess's rules.
"""

import cython


class RacingKings(Variant):
    """Racing Kings."""

    key = "racingKings"
    name = "Racing Kings"
    short = "Racing"
    uci_name = "racingkings"
    perf_key = "racingKings"
    pgn_name = "Racing Kings"
    start_fen = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
    has_en_passant = False
    has_pawns = False
    may_check = False

    def __cinit__(self):
        self.has_castling = False

    def generate(self, s, what, out):
        """Moves that are lawful in chess, less those that give check."""
        count: cython.int = 0 if what == THREATS else Variant.generate(self, s, what, out)
        us: cython.int = s.turn
        enemy: cython.int = king_square(s, us ^ 1)
        occupied: u64 = occupied_of(s)
        sliders: u64 = bishop_attacks(enemy, 0) & (s.roles[BISHOP] | s.roles[QUEEN])
        sliders |= rook_attacks(enemy, 0) & (s.roles[ROOK] | s.roles[QUEEN])
        sliders &= s.colors[us]
        kept: cython.int = 0
        i: cython.int
        for i in range(count):
            if not _gives_check(out[i], us, enemy, occupied, sliders):
                out[kept] = out[i]
                kept += 1
        return kept

    def is_lawful(self, after):
        return Variant.is_lawful(self, after) and not self.checkers(after)

    def decided(self, s):
        goal: u64 = s.roles[KING] & rank_mask(7)
        if not goal:
            return UNDECIDED
        if goal & s.colors[WHITE] and goal & s.colors[BLACK]:
            return ending(DRAWN, BY_BOTH_RACED)
        if goal & s.colors[s.turn]:
            return ending(WON, BY_RACE)
        if s.turn == BLACK and self._reaches_goal(s):
            return UNDECIDED
        return ending(LOST, BY_RACE)

    def _reaches_goal(self, s):
        """Whether the side to move can bring its king to the eighth rank now."""
        moves: Move[MAX_MOVES]
        king: cython.int = king_square(s, s.turn)
        i: cython.int
        if not KING_ATTACKS[king] & rank_mask(7) & ~s.colors[s.turn]:
            return False
        for i in range(self.generate(s, ALL, moves)):
            if origin_of(moves[i]) == king and bit(target_of(moves[i])) & rank_mask(7):
                return True
        return False

    def threatens_win(self, s):
        """Whether the king can arrive now, first and with nobody to follow it."""
        return s.turn == BLACK and not s.roles[KING] & rank_mask(7) and self._reaches_goal(s)

    def pressing(self, s):
        """The enemy king when it is home, or could be next."""
        king: u64 = s.roles[KING] & s.colors[s.turn ^ 1]
        return king if king & rank_mask(7) or king_could_step(s, s.turn ^ 1, rank_mask(7)) else 0

    def may_pass(self, s):
        """Never once a king is home: passing would throw away the reply that draws."""
        return not s.roles[KING] & (rank_mask(6) | rank_mask(7))

    def can_win(self, s, color):
        return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gives_check(m: Move, us: cython.int, enemy: cython.int, occupied: u64, sliders: u64) -> cython.bint:
    """Whether a move gives check, by itself or by opening the line of a slider."""
    origin: u64 = bit(origin_of(m))
    after: u64 = (occupied & ~origin) | bit(target_of(m))
    if attacks_from(role_of(m), us, target_of(m), after) & bit(enemy):
        return True
    sliders &= ~origin & LINE[enemy][origin_of(m)]
    while sliders:
        if not BETWEEN[enemy][lsb(sliders)] & after:
            return True
        sliders &= sliders - 1
    return False
