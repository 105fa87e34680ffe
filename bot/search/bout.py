"""One game between two players: moves, clocks, and whose fault it is when it ends before its end."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Final

from bot.search.adjudication import Adjudicator
from bot.search.evaluation import for_game
from bot.search.players import Choice, Clocks, Pace, Player, PlayerFailed
from bot.search.tally import BROKEN, ILLEGAL, TIME, Result
from bot.search.thinker import Limits, Thinker
from rules import draws
from rules.errors import IllegalMove
from rules.game import Game
from rules.move import Color
from rules.outcome import Reason
from rules.variant import Variant

MOST_PLIES: Final = 600
ADJUDICATION: Final = "adjudication"
# What the judge thinks with where a program tells no score of its own.
JUDGE_NODES: Final = 3000


@dataclass(frozen=True, slots=True)
class Bout:
    """A game to be played: its number from 0, where it begins, the first player's color, and by what rules."""

    number: int
    variant: Variant
    fen: str
    first_color: Color
    pace: Pace
    adjudicate: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A move as it was chosen."""

    choice: Choice
    spent_ms: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that has been played; the last turn may hold a move that was not legal, and then is not in the game."""

    bout: Bout
    game: Game
    turns: tuple[Turn, ...]
    result: Result


@dataclass
class _Play:
    """A game in progress."""

    bout: Bout
    first: Player
    second: Player
    game: Game
    left_ms: list[int]
    turns: list[Turn] = field(default_factory=list)
    judge: Thinker | None = None

    def take_turn(self) -> str | None:
        """Play one move; what the mover did wrong, if anything."""
        turn, pace = self.game.turn, self.bout.pace
        clocks = None if pace.base_ms is None else Clocks(*self.left_ms)
        mover = self.first if turn is self.bout.first_color else self.second
        began = time.perf_counter()
        try:
            choice = mover.choose(self.game, pace, clocks)
        except PlayerFailed:
            choice = None
        spent_ms = round(1000 * (time.perf_counter() - began))
        self.left_ms[turn] -= spent_ms
        if clocks is not None and self.left_ms[turn] < 0:
            return TIME
        if choice is None:
            return BROKEN
        self.left_ms[turn] += pace.increment_ms
        self.turns.append(Turn(choice, spent_ms))
        try:
            self.game.play_uci(choice.move)
        except IllegalMove:
            return ILLEGAL
        return None

    def score_of_last(self) -> int:
        """What the last mover thought of the position before its move, or what our search thinks of it."""
        told = self.turns[-1].choice.score
        if told is not None:
            return told
        if self.judge is None:
            self.judge = Thinker(4)
        before = Game(self.game.positions[-2], self.game.policy)
        return self.judge.think(before, Limits(nodes=JUDGE_NODES)).score_cp

    def finished(self, points: float, reason: str) -> Finished:
        """The game with its result."""
        return Finished(self.bout, self.game, tuple(self.turns), Result(points, len(self.game.moves), reason))


def play_bout(bout: Bout, first: Player, second: Player, over: threading.Event) -> Finished | None:
    """One game; None when `over` is set before its end."""
    game = Game.start(bout.variant, draws.for_game(bout.variant, with_bot=True), bout.fen)
    base_ms = bout.pace.base_ms or 0
    play = _Play(bout, first, second, game, [base_ms, base_ms])
    for player, points in ((first, 0.0), (second, 1.0)):
        try:
            player.begin(game)
        except PlayerFailed:
            return play.finished(points, BROKEN)
    adjudicator = Adjudicator(for_game(bout.variant).spread)
    while game.outcome is None and len(game.moves) < MOST_PLIES:
        turn = game.turn
        fault = play.take_turn()
        if over.is_set():
            return None
        if fault is not None:
            return play.finished(float(turn is not bout.first_color), fault)
        if bout.adjudicate and game.outcome is None:
            verdict = adjudicator.hear(turn, play.score_of_last())
            if verdict is not None:
                return play.finished(_points(verdict.winner, bout), ADJUDICATION)
    if game.outcome is None:
        return play.finished(0.5, Reason.PLY_LIMIT)
    return play.finished(_points(game.outcome.winner, bout), game.outcome.reason)


def _points(winner: Color | None, bout: Bout) -> float:
    return 0.5 if winner is None else float(winner is bout.first_color)
