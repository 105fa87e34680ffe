"""The men's pictures: those that python-chess draws (by Colin M. L. Burnett)."""
from __future__ import annotations

import re
from functools import cache

import chess.svg

_NAME = re.compile(r"([wb])([PNBRQK])")


@cache
def picture(name: str) -> str | None:
    """The SVG of a man named by color and role, such as `wN`; None for anything else."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    color, letter = match.groups()
    return str(chess.svg.piece(chess.Piece.from_symbol(letter if color == "w" else letter.lower())))
