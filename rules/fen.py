"""FEN: reading any form that games, servers and engines write, and writing one form.

A Setup is what a FEN says, not judged: `problems.examine` tells whether it can be played.

Read besides the plain six fields: castling as X-FEN (`KQkq`, the outermost rook; file letters for inner ones) or
Shredder (`HAha`); pockets as `[Qp]` after the board or as a ninth rank `/Qp`; `~` behind a promoted man; check counters
as checks left (`3+3`, before the clocks) or checks given (`+0+0`, at the end).

Decision: clocks may be left out from the right (`0 1` is then meant), so that four-field opening files can be read; a
game of our own that has neither castling nor en passant takes exactly six fields.
Decision: full move 0 is read as 1, as some programs write it.
Decision: X-FEN, `[..]` pockets and checks left are what we write.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.errors import FenError, FenFault, FenField
from rules.move import Color, Piece, Role, file_of, make_square, parse_square, rank_of, square_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rules.position import Position
    from rules.variant import Variant

_MOST_NUMBER = 9999
CHECKS_TO_WIN = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """A board with everything that a FEN tells about it.

    `castling` holds the squares of rooks that may castle, `ep` the en-passant target as written, `pockets` the men in
    hand and `checks` the checks given so far, both by color.
    """

    pieces: Mapping[int, Piece]
    turn: Color = Color.WHITE
    castling: frozenset[int] = frozenset()
    ep: int | None = None
    halfmoves: int = 0
    fullmove: int = 1
    promoted: frozenset[int] = frozenset()
    pockets: tuple[Mapping[Role, int], Mapping[Role, int]] = ({}, {})
    checks: tuple[int, int] = (0, 0)

    def squares_of(self, color: Color, *roles: Role) -> list[int]:
        """The squares of a side's men of these roles (of all roles when none is given), a1 first."""
        return sorted(
            square
            for square, piece in self.pieces.items()
            if piece.color is color and (not roles or piece.role in roles)
        )


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of the text and where it begins (columns count from 1)."""

    text: str
    column: int

    def error(self, fault: FenFault, field: FenField, offset: int = 0, found: str | None = None) -> FenError:
        return FenError(fault, field, self.column + offset, self.text if found is None else found)


def read(text: str, variant: Variant) -> Setup:
    """What a FEN of this game says.

    Raises: FenError, with the field and the column.
    """
    fields = [_Field(match.group(), match.start() + 1) for match in re.finditer(r"\S+", text)]
    fewest = 4 if variant.lichess or variant.has_castling or variant.has_en_passant else 6
    most = 7 if variant.counts_checks else 6
    if not fewest <= len(fields) <= most:
        raise FenError(FenFault.FIELD_COUNT, FenField.TEXT, 1, text)
    board, turn, castling, ep, *rest = fields
    pieces, promoted, pockets = _read_board(board, variant)
    checks, clocks = _read_checks(rest, variant)
    if len(clocks) > 2:
        raise FenError(FenFault.FIELD_COUNT, FenField.TEXT, 1, text)
    return Setup(
        pieces=pieces,
        promoted=promoted,
        pockets=pockets,
        turn=_read_turn(turn),
        castling=_read_castling(castling, pieces, variant),
        ep=_read_ep(ep, variant),
        checks=checks,
        halfmoves=_read_number(clocks[0], FenField.HALFMOVES) if clocks else 0,
        fullmove=max(1, _read_number(clocks[1], FenField.FULLMOVE)) if len(clocks) > 1 else 1,
    )


_Pockets = tuple["Counter[Role]", "Counter[Role]"]


def _read_board(field: _Field, variant: Variant) -> tuple[dict[int, Piece], frozenset[int], _Pockets]:
    """The men on the board, which of them are promoted, and the men in hand."""
    board, pocket, pocket_offset = _split_pocket(field)
    if pocket is not None and not variant.has_pocket:
        raise field.error(FenFault.NO_POCKET_HERE, FenField.POCKET, pocket_offset, pocket)
    ranks = board.split("/")
    if len(ranks) != 8:
        raise field.error(FenFault.RANK_COUNT, FenField.PLACEMENT)
    pieces: dict[int, Piece] = {}
    promoted: set[int] = set()
    offset = 0
    for rank, text in zip(reversed(range(8)), ranks, strict=True):
        _read_rank(_Field(text, field.column + offset), rank, pieces, promoted)
        offset += len(text) + 1
    if promoted and not variant.has_pocket:
        raise field.error(FenFault.NO_POCKET_HERE, FenField.PLACEMENT, field.text.index("~"), "~")
    return pieces, frozenset(promoted), _read_pocket(field, pocket or "", pocket_offset)


def _split_pocket(field: _Field) -> tuple[str, str | None, int]:
    """The ranks, the letters of the pocket (None without one) and where these begin."""
    board, bracket, pocket = field.text.partition("[")
    if bracket:
        if not pocket.endswith("]"):
            raise field.error(FenFault.UNCLOSED_POCKET, FenField.POCKET, len(board))
        return board, pocket[:-1], len(board) + 1
    if field.text.count("/") == 8:
        board, _, pocket = field.text.rpartition("/")
        return board, pocket, len(board) + 1
    return field.text, None, 0


def _read_rank(field: _Field, rank: int, pieces: dict[int, Piece], promoted: set[int]) -> None:
    file = 0
    for offset, letter in enumerate(field.text):
        before = field.text[offset - 1] if offset else ""
        if letter in "12345678":
            if before.isdigit():
                raise field.error(FenFault.ADJACENT_DIGITS, FenField.PLACEMENT, offset, before + letter)
            file += int(letter)
        elif letter == "~":
            if not before or before not in "NBRQnbrq":
                raise field.error(FenFault.MISPLACED_MARK, FenField.PLACEMENT, offset, before + letter)
            promoted.add(make_square(file - 1, rank))
        else:
            piece = _piece(letter)
            if piece is None:
                raise field.error(FenFault.UNKNOWN_LETTER, FenField.PLACEMENT, offset, letter)
            if file < 8:
                pieces[make_square(file, rank)] = piece
            file += 1
        if file > 8:
            raise field.error(FenFault.RANK_TOO_LONG, FenField.PLACEMENT, offset)
    if file < 8:
        raise field.error(FenFault.RANK_TOO_SHORT, FenField.PLACEMENT)


def _piece(letter: str) -> Piece | None:
    role = Role.from_letter(letter)
    return None if role is None else Piece(role, Color.WHITE if letter.isupper() else Color.BLACK)


def _read_pocket(field: _Field, letters: str, offset: int) -> _Pockets:
    pockets: _Pockets = (Counter(), Counter())
    for index, letter in enumerate(letters if letters != "-" else ""):
        piece = _piece(letter)
        if piece is None:
            raise field.error(FenFault.UNKNOWN_LETTER, FenField.POCKET, offset + index, letter)
        pockets[piece.color][piece.role] += 1
    return pockets


def _read_turn(field: _Field) -> Color:
    for color in Color:
        if field.text == color.letter:
            return color
    raise field.error(FenFault.TURN, FenField.TURN)


def _read_castling(field: _Field, pieces: Mapping[int, Piece], variant: Variant) -> frozenset[int]:
    """The squares of the castling rooks, whether or not a rook stands there."""
    if field.text == "-":
        return frozenset()
    if not variant.has_castling:
        raise field.error(FenFault.NO_CASTLING_HERE, FenField.CASTLING)
    rooks: set[int] = set()
    for offset, letter in enumerate(field.text):
        color = Color.WHITE if letter.isupper() else Color.BLACK
        if letter in "KQkq":
            square = _outermost_rook(pieces, color, king_side=letter in "Kk")
        elif letter in "ABCDEFGHabcdefgh":
            square = make_square("abcdefgh".index(letter.lower()), _back_rank(color))
        else:
            raise field.error(FenFault.CASTLING, FenField.CASTLING, offset)
        if square in rooks:
            raise field.error(FenFault.CASTLING, FenField.CASTLING, offset)
        rooks.add(square)
    return frozenset(rooks)


def _back_rank(color: Color) -> int:
    return 0 if color is Color.WHITE else 7


def _outermost_rook(pieces: Mapping[int, Piece], color: Color, *, king_side: bool) -> int:
    """The rook that `K` or `Q` means; the corner when there is none."""
    rank = _back_rank(color)
    king = next((s for s, piece in pieces.items() if piece == (Role.KING, color) and rank_of(s) == rank), None)
    corner = make_square(7 if king_side else 0, rank)
    if king is None:
        return corner
    step = -1 if king_side else 1
    path = range(corner, king, step)
    return next((square for square in path if pieces.get(square) == (Role.ROOK, color)), corner)


def _read_ep(field: _Field, variant: Variant) -> int | None:
    if field.text == "-":
        return None
    if not variant.has_en_passant:
        raise field.error(FenFault.NO_EN_PASSANT_HERE, FenField.EN_PASSANT)
    try:
        return parse_square(field.text)
    except ValueError:
        raise field.error(FenFault.EN_PASSANT, FenField.EN_PASSANT) from None


def _read_checks(rest: list[_Field], variant: Variant) -> tuple[tuple[int, int], list[_Field]]:
    """The checks given, by color, and the fields that are left for the clocks."""
    if not variant.counts_checks:
        return (0, 0), rest
    if rest and "+" in rest[0].text[1:]:
        left = _counters(rest[0], r"([0-3])\+([0-3])")
        return (CHECKS_TO_WIN - left[0], CHECKS_TO_WIN - left[1]), rest[1:]
    if rest and rest[-1].text.startswith("+"):
        return _counters(rest[-1], r"\+([0-3])\+([0-3])"), rest[:-1]
    return (0, 0), rest


def _counters(field: _Field, pattern: str) -> tuple[int, int]:
    match = re.fullmatch(pattern, field.text)
    if match is None:
        raise field.error(FenFault.CHECKS, FenField.CHECKS)
    return int(match.group(1)), int(match.group(2))


def _read_number(field: _Field, name: FenField) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", field.text) or int(field.text) > _MOST_NUMBER:
        raise field.error(FenFault.NUMBER, name)
    return int(field.text)


def write(position: Position) -> str:
    """The FEN of a position; the en-passant target is named only when a legal capture exists there."""
    variant = position.variant
    pieces = position.pieces()
    fields = [
        write_board(pieces, position.promoted_squares()) + (_write_pocket(position) if variant.has_pocket else ""),
        position.turn.letter,
        write_castling(pieces, position.castling_rooks),
        "-" if position.ep_square is None else square_name(position.ep_square),
    ]
    if variant.counts_checks:
        fields.append("+".join(str(CHECKS_TO_WIN - position.checks(color)) for color in Color))
    return " ".join([*fields, str(position.halfmoves), str(position.fullmove)])


def write_board(pieces: Mapping[int, Piece], promoted: Iterable[int] = ()) -> str:
    """The placement field."""
    marked = set(promoted)
    ranks = []
    for rank in reversed(range(8)):
        squares = (make_square(file, rank) for file in range(8))
        letters = "".join(
            pieces[square].letter + ("~" if square in marked else "") if square in pieces else " " for square in squares
        )
        ranks.append(re.sub(" +", lambda gap: str(len(gap.group())), letters))
    return "/".join(ranks)


def write_castling(pieces: Mapping[int, Piece], rooks: Iterable[int]) -> str:
    """The castling field: `K` or `Q` where the rook is the outermost on its side of the king, else its file."""
    letters = ""
    for color in Color:
        king = next((square for square, piece in pieces.items() if piece == (Role.KING, color)), None)
        own = (square for square in rooks if rank_of(square) == _back_rank(color))
        for rook in sorted(own, reverse=True):
            king_side = king is not None and rook > king
            letter = "abcdefgh"[file_of(rook)]
            if rook == _outermost_rook(pieces, color, king_side=king_side):
                letter = "k" if king_side else "q"
            letters += letter.upper() if color is Color.WHITE else letter
    return letters or "-"


def _write_pocket(position: Position) -> str:
    letters = (
        Piece(role, color).letter * position.pocket(color).get(role, 0) for color in Color for role in reversed(Role)
    )
    return f"[{''.join(letters)}]"
