"""The best move by what a table knows of the positions after each: shared by every kind of end-game table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from bot.sources.source import Question, Suggestion
from rules import uci
from rules.move import Move
from rules.outcome import Outcome
from rules.position import Position

WON_CP: Final = 10_000
WIN: Final = 2


class Judged(NamedTuple):
    """A position for its side to move: 2 a win, 1 a win that the 50 moves spoil, 0 a draw, -1 and -2 likewise.

    The distance is in plies, to the end or to the next move that cannot be undone, as the table counts it.
    """

    result: int
    distance_plies: int = 0


Judge = Callable[[Position], Judged | None]


class _Choice(NamedTuple):
    move: Move
    after: Position
    judged: Judged


def best_move(question: Question, judge: Judge) -> Suggestion | None:
    """The move that keeps the result: the shortest win, the longest loss, or the draw with most traps.

    None when the table does not know every position that a move leads to.
    """
    position, choices = question.position, []
    for move in position.legal_moves():
        after = position.play(move)
        judged = _judged(after, judge)
        if judged is None:
            return None
        choices.append(_Choice(move, after, judged))
    if not choices:
        return None
    result = max(-choice.judged.result for choice in choices)
    choices = [choice for choice in choices if -choice.judged.result == result]
    if result > 0:
        fresh = [choice for choice in choices if not question.repeats(choice.after)]
        best = min(fresh or choices, key=lambda choice: choice.judged.distance_plies)
    elif result < 0:
        best = max(choices, key=lambda choice: choice.judged.distance_plies)
    else:
        best = max(choices, key=lambda choice: _traps(question, choice.after, judge))
    score_cp = {WIN: WON_CP, -WIN: -WON_CP}.get(result, 0)
    return Suggestion(_written(position, best.move), score_cp, certain=True)


def men(position: Position) -> int:
    """How many men are on the board."""
    return len(position.pieces())


def _judged(position: Position, judge: Judge) -> Judged | None:
    outcome = position.ending()
    return judge(position) if outcome is None else _of_outcome(outcome, position)


def _of_outcome(outcome: Outcome, position: Position) -> Judged:
    if outcome.winner is None:
        return Judged(0)
    return Judged(WIN if outcome.winner is position.turn else -WIN)


def _traps(question: Question, position: Position, judge: Judge) -> float:
    """The share of the opponent's moves that lose; 0 when there is no time to look."""
    replies = position.legal_moves()
    losing = 0
    for reply in replies:
        if question.over.is_set:
            return 0.0
        judged = _judged(position.play(reply), judge)
        losing += judged is not None and judged.result > 0
    return losing / max(1, len(replies))


def _written(position: Position, move: Move) -> str:
    return uci.write(position, move, position.variant.chess960)
