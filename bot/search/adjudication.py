"""Ending games whose result is no longer in doubt: when both sides have long agreed on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.search import wdl
from bot.search.wdl import Spread
from rules.move import Color

# A win: this many plies in a row, the moves of both sides among them, at which the same side expects so many points.
WON_PLIES: Final = 8
WON_POINTS: Final = 0.99
# A draw: not before the game has so many plies, and so many in a row at which neither side expects more than half a
# point and this (some 10 centipawns in standard chess).
DRAWN_FROM_PLY: Final = 80
DRAWN_PLIES: Final = 16
DRAWN_MARGIN: Final = 0.015


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game ends by adjudication; `winner` is None for a draw."""

    winner: Color | None


class Adjudicator:
    """Follows one game by the scores that its movers tell."""

    def __init__(self, spread: Spread) -> None:
        self._spread = spread
        self._plies = 0
        self._ahead: Color | None = None
        self._ahead_plies = 0
        self._level_plies = 0

    def hear(self, mover: Color, score: int) -> Verdict | None:
        """A move was made, and this is its mover's score before it; the verdict, if the game is decided."""
        points = wdl.chances(score, self._spread).expected
        ahead = mover if points >= WON_POINTS else mover.other if points <= 1 - WON_POINTS else None
        self._plies += 1
        self._ahead_plies = 0 if ahead is None else self._ahead_plies + 1 if ahead is self._ahead else 1
        self._ahead = ahead
        self._level_plies = self._level_plies + 1 if abs(points - 0.5) <= DRAWN_MARGIN else 0
        if self._ahead_plies >= WON_PLIES:
            return Verdict(self._ahead)
        if self._level_plies >= DRAWN_PLIES and self._plies >= DRAWN_FROM_PLY:
            return Verdict(None)
        return None
