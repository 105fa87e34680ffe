"""Sets of squares as 64-bit words, and the attack tables that every game shares.

Square a1 is bit 0, b1 bit 1, h8 bit 63.  Sliding pieces use magic multiplication: the occupied squares that matter are
multiplied by a factor that spreads every arrangement of them to a slot of its own.  The factors were found by trying
sparse random words; a test holds every arrangement against a walk over the board.
"""

import cython

DARK_SQUARES = 0xAA55AA55AA55AA55

_ROOK_FACTORS = (
    0x1980001080224001, 0x0040200040001000, 0x0100104020000900, 0x2080100204080080,
    0x4600020008500421, 0x9600481001040200, 0x4080020000800100, 0x210002284E018100,
    0x0001800220400080, 0x0C48402000401002, 0x0021002000410810, 0x0203002090010008,
    0x0120808008000400, 0x090A000804220050, 0x2201010200040100, 0x0001000041002082,
    0xA040088000902040, 0x2000820040220100, 0x0202020040208011, 0x002212000821C200,
    0x0242020004081020, 0x0500808004000201, 0x0080040008010210, 0x0020020001008044,
    0x1400400380008030, 0x4010005040002000, 0x000A208200160040, 0x4040100080080080,
    0x0C14000808008040, 0x0032000200040810, 0x0431000900040A00, 0x8000806600040289,
    0x8008854202002300, 0x5002108102002040, 0x0220801001802008, 0x0008001000808008,
    0x0424008024802800, 0x0000040080800200, 0x004001380C000290, 0x40800C0042000891,
    0x1060904008208000, 0x0410005820004002, 0x0090040068012000, 0xB200100008008080,
    0x0020080004008080, 0x0082008490020008, 0x2010021001040008, 0x000400488102002C,
    0x0040810200402200, 0x0800804000200880, 0x821490824200A200, 0x006010400A002200,
    0x0014008008000480, 0x0045000204008900, 0x0440081051028400, 0x0008244405008200,
    0x2120402080010011, 0x880A022100401582, 0x0A00082010820042, 0x00026D0030012029,
    0x70A1001148000515, 0x008A00B001042802, 0x5084100108008244, 0x004C008100440022,
)
_BISHOP_FACTORS = (
    0x01904C0828440C20, 0x0020045404404200, 0x00040C041440000C, 0x1208204040185100,
    0x0004042001000B21, 0x0E00821040000040, 0x9004020144A18000, 0xA010104208044048,
    0x00002020840086A2, 0xC00465100C010020, 0x0008114404054000, 0x863A082040500000,
    0x0082020210000812, 0x2000460524200C08, 0x0040028401C84000, 0x0044010092016080,
    0x021010A003102D00, 0x0084110208081100, 0x0042040404101200, 0x0088042104110020,
    0x0001001990400030, 0x0805000204860701, 0x8848800900882080, 0x0022020082010100,
    0x0460211144044480, 0x1A04028210420801, 0x0000410008020400, 0x0004004004010002,
    0x4882840082802000, 0x0014420089048200, 0x0002420008882118, 0x0001610002078201,
    0x0301101000482081, 0x8004E20800103000, 0x0182020100088800, 0x0000020080580080,
    0x0104040400281010, 0x0042008101020041, 0x0024010044220820, 0xA01232002B020082,
    0x0000820820A0400A, 0x1801461010208C30, 0x0042208020881004, 0x0400A0C208002880,
    0x5200084104000040, 0x0408110800200A00, 0x000404080060020C, 0x0001020206110840,
    0x2006080104901100, 0x8046124918080401, 0x815164208C108000, 0x0000040094140000,
    0x00000044450C0041, 0x1000410891410282, 0x0040028421020002, 0x4042080244004900,
    0x060201004110080A, 0x0010490948025842, 0x6301220822011040, 0x0802240080208821,
    0x2004500A40228200, 0x00000108A0482220, 0x8288084230040108, 0x0420281104509200,
)


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
def _fill_magic(
    m: cython.pointer(Magic), square: cython.int, diagonal: cython.bint, factor: u64, table: cython.pointer(u64)
) -> cython.int:
    """Fills one square's entry; returns how many slots of the table it took."""
    subset: u64 = 0
    m.mask = _walk(square, 0, diagonal) & ~_edges(square)
    m.factor = factor
    m.shift = 64 - popcount(m.mask)
    m.attacks = table
    while True:
        table[(subset * factor) >> m.shift] = _walk(square, subset, diagonal)
        subset = (subset - m.mask) & m.mask
        if not subset:
            return 1 << popcount(m.mask)


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
def _fill_tables() -> cython.void:
    square: cython.int
    other: cython.int
    used: cython.int = 0
    slots: cython.pointer(u64)
    for square in range(64):
        slots = cython.address(SLIDER_TABLE[used])
        used += _fill_magic(cython.address(ROOK_MAGICS[square]), square, False, _ROOK_FACTORS[square], slots)
        slots = cython.address(SLIDER_TABLE[used])
        used += _fill_magic(cython.address(BISHOP_MAGICS[square]), square, True, _BISHOP_FACTORS[square], slots)
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
