"""How a position is packed into a record of fixed length, and read back.

A record holds the whole position with what became of it.  Its length depends on the game: 36 bytes in chess, 2 more
where checks are counted, 18 more where there is a pocket.  Scores and results are those of the side to move.
"""

import cython

from typing import NamedTuple


class Judged(NamedTuple):
    """What a record says of its position, from the view of the side to move."""

    score_cp: int  # of a search; WIN - plies and its negative for forced ends
    result: int  # of the game: 0 lost, 1 drawn, 2 won
    ply: int
    game: int


@cython.cfunc
def _bytes_of(record: bytes) -> cython.pointer(cython.uchar):
    return cython.cast(cython.pointer(cython.uchar), cython.cast(cython.p_char, record))


class Layout:
    """The records of one game."""

    # where the fields begin that are read without unpacking the position
    occupancy_at = OCCUPANCY
    score_at = SCORE
    game_at = GAME
    result_at = RESULT

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        start: Position = Position.start(variant)
        self.most_men = max(32, popcount(occupied_of(cython.address(start.state))))
        self.size = MEN + (self.most_men + 1) // 2
        if variant.counts_checks:
            self.checks_at = self.size
            self.size += 2
        if variant.has_pocket:
            self.pocket_at = self.size
            self.size += 18

    def pack(self, position: Position, judged) -> bytes:
        """The record of a position.

        Raises: ValueError when there are more men than a game from the usual start can have.
        """
        record: cython.uchar[MOST_BYTES]
        men: cython.int = popcount(occupied_of(cython.address(position.state)))
        if men > self.most_men:
            raise ValueError(f"{men} men do not go into a record of {self.most_men}")
        score: cython.short = judged.score_cp
        ply: cython.ushort = judged.ply
        game: cython.uint = judged.game
        self.write_state(cython.address(position.state), record)
        write_number(record + SCORE, cython.cast(cython.ushort, score), 2)
        write_number(record + PLY, ply, 2)
        write_number(record + GAME, game, 4)
        record[RESULT] = judged.result
        return cython.cast(bytes, record[: self.size])

    def position(self, record: bytes) -> Position:
        """The position of a record.

        Raises: ValueError when the record is not of this layout's length.
        """
        self._measure(record)
        position: Position = Position(self.variant)
        self.read_state(_bytes_of(record), cython.address(position.state))
        return position

    def judged(self, record: bytes):
        """What a record says of its position.

        Raises: ValueError when the record is not of this layout's length.
        """
        self._measure(record)
        at: cython.pointer(cython.uchar) = _bytes_of(record)
        score: cython.short = cython.cast(cython.short, read_number(at + SCORE, 2))
        return Judged(score, at[RESULT], read_number(at + PLY, 2), read_number(at + GAME, 4))

    def seen(self, features: Features, content: bytes) -> bytearray:
        """The features of packed records, as bits: of each record those that its mover sees, then the other side's.

        Raises: ValueError when the content is not made of whole records.
        """
        count: cython.Py_ssize_t = len(content) // self.size
        side: cython.Py_ssize_t = features.sight.planes * 8
        i: cython.Py_ssize_t
        s: State
        if count * self.size != len(content):
            raise ValueError(f"{len(content)} bytes are no whole number of records of {self.size}")
        marks: bytearray = bytearray(count * 2 * side)
        source: cython.pointer(cython.uchar) = _bytes_of(content)
        target: cython.pointer(cython.uchar) = cython.cast(
            cython.pointer(cython.uchar), cython.cast(cython.p_char, marks)
        )
        with cython.nogil:
            for i in range(count):
                self.read_state(source + i * self.size, cython.address(s))
                mark_features(cython.address(features.sight), cython.address(s), s.turn, target + 2 * i * side)
                mark_features(
                    cython.address(features.sight), cython.address(s), s.turn ^ 1, target + (2 * i + 1) * side
                )
        return marks

    def _measure(self, record: bytes) -> None:
        if len(record) != self.size:
            raise ValueError(f"a record of {self.variant.name} has {self.size} bytes, not {len(record)}")

    def write_state(self, s, record):
        """The position's part of a record; the rest is zero."""
        left: u64 = occupied_of(s)
        square: cython.int
        color: cython.int
        nibble: cython.int
        index: cython.int = 0
        memset(record, 0, MOST_BYTES)
        write_number(record + OCCUPANCY, left, 8)
        record[FLAGS] = BLACK_TO_MOVE if s.turn == BLACK else 0
        record[EP] = s.ep
        record[HALFMOVES] = min(s.halfmoves, 255)
        while left:
            square = lsb(left)
            left &= left - 1
            color = WHITE if s.colors[WHITE] & bit(square) else BLACK
            nibble = CASTLING_ROOK + color if s.castling & bit(square) else 6 * color + role_at(s, square)
            record[MEN + index // 2] |= nibble << 4 * (index & 1)
            index += 1
        for color in range(2):
            if self.checks_at:
                record[self.checks_at + color] = s.checks[color]
            if self.pocket_at:
                memcpy(record + self.pocket_at + 5 * color, s.pocket[color], 5)
        if self.pocket_at:
            write_number(record + self.pocket_at + 10, s.promoted, 8)

    def read_state(self, record, s):
        """The position again; only how far back repetitions may lie is not known, and taken for nothing."""
        left: u64 = read_number(record + OCCUPANCY, 8)
        square: cython.int
        color: cython.int
        nibble: cython.int
        index: cython.int = 0
        memset(s, 0, cython.sizeof(State))
        while left:
            square = lsb(left)
            left &= left - 1
            nibble = (record[MEN + index // 2] >> 4 * (index & 1)) & 15
            index += 1
            if nibble >= CASTLING_ROOK:
                s.castling |= bit(square)
                put(s, nibble - CASTLING_ROOK, ROOK, square)
            else:
                put(s, nibble // 6, nibble % 6, square)
        for color in range(2):
            if self.checks_at:
                s.checks[color] = record[self.checks_at + color]
            if self.pocket_at:
                memcpy(s.pocket[color], record + self.pocket_at + 5 * color, 5)
        if self.pocket_at:
            s.promoted = read_number(record + self.pocket_at + 10, 8)
        s.turn = record[FLAGS] & BLACK_TO_MOVE
        s.ep = record[EP]
        s.halfmoves = record[HALFMOVES]
        s.fullmove = cython.cast(cython.ushort, read_number(record + PLY, 2) // 2 + 1)
        s.key = key_from_scratch(s)
