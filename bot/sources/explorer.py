"""Lichess's opening explorer, asked through berserk."""

from __future__ import annotations

import random
from typing import Any, Final, cast

import chess
import requests
from berserk.clients.opening_explorer import OpeningExplorer

from bot.config.sources import Explorer
from bot.sources.boards import board_type
from bot.sources.online import asked
from bot.sources.source import MoveSource, Question, Suggestion
from bot.wire import Shape
from rules.move import Color
from rules.variant import Variant

MOVES_MOST: Final = 12
NO_GAMES: Final = 0


class PlayedMove(Shape):
    """A move and the results of the games in which it was played."""

    uci: str
    white: int
    draws: int
    black: int

    @property
    def games(self) -> int:
        """How often it was played."""
        return self.white + self.draws + self.black

    def score(self, color: Color) -> float:
        """The points a game that it has brought the side that played it."""
        wins = self.white if color is Color.WHITE else self.black
        return (wins + self.draws / 2) / max(1, self.games)


class Opening(Shape):
    """What was played in a position, the most popular move first."""

    moves: tuple[PlayedMove, ...] = ()


class ExplorerSource(MoveSource):
    """Moves that others have played in the same position."""

    def __init__(self, terms: Explorer, session: requests.Session, chance: random.Random) -> None:
        self._terms = terms
        self._chance = chance
        self._session = session
        self._explorer = OpeningExplorer(self._session, terms.url)

    def plays(self, variant: Variant) -> bool:
        """Whether it is a game of Lichess; masters play chess only."""
        return variant.lichess and (self._terms.games_of != "masters" or board_type(variant) is chess.Board)

    def suggest(self, question: Question) -> Suggestion | None:
        """A move that was played often enough."""
        opening = asked(Opening, lambda: self._ask(question))
        if opening is None:
            return None
        known = [move for move in opening.moves if move.games >= self._terms.least_games]
        if not known:
            return None
        color = question.setting.color
        match self._terms.selection:
            case "popular":
                return Suggestion(max(known, key=lambda move: move.games).uci)
            case "score":
                return Suggestion(max(known, key=lambda move: move.score(color)).uci)
            case _:
                return Suggestion(self._chance.choices(known, [move.games for move in known])[0].uci)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _ask(self, question: Question) -> object:
        terms, fen = self._terms, question.position.fen()
        if terms.games_of == "masters":
            return self._explorer.get_masters_games(position=fen, moves=MOVES_MOST, top_games=NO_GAMES)
        variant: Any = question.setting.variant.key
        speeds: Any = None if terms.game_speeds is None else list(terms.game_speeds)
        if terms.games_of == "player":
            return self._explorer.get_player_games(
                terms.player or "", cast(Any, question.setting.color.wire), variant, fen, speeds=speeds,
                moves=MOVES_MOST, top_games=NO_GAMES, recent_games=NO_GAMES, wait_for_indexing=False,
            )  # fmt: skip
        ratings: Any = None if terms.ratings is None else [str(rating) for rating in terms.ratings]
        return self._explorer.get_lichess_games(
            variant, fen, speeds=speeds, ratings=ratings, moves=MOVES_MOST, top_games=NO_GAMES, recent_games=NO_GAMES
        )
