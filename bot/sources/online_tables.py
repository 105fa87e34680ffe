"""Lichess's end-game tables, asked through berserk."""

from __future__ import annotations

from typing import Any, Final, cast

import requests
from berserk.clients.tablebase import Tablebase

from bot.config.sources import OnlineTables
from bot.sources.endgame import WON_CP, men
from bot.sources.online import asked
from bot.sources.source import MoveSource, Question, Suggestion
from bot.wire import Shape
from rules.position import Position
from rules.variant import Variant

# from the side to move; what the 50 moves may spoil counts as a draw
SCORES_CP: Final = {"win": WON_CP, "loss": -WON_CP}
UNKNOWN: Final = "unknown"


class TableMove(Shape):
    """A move; `category` is the result for the side that is to move after it."""

    uci: str
    category: str = UNKNOWN


class Looked(Shape):
    """The result for the side to move, and the moves, the best one first."""

    category: str = UNKNOWN
    moves: tuple[TableMove, ...] = ()


class OnlineTablesSource(MoveSource):
    """The best move by tables that are too large to have at home."""

    def __init__(self, terms: OnlineTables, session: requests.Session) -> None:
        self._terms = terms
        self._session = session
        self._tables = Tablebase(self._session, terms.url)

    def plays(self, variant: Variant) -> bool:
        """Whether there are tables for the game."""
        return variant.lichess and variant.tablebase_suffix is not None

    def fits(self, position: Position) -> bool:
        """Whether there are few enough men, and nobody can castle any more."""
        return not position.castling_rooks and men(position) <= self._terms.most_men

    def suggest(self, question: Question) -> Suggestion | None:
        """The best move by the tables."""
        name = cast(Any, question.setting.variant.tablebase_suffix)
        looked = asked(Looked, lambda: self._tables.look_up(question.position.fen(), name))
        if looked is None or looked.category == UNKNOWN or not looked.moves:
            return None
        return Suggestion(looked.moves[0].uci, SCORES_CP.get(looked.category, 0), certain=True)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()
