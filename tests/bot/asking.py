"""Questions for the sources of moves, and sources that behave badly."""

from __future__ import annotations

import threading
from collections.abc import Callable

from bot.sources.source import Interrupt, MoveSource, Question, Setting, Suggestion
from bot.timing import GameClock, RunningClock
from rules import draws, variants
from rules.game import Game
from rules.variant import Variant

MINUTE = RunningClock(60_000, 0, 10)


def question(
    moves: str = "",
    *,
    variant: Variant = variants.STANDARD,
    fen: str | None = None,
    clock: GameClock = MINUTE,
    within_ms: float = 10_000,
    think_ms: float = 50,
    speed: str = "blitz",
    rated: bool = False,
) -> Question:
    """What to play after those moves."""
    game = Game.replay(variant, draws.for_game(variant, with_bot=True), fen, moves.split())
    setting = Setting("abcdefgh", variant, game.turn, speed, rated)
    positions, played = tuple(game.positions), tuple(game.moves)
    return Question(setting, positions, played, clock, within_ms, think_ms, Interrupt())


class Scripted(MoveSource):
    """Does what it is told; keeps what it was asked and told."""

    def __init__(self, answer: Callable[[Question], Suggestion | None]) -> None:
        self._answer = answer
        self.asked: list[Question] = []
        self.told: list[str] = []

    def suggest(self, question: Question) -> Suggestion | None:
        self.asked.append(question)
        return self._answer(question)

    def begin_game(self, setting: Setting) -> None:
        self.told.append(f"begin {setting.game_id}")

    def end_game(self, game_id: str) -> None:
        self.told.append(f"end {game_id}")

    def close(self) -> None:
        self.told.append("close")


def always(uci: str | None) -> Scripted:
    """Suggests that, or never anything."""
    return Scripted(lambda _: None if uci is None else Suggestion(uci))


def failing(error: Exception) -> Scripted:
    """Raises that."""

    def fail(_: Question) -> Suggestion | None:
        raise error

    return Scripted(fail)


def stuck(until: threading.Event) -> Scripted:
    """Does not answer before that, whatever it is told."""

    def wait(_: Question) -> Suggestion | None:
        until.wait(20)
        return Suggestion("e2e4")

    return Scripted(wait)


class Hands:
    """A clock that is moved by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
