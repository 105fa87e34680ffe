"""Knightly chess, a toy that keeps new games cheap: standard chess in which knights also step like kings.

Decision: castling asks only whether the squares on its way are attacked as in chess.
"""

import cython


class Knightly(Variant):
    key, name, short, perf_key, pgn_name, lichess = "knightly", "Knightly", "Knightly", "knightly", "Knightly", False

    def __cinit__(self):
        self.generates_lawful = False

    def generate(self, s, what, out):
        end: cython.pointer(Move) = out + Variant.generate(self, s, what, out)
        us: cython.int = s.turn
        knights: u64 = s.roles[KNIGHT] & s.colors[us]
        targets: u64 = s.colors[us ^ 1] if what == NOISY else ~occupied_of(s) if what == QUIET else ~s.colors[us]
        while knights:
            end = add_targets(end, KNIGHT, lsb(knights), KING_ATTACKS[lsb(knights)] & targets)
            knights &= knights - 1
        return cython.cast(cython.int, end - out)

    def pseudo_legal(self, s, m):
        step: cython.bint = role_of(m) == KNIGHT and (KING_ATTACKS[origin_of(m)] & bit(target_of(m))) != 0
        if not step or not s.roles[KNIGHT] & s.colors[s.turn] & bit(origin_of(m)):
            return Variant.pseudo_legal(self, s, m)
        return m >> 12 == KNIGHT << 6 and not s.colors[s.turn] & bit(target_of(m))

    def is_lawful(self, after):
        near: u64 = KING_ATTACKS[king_square(after, after.turn ^ 1)] & after.roles[KNIGHT]
        return not near & after.colors[after.turn] and Variant.is_lawful(self, after)

    def checkers(self, s):
        near: u64 = KING_ATTACKS[king_square(s, s.turn)] & s.roles[KNIGHT] & s.colors[s.turn ^ 1]
        return near | Variant.checkers(self, s)
