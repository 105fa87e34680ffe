"""A game of ours in the shape that python-chess's engine driver reads: texts in, texts out, no rules asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import chess

from rules.move import Color
from rules.variant import Variant


class WireBoard(chess.Board):
    """The start of a game and its moves in protocol form; only the driver has a use for it."""

    def __init__(self, initial_fen: str, moves: Sequence[str], turn: Color, chess960: bool) -> None:
        super().__init__(None, chess960=chess960)
        self._initial = initial_fen
        self.move_stack = [chess.Move.from_uci(text) for text in moves]
        self.turn = turn is Color.WHITE

    def root(self) -> WireBoard:
        """The driver asks it for the FEN of the start."""
        return self

    def copy(self, *, stack: bool | int = True) -> WireBoard:
        """A board of the same game; the driver plays the moves of a line on it."""
        twin = type(self)(self._initial, (), Color(not self.turn), self.chess960)
        twin.move_stack = list(self.move_stack) if stack else []
        return twin

    def fen(self, **style: Any) -> str:
        """The start."""
        return self._initial

    def parse_uci(self, text: str) -> chess.Move:
        """Any move."""
        return chess.Move.from_uci(text)

    def push_uci(self, text: str) -> chess.Move:
        """Any move, one more."""
        move = chess.Move.from_uci(text)
        self.move_stack.append(move)
        return move

    def pop(self) -> chess.Move:
        """The last move, gone."""
        return self.move_stack.pop()


def wire_board(variant: Variant, initial_fen: str, moves: Sequence[str], turn: Color) -> WireBoard:
    """A board that tells an engine which game it is."""
    board_type = type("Board", (WireBoard,), {"uci_variant": variant.uci_name})
    board: WireBoard = board_type(initial_fen, moves, turn, variant.chess960)
    return board
