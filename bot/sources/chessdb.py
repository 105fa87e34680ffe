"""The opening database of chessdb.cn."""

from __future__ import annotations

import json
import random
from typing import Final
from urllib.parse import urlencode

import chess
import requests

from bot.config.sources import ChessDb
from bot.sources.boards import board_type
from bot.sources.online import asked
from bot.sources.source import MoveSource, Question, Suggestion
from bot.wire import Shape
from rules.variant import Variant

BEST: Final = 2
GOOD: Final = 1


class KnownMove(Shape):
    """A move with its score from the side to move, and its rank: 2 best, 1 good, 0 bad."""

    uci: str
    score: int | None = None
    rank: int = 0


class Known(Shape):
    """What is known of a position; the status is "ok" when something is."""

    status: str
    moves: tuple[KnownMove, ...] = ()


class ChessDbSource(MoveSource):
    """Moves by the database's ranks."""

    def __init__(self, terms: ChessDb, session: requests.Session, chance: random.Random) -> None:
        self._terms = terms
        self._chance = chance
        self._session = session

    def plays(self, variant: Variant) -> bool:
        """Whether it is chess."""
        return board_type(variant) is chess.Board

    def suggest(self, question: Question) -> Suggestion | None:
        """One of the best moves, or of the good ones."""
        known = asked(Known, lambda: self._ask(question.position.fen()))
        if known is None or known.status != "ok":
            return None
        least = GOOD if self._terms.selection == "good" else BEST
        moves = [move for move in known.moves if move.rank >= least]
        if not moves:
            return None
        chosen = self._chance.choice(moves)
        return Suggestion(chosen.uci, chosen.score)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _ask(self, fen: str) -> object:
        query = urlencode({"action": "queryall", "json": 1, "board": fen})
        return json.loads(self._session.get(f"{self._terms.url.rstrip('/')}/cdb.php?{query}").content)
