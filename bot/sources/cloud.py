"""Lichess's cloud evaluations, asked through berserk."""

from __future__ import annotations

import random
from typing import Any, Final, cast

import requests
from berserk.clients.analysis import Analysis

from bot.config.sources import Cloud
from bot.sources.online import asked
from bot.sources.source import MoveSource, Question, Suggestion
from bot.wire import Shape
from rules.move import Color
from rules.variant import Variant

LINES_MOST: Final = 5
MATE_CP: Final = 31_000


class Line(Shape):
    """A variation with its score from White's side: centipawns, or moves to mate."""

    moves: str
    cp: int | None = None
    mate: int | None = None

    def score_cp(self, color: Color) -> int:
        """The score from that side."""
        white_cp = self.cp or 0
        if self.mate is not None:
            white_cp = MATE_CP - self.mate if self.mate > 0 else -MATE_CP - self.mate
        return white_cp if color is Color.WHITE else -white_cp


class Evaluation(Shape):
    """What the cloud thinks of a position, the best variation first."""

    depth: int
    pvs: tuple[Line, ...] = ()


class CloudSource(MoveSource):
    """Moves that Stockfish has found on somebody's computer."""

    def __init__(self, terms: Cloud, session: requests.Session, chance: random.Random) -> None:
        self._terms = terms
        self._chance = chance
        self._session = session
        self._analysis = Analysis(self._session, terms.url)

    def plays(self, variant: Variant) -> bool:
        """Whether it is a game of Lichess."""
        return variant.lichess

    def suggest(self, question: Question) -> Suggestion | None:
        """The first move of a good variation."""
        evaluation = asked(Evaluation, lambda: self._ask(question))
        if evaluation is None or evaluation.depth < self._terms.least_depth:
            return None
        color = question.setting.color
        lines = [line for line in evaluation.pvs if line.moves.split()]
        if not lines:
            return None
        best_cp = max(line.score_cp(color) for line in lines)
        good = [line for line in lines if line.score_cp(color) >= best_cp - self._terms.loss_cp]
        chosen = self._chance.choice(good) if self._terms.loss_cp else good[0]
        return Suggestion(chosen.moves.split()[0], chosen.score_cp(color))

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _ask(self, question: Question) -> object:
        variant = cast(Any, question.setting.variant.key)
        lines = LINES_MOST if self._terms.loss_cp else 1
        return self._analysis.get_cloud_evaluation(question.position.fen(), lines, variant)
