"""Squares, colors, roles, pieces and moves, as the rest of the program sees them.

A square is an int: a1 = 0, b1 = 1, ... h8 = 63.  The numbers of roles, colors and kinds of move, and the bits of a
move's code, are those of the compiled kernel (state.pxd).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

_FILES = "abcdefgh"
_ROLE_LETTERS = "pnbrqk"


class Color(IntEnum):
    """A side."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Color:
        """The opponent's color."""
        return Color(1 - self)

    @property
    def letter(self) -> str:
        """`w` or `b`, as in a FEN."""
        return "wb"[self]

    @property
    def wire(self) -> str:
        """`white` or `black`, as in the Lichess API."""
        return ("white", "black")[self]


class Role(IntEnum):
    """What a man is, whoever owns it."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5

    @property
    def letter(self) -> str:
        """The English lower-case letter: `p n b r q k`."""
        return _ROLE_LETTERS[self]

    @classmethod
    def from_letter(cls, letter: str) -> Role | None:
        """The role of an English letter of either case, None when no role has it."""
        index = _ROLE_LETTERS.find(letter.lower()) if len(letter) == 1 and letter.isascii() else -1
        return cls(index) if index >= 0 else None


class Piece(NamedTuple):
    """A man: a role and its owner."""

    role: Role
    color: Color

    @property
    def letter(self) -> str:
        """The FEN letter: upper case for White."""
        return self.role.letter.upper() if self.color is Color.WHITE else self.role.letter


class MoveKind(IntEnum):
    """How a move is made."""

    NORMAL = 0
    DOUBLE_PUSH = 1
    EN_PASSANT = 2
    CASTLE = 3
    DROP = 4
    SHIFT = 5
    SWAP = 6


@dataclass(frozen=True, slots=True)
class Move:
    """A move of some position, packed as the kernel packs it.

    The target of castling is the square of the castling rook; a drop has its square as origin and target.
    """

    code: int

    @classmethod
    def build(
        cls, role: Role, origin: int, target: int, kind: MoveKind = MoveKind.NORMAL, promotion: Role | None = None
    ) -> Move:
        """Pack a move; whether any position allows it is not looked at."""
        return cls(origin | target << 6 | (promotion or 0) << 12 | kind << 15 | role << 18)

    @property
    def origin(self) -> int:
        """The square that the man leaves."""
        return self.code & 63

    @property
    def target(self) -> int:
        """The square that the man goes to."""
        return self.code >> 6 & 63

    @property
    def promotion(self) -> Role | None:
        """What the pawn becomes."""
        role = self.code >> 12 & 7
        return Role(role) if role else None

    @property
    def kind(self) -> MoveKind:
        """How the move is made."""
        return MoveKind(self.code >> 15 & 7)

    @property
    def role(self) -> Role:
        """The role of the man that moves, before it promotes."""
        return Role(self.code >> 18 & 7)


def make_square(file: int, rank: int) -> int:
    """The square on a file and a rank, both counted from 0."""
    return rank * 8 + file


def file_of(square: int) -> int:
    """The file of a square, a = 0."""
    return square & 7


def rank_of(square: int) -> int:
    """The rank of a square, rank 1 = 0."""
    return square >> 3


def square_name(square: int) -> str:
    """The name of a square, such as `e4`."""
    return f"{_FILES[square & 7]}{(square >> 3) + 1}"


def parse_square(name: str) -> int:
    """The square of that name.

    Raises: ValueError for anything but a letter a-h and a digit 1-8.
    """
    if len(name) != 2 or name[0] not in _FILES or name[1] not in "12345678":
        raise ValueError(f"{name!r} is not a square")
    return _FILES.index(name[0]) + 8 * (int(name[1]) - 1)
