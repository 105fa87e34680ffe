"""Boards of python-chess made from our positions, for libraries that read nothing else."""

from __future__ import annotations

import chess
import chess.variant

from rules.position import Position
from rules.variant import Variant


def board_type(variant: Variant) -> type[chess.Board] | None:
    """The class of that game's boards; None when python-chess does not have the game."""
    try:
        return chess.variant.find_variant(variant.uci_name)
    except ValueError:
        return None


def board_of(position: Position) -> chess.Board:
    """The position as python-chess has it, without the moves before. Raises ValueError for a game it does not have."""
    kind = board_type(position.variant)
    if kind is None:
        raise ValueError(f"python-chess does not have {position.variant.key}")
    # the variants' constructors have it as a keyword as well
    return kind(position.fen(), chess960=position.variant.chess960)
