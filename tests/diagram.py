"""Positions written so that they can be read, and questions about them in the words of the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rules import san, uci
from rules.errors import RulesError
from rules.move import parse_square, square_name
from rules.position import Position

if TYPE_CHECKING:
    from rules.variant import Variant


def fen_of(drawing: str, rest: str = "w - - 0 1") -> str:
    """The FEN of a board drawn in eight lines, the eighth rank first, `.` for an empty square."""
    ranks = ["".join(line.split()) for line in drawing.strip().splitlines()]
    assert [len(rank) for rank in ranks] == [8] * 8, "a drawing has eight lines of eight squares"
    placement = "/".join(re.sub(r"\.+", lambda gap: str(len(gap.group())), rank) for rank in ranks)
    return f"{placement} {rest}"


def draw(variant: Variant, drawing: str, rest: str = "w - - 0 1") -> Position:
    """The position of a game that a drawing shows."""
    return Position.from_fen(variant, fen_of(drawing, rest))


def after(position: Position, *moves: str) -> Position:
    """The position after moves in protocol form."""
    for text in moves:
        position = position.play(uci.read(position, text))
    return position


def allows(position: Position, move: str) -> bool:
    """Whether a move in protocol form is legal."""
    try:
        uci.read(position, move)
    except RulesError:
        return False
    return True


def targets(position: Position, origin: str) -> set[str]:
    """The squares to which the man on a square may go; castling counts as the king's two squares."""
    square = parse_square(origin)
    moves = [move for move in position.legal_moves() if move.origin == square]
    return {uci.write(position, move, False)[2:4] for move in moves}


def moves_of(position: Position) -> set[str]:
    """Every legal move in protocol form."""
    return {uci.write(position, move, False) for move in position.legal_moves()}


def written(position: Position) -> set[str]:
    """Every legal move in written form."""
    return {san.write(position, move) for move in position.legal_moves()}


def men(position: Position) -> str:
    """The men on the board, in words such as `Ke1 Pa2 ke8`, sorted by square."""
    return " ".join(piece.letter + square_name(square) for square, piece in sorted(position.pieces().items()))


def names(squares: list[int]) -> set[str]:
    """The names of squares."""
    return {square_name(square) for square in squares}
