"""What a source of moves is asked, and what it answers.

    Exception
    └── SourceFailed      it has no answer although it should; `rest_s` when it wants to be left alone for so long
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.timing import GameClock
from rules.move import Color, Move
from rules.position import Position
from rules.variant import Variant


class SourceFailed(Exception):
    """A source could not answer."""

    def __init__(self, text: str, rest_s: float | None = None) -> None:
        self.rest_s = rest_s
        super().__init__(text)


class Interrupt:
    """Raised once, from any thread: whoever waits for it wakes, and whatever was left to be called is called."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        """Whether it was raised."""
        return self._event.is_set()

    def set(self) -> None:
        """Raise it."""
        with self._lock:
            self._event.set()
            calls, self._calls = self._calls, []
        for call in calls:
            call()

    def wait(self, timeout_s: float) -> bool:
        """Wait for it; whether it was raised."""
        return self._event.wait(timeout_s)

    def call(self, call: Callable[[], None]) -> None:
        """Have that called when it is raised, at once if it was."""
        with self._lock:
            if not self._event.is_set():
                self._calls.append(call)
                return
        call()


@dataclass(frozen=True)
class Setting:
    """What does not change during a game."""

    game_id: str
    variant: Variant
    color: Color
    speed: str
    rated: bool


@dataclass(frozen=True)
class Question:
    """A position with its history, and the clock; an answer later than `within_ms` or after `over` counts for nothing.

    `positions` are all of the game, `moves` those played between them; `think_ms` is what our search would think.
    """

    setting: Setting
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    clock: GameClock
    within_ms: float
    think_ms: float
    over: Interrupt

    @property
    def position(self) -> Position:
        """The position in which a move is wanted."""
        return self.positions[-1]

    def repeats(self, after: Position) -> bool:
        """Whether a position has stood on the board before."""
        return any(position.key == after.key for position in self.positions)


@dataclass(frozen=True)
class Suggestion:
    """A move in UCI form, and how it stands from our side if the source knows; `certain` when that is beyond doubt."""

    uci: str
    score_cp: int | None = None
    certain: bool = False


class MoveSource(Protocol):
    """Knows moves. `suggest` is called by threads of its own, for several games at once.

    One that `thinks` uses the time that our search would, instead of its time-out.
    """

    thinks: bool = False

    def plays(self, variant: Variant) -> bool:
        """Whether there is any sense in asking it about that game."""
        return True

    def fits(self, position: Position) -> bool:
        """Whether there is any sense in asking it about that position; what does not fit is no miss."""
        return True

    def begin_game(self, setting: Setting) -> None:
        """A game begins in which it may be asked; does not wait."""
        return

    def suggest(self, question: Question) -> Suggestion | None:
        """A move, None when it knows none. Raises SourceFailed."""

    def end_game(self, game_id: str) -> None:
        """A game is over; does not wait."""
        return

    def close(self) -> None:
        """No more questions; does not wait."""
        return
