"""Sets of squares as 64-bit words, and the attack tables that every game shares.

Square a1 is bit 0, b1 bit 1, h8 bit 63.  Sliding pieces use magic multiplication: the occupied squares that matter are
multiplied by a factor that spreads every arrangement of them to a slot of its own.  The factors are searched at import,
from fixed seeds (some ten milliseconds).
"""

import cython

DARK_SQUARES = 0xAA55AA55AA55AA55


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk(square: cython.int, occupied: u64, diagonal: cython.bint) -> u64:
    """Squares reached along four directions, up to and with the first occupied one."""
    steps: cython.int[16] = [1, 0, -1, 0, 0, 1, 0, -1, 1, 1, 1, -1, -1, 1, -1, -1]
    reached: u64 = 0
    direction: cython.int
    across: cython.int
    up: cython.int
    file: cython.int
    rank: cython.int
    for direction in range(4):
        across = steps[2 * direction + (8 if diagonal else 0)]
        up = steps[2 * direction + (9 if diagonal else 1)]
        file = (square & 7) + across
        rank = (square >> 3) + up
        while 0 <= file < 8 and 0 <= rank < 8:
            reached |= bit(8 * rank + file)
            if occupied & bit(8 * rank + file):
                break
            file += across
            rank += up
    return reached


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _edges(square: cython.int) -> u64:
    """Edge squares, without those of the square's own rank and file."""
    ranks: u64 = (rank_mask(0) | rank_mask(7)) & ~rank_mask(square >> 3)
    files: u64 = (file_mask(0) | file_mask(7)) & ~file_mask(square & 7)
    return ranks | files


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_magic(
    m: cython.pointer(Magic), square: cython.int, diagonal: cython.bint, table: cython.pointer(u64)
) -> cython.int:
    """Fills one square's entry; returns how many slots of the table it took."""
    arrangements: u64[4096]
    reached: u64[4096]
    tried: cython.int[4096]
    size: cython.int = 0
    attempt: cython.int = 0
    i: cython.int
    slot: cython.int
    clash: cython.bint = True
    subset: u64 = 0
    seed: u64 = 728 + 7919 * (square >> 3)
    m.mask = _walk(square, 0, diagonal) & ~_edges(square)
    m.shift = 64 - popcount(m.mask)
    m.attacks = table
    while True:
        arrangements[size] = subset
        reached[size] = _walk(square, subset, diagonal)
        tried[size] = 0
        size += 1
        subset = (subset - m.mask) & m.mask
        if not subset:
            break
    while clash:
        m.factor = next_random(cython.address(seed)) & next_random(cython.address(seed))
        m.factor &= next_random(cython.address(seed))
        if popcount((m.mask * m.factor) >> 56) < 6:
            continue
        attempt += 1
        clash = False
        for i in range(size):
            slot = cython.cast(cython.int, (arrangements[i] * m.factor) >> m.shift)
            if tried[slot] < attempt:
                tried[slot] = attempt
                table[slot] = reached[i]
            elif table[slot] != reached[i]:
                clash = True
                break
    return size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_leapers(square: cython.int) -> cython.void:
    target: cython.int
    files: cython.int
    ranks: cython.int
    KNIGHT_ATTACKS[square] = 0
    KING_ATTACKS[square] = 0
    for target in range(64):
        files = (target & 7) - (square & 7)
        ranks = (target >> 3) - (square >> 3)
        if files * files + ranks * ranks == 5:
            KNIGHT_ATTACKS[square] |= bit(target)
        elif files * files <= 1 and ranks * ranks <= 1 and target != square:
            KING_ATTACKS[square] |= bit(target)
    PAWN_ATTACKS[0][square] = pawn_attacks_of(bit(square), 0)
    PAWN_ATTACKS[1][square] = pawn_attacks_of(bit(square), 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_lines(a: cython.int, b: cython.int) -> cython.void:
    BETWEEN[a][b] = 0
    LINE[a][b] = 0
    if a == b:
        return
    if rook_attacks(a, 0) & bit(b):
        LINE[a][b] = (rook_attacks(a, 0) & rook_attacks(b, 0)) | bit(a) | bit(b)
        BETWEEN[a][b] = rook_attacks(a, bit(b)) & rook_attacks(b, bit(a))
    elif bishop_attacks(a, 0) & bit(b):
        LINE[a][b] = (bishop_attacks(a, 0) & bishop_attacks(b, 0)) | bit(a) | bit(b)
        BETWEEN[a][b] = bishop_attacks(a, bit(b)) & bishop_attacks(b, bit(a))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_tables() -> cython.void:
    square: cython.int
    other: cython.int
    used: cython.int = 0
    for square in range(64):
        used += _find_magic(cython.address(ROOK_MAGICS[square]), square, False, cython.address(SLIDER_TABLE[used]))
        used += _find_magic(cython.address(BISHOP_MAGICS[square]), square, True, cython.address(SLIDER_TABLE[used]))
        _fill_leapers(square)
    for square in range(64):
        for other in range(64):
            _fill_lines(square, other)
    ROOK_MAGICS[64].attacks = cython.address(SLIDER_TABLE[used])
    BISHOP_MAGICS[64].attacks = cython.address(SLIDER_TABLE[used])


_fill_tables()


def walked_attacks(square: int, occupied: int, diagonal: bool) -> int:
    """Attacks of a slider found by walking: the oracle that tests hold the tables against."""
    return _walk(square, occupied, diagonal)


def table_attacks(square: int, occupied: int, diagonal: bool) -> int:
    """Attacks of a slider as the kernel looks them up."""
    return bishop_attacks(square, occupied) if diagonal else rook_attacks(square, occupied)
