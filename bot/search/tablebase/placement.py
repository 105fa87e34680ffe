"""How the positions of an ending are numbered: one number for all the images of a position that symmetry makes equal.

Without pawns a board and its seven reflections and rotations are one position: the kings are brought to one of 518
pairs, and the symmetry that does it is applied to the other men.  With a pawn only left and right may be exchanged:
the pawn is brought to the files a-d.  Where both kings stand on the long diagonal, a reflection leaves them as they
are: the lower of the two numbers counts, and the other is unused; so is, for two men alike, the number of one of
their orders.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stands_for_pair(white: cython.int, black: cython.int) -> cython.bint:
    """Whether these kings are the ones that stand for all their images, but for reflection in the long diagonal."""
    if (white & 7) > 3 or (white >> 3) > (white & 7):
        return False
    return (white >> 3) < (white & 7) or (black >> 3) <= (black & 7)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_images() -> cython.void:
    square: cython.int
    symmetry: cython.int
    image: cython.int
    for square in range(64):
        for symmetry in range(SYMMETRIES):
            image = square ^ (7 if symmetry & 1 else 0) ^ (56 if symmetry & 2 else 0)
            if symmetry & 4:
                image = (image & 7) * 8 + (image >> 3)
            IMAGES[symmetry][square] = image


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_pairs() -> cython.void:
    white: cython.int
    black: cython.int
    symmetry: cython.int
    known: cython.int = 0
    for white in range(64):
        for black in range(64):
            if white != black and _stands_for_pair(white, black):
                PAIR_NUMBER[white][black] = known
                PAIR_KINGS[known][0] = white
                PAIR_KINGS[known][1] = black
                known += 1
    for white in range(64):
        for black in range(64):
            for symmetry in range(SYMMETRIES):
                if white != black and _stands_for_pair(IMAGES[symmetry][white], IMAGES[symmetry][black]):
                    PAIR_SYMMETRY[white][black] = symmetry
                    PAIR_NUMBER[white][black] = PAIR_NUMBER[IMAGES[symmetry][white]][IMAGES[symmetry][black]]
                    break


_fill_images()
_fill_pairs()


def describe(ending, others, first, second):
    """Fills the ending with these types of men besides the kings, in ascending order, as many as `others` says."""
    ending.others = others
    ending.types[0] = first
    ending.types[1] = second
    ending.has_pawn = others == 1 and role_of_type(first) == PAWN
    ending.size = 32 * 64 * 64 if ending.has_pawn else KING_PAIRS << (6 * others)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _joined(
    ending: cython.pointer(cython.const[Ending]), pair: cython.int, first: cython.int, second: cython.int
) -> cython.int:
    """The number of a pair of kings with other men; men alike stand in ascending order."""
    if ending.others == 0:
        return pair
    if ending.others == 1:
        return pair << 6 | first
    if ending.types[0] == ending.types[1] and first > second:
        return (pair << 6 | second) << 6 | first
    return (pair << 6 | first) << 6 | second


def place(ending, squares, turn):
    """The number of a position, the same for all its images."""
    found: Place
    symmetry: cython.int
    flip: cython.int
    pawn: cython.int
    pair: cython.int
    mirrored: cython.int
    first: cython.int = 0
    second: cython.int = 0
    found.twins = 1
    if ending.has_pawn:
        flip = 7 if squares[2] & 4 else 0
        pawn = squares[2] ^ flip
        found.number = ((pawn >> 3) * 4 + (pawn & 3)) << 12 | (squares[0] ^ flip) << 6 | (squares[1] ^ flip)
        found.number += turn * ending.size
        return found
    symmetry = PAIR_SYMMETRY[squares[0]][squares[1]]
    pair = PAIR_NUMBER[squares[0]][squares[1]]
    if ending.others > 0:
        first = IMAGES[symmetry][squares[2]]
    if ending.others > 1:
        second = IMAGES[symmetry][squares[3]]
    found.number = _joined(ending, pair, first, second)
    if PAIR_KINGS[pair][0] % 9 == 0 and PAIR_KINGS[pair][1] % 9 == 0:
        mirrored = _joined(ending, pair, IMAGES[4][first], IMAGES[4][second])
        if mirrored == found.number:
            found.twins = 2
        elif mirrored < found.number:
            found.number = mirrored
    found.number += turn * ending.size
    return found


def unplace(ending, number, squares):
    """Writes the squares that a number stands for, some of them perhaps the same; returns who is to move."""
    turn: cython.int = 0
    pawn: cython.int
    i: cython.int
    if number >= ending.size:
        turn = 1
        number -= ending.size
    if ending.has_pawn:
        pawn = number >> 12
        squares[0] = (number >> 6) & 63
        squares[1] = number & 63
        squares[2] = (pawn >> 2) * 8 + (pawn & 3)
        return turn
    for i in range(ending.others + 1, 1, -1):
        squares[i] = number & 63
        number >>= 6
    squares[0] = PAIR_KINGS[number][0]
    squares[1] = PAIR_KINGS[number][1]
    return turn


def stands(ending, squares, first_rank_pawns):
    """Whether the men stand on squares of their own, a pawn on a rank where it may stand."""
    occupied: u64 = 0
    pawn_rank: cython.int
    i: cython.int
    for i in range(ending.others + 2):
        occupied |= bit(squares[i])
    if popcount(occupied) != ending.others + 2:
        return False
    if not ending.has_pawn:
        return True
    pawn_rank = squares[2] >> 3 if color_of(ending.types[0]) == WHITE else 7 - (squares[2] >> 3)
    return pawn_rank != 7 and (first_rank_pawns or pawn_rank != 0)


def set_up(ending, squares, turn, s):
    """Writes the position with the men on these squares."""
    i: cython.int
    memset(s, 0, cython.sizeof(State))
    s.ep = NO_SQUARE
    s.fullmove = 1
    s.turn = turn
    put(s, WHITE, KING, squares[0])
    put(s, BLACK, KING, squares[1])
    for i in range(ending.others):
        put(s, color_of(ending.types[i]), role_of_type(ending.types[i]), squares[i + 2])
