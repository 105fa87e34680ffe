"""Zobrist keys: a position's key is the exclusive or of one random word for each thing that tells it from others.

One key serves every draw rule: placement, side to move, castling rights, the en-passant target (set only when a legal
capture exists), men in hand, checks given.  The words come from a fixed seed, so that keys are the same on every run.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_keys() -> cython.void:
    global TURN_KEY
    seed: u64 = 20261130
    color: cython.int
    role: cython.int
    i: cython.int
    for color in range(2):
        for role in range(6):
            for i in range(64):
                MAN_KEYS[color][role][i] = next_random(cython.address(seed))
            for i in range(32):
                POCKET_KEYS[color][role][i] = next_random(cython.address(seed)) if i else 0
        for i in range(8):
            CHECK_KEYS[color][i] = next_random(cython.address(seed)) if i else 0
    for i in range(64):
        CASTLING_KEYS[i] = next_random(cython.address(seed))
        EP_KEYS[i] = next_random(cython.address(seed))
        PROMOTED_KEYS[i] = next_random(cython.address(seed))
    TURN_KEY = next_random(cython.address(seed))


_fill_keys()


def castling_key(rooks):
    key: u64 = 0
    while rooks:
        key ^= CASTLING_KEYS[lsb(rooks)]
        rooks &= rooks - 1
    return key


def key_from_scratch(s):
    key: u64 = castling_key(s.castling)
    color: cython.int
    role: cython.int
    men: u64
    for color in range(2):
        for role in range(6):
            men = s.roles[role] & s.colors[color]
            while men:
                key ^= MAN_KEYS[color][role][lsb(men)]
                men &= men - 1
            key ^= POCKET_KEYS[color][role][s.pocket[color][role] & 31]
        key ^= CHECK_KEYS[color][s.checks[color] & 7]
    men = s.promoted
    while men:
        key ^= PROMOTED_KEYS[lsb(men)]
        men &= men - 1
    if s.ep != NO_SQUARE:
        key ^= EP_KEYS[s.ep]
    if s.turn:
        key ^= TURN_KEY
    return key
