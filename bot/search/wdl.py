"""What a score means: centipawns, moves to the end, and the chances of win, draw and loss.

The only place that does; resigning, offering draws and adjudication go by what it says.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

# As in frame.pxd: a win found at ply p scores WIN - p, and nothing else scores beyond SURE.
WIN = 32000
SURE = 31000


class Spread(NamedTuple):
    """How surely a score wins in a game: the score that wins as often as not, and how steep the chances rise there."""

    even_cp: float
    slope_cp: float


class Chances(NamedTuple):
    """Probabilities, which sum to 1, for the side whose score it is."""

    win: float
    draw: float
    loss: float

    @property
    def expected(self) -> float:
        """The expected points of the game."""
        return self.win + self.draw / 2


def win_in(score: int) -> int | None:
    """Moves of the winner until the game is won, negative when it is the other's win; None while nothing is forced."""
    if abs(score) <= SURE:
        return None
    moves = (WIN - abs(score) + 1) // 2
    return moves if score > 0 else -moves


def chances(score: int, spread: Spread) -> Chances:
    """The chances that a score gives."""
    if abs(score) > SURE:
        return Chances(1.0, 0.0, 0.0) if score > 0 else Chances(0.0, 0.0, 1.0)
    win = _rise(score - spread.even_cp, spread.slope_cp)
    loss = _rise(-score - spread.even_cp, spread.slope_cp)
    return Chances(win, 1.0 - win - loss, loss)


def _rise(score: float, slope: float) -> float:
    return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, score / slope))))
