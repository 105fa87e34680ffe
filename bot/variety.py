"""Moves other than those of lost games, so that nobody wins the same game twice; and, if wished, of no game at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from bot.config import Variety
from rules import uci
from rules.errors import IllegalMove
from rules.move import Color, Move
from rules.position import Position

TURNED_AT_ONCE: Final = 0.5
LEAST_SPREAD_CP: Final = 5.0


class LostLines:
    """Our moves in the first plies of lost games, by the position in which they were made."""

    def __init__(self, start: Position, color: Color, games: Iterable[Sequence[str]], by_ply: int) -> None:
        self._by_ply = by_ply
        self._moves: dict[int, set[Move]] = {}
        for texts in games:
            position = start
            for text in texts[:by_ply]:
                try:
                    move = uci.read(position, text)
                except IllegalMove:
                    break  # a game that was filed in another notation
                if position.turn is color:
                    self._moves.setdefault(position.key, set()).add(move)
                position = position.play(move)

    def moves(self, position: Position) -> frozenset[Move]:
        """The moves that have led to a loss from here."""
        return frozenset(self._moves.get(position.key, ()))

    def is_last_turn(self, plies: int) -> bool:
        """Whether there is no turn of ours after this one in which to leave the line in time."""
        return plies + 2 >= self._by_ply


@dataclass(frozen=True)
class Aim:
    """Which moves are not wanted, and how much worse than the best another one may be."""

    shunned: frozenset[Move]
    loss_cp: int


def aim_of(settings: Variety, lines: LostLines | None, position: Position, plies: int, chance: Random) -> Aim | None:
    """What to look for here; None leaves the move to the search.

    A lost line is left at a turn drawn by lot, at the last that there is if not before.
    """
    shunned = frozenset[Move]() if lines is None or plies >= settings.by_ply else lines.moves(position)
    if shunned and lines is not None and (lines.is_last_turn(plies) or chance.random() < TURNED_AT_ONCE):
        return Aim(shunned, settings.loss_cp)
    if plies < settings.opening_plies:
        return Aim(frozenset(), settings.opening_loss_cp)
    return None


def other_move(aim: Aim, moves: Sequence[Move], score_cp: Callable[[Move], int | None], chance: Random) -> Move | None:
    """One of the wanted moves that are good enough, the better the likelier; None when there is none, or no time.

    `score_cp` looks at a move, None when it may not look any more.
    """
    scores: dict[Move, int] = {}
    for move in chance.sample(list(moves), len(moves)):
        score = score_cp(move)
        if score is None:
            return None
        scores[move] = score
    best = max(scores.values(), default=0)
    good = {move: best - score for move, score in scores.items() if best - score <= aim.loss_cp}
    wanted = {move: loss for move, loss in good.items() if move not in aim.shunned}
    return chance.choices(list(wanted), _weights(wanted, aim.loss_cp))[0] if wanted else None


def _weights(losses_cp: Mapping[Move, int], most_cp: int) -> list[float]:
    spread_cp = max(LEAST_SPREAD_CP, most_cp / 2)
    return [exp(-loss / spread_cp) for loss in losses_cp.values()]
