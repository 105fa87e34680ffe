"""Records of the games of a match: the quiet positions that our own search has judged."""

from __future__ import annotations

from collections.abc import Iterator

from bot.search.bout import Finished
from bot.search.training.packing import Judged, Layout
from bot.search.training.selfplay import is_quiet
from rules.position import Position

_MOST_PLY = 2**16 - 1


def records_of(finished: Finished, first_is_own: bool, second_is_own: bool) -> list[bytes]:
    """The records of a game; other programs' scores, whose scales are their own, are left out.

    Raises: ValueError when there are more men than a game from the usual start can have.
    """
    layout = Layout(finished.bout.variant)
    first_color, points = finished.bout.first_color, finished.result.points
    return [
        layout.pack(
            position,
            Judged(
                score,
                round(2 * (points if position.turn is first_color else 1 - points)),
                min(2 * (position.fullmove - 1) + position.turn, _MOST_PLY),
                finished.bout.number,
            ),
        )
        for position, score in _judged(finished)
        if (first_is_own if position.turn is first_color else second_is_own)
    ]


def _judged(finished: Finished) -> Iterator[tuple[Position, int]]:
    """The quiet positions with what their movers thought of them."""
    game = finished.game
    for position, move, turn in zip(game.positions, game.moves, finished.turns, strict=False):
        if turn.choice.score is not None and is_quiet(position, move):
            yield position, turn.choice.score
