"""How long to think: pure arithmetic on the clock and on what a move costs beside thinking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.config import Timing

REMEMBERED: Final = 16
LONG_GAME_MOVES: Final = 160
LEAST_RESERVED_MOVES: Final = 70
LEAST_SHARE: Final = 1 / 300
MOST_MOVES_LEFT: Final = 45
LEAST_MOVES_LEFT: Final = 20


@dataclass(frozen=True)
class Overhead:
    """What a move costs beside thinking, from the round trips of the last moves."""

    assumed_ms: int
    seen_ms: tuple[int, ...] = ()

    def with_round_trip(self, round_trip_ms: float) -> Overhead:
        """The same, one round trip wiser."""
        return replace(self, seen_ms=(*self.seen_ms, round(round_trip_ms))[-REMEMBERED:])

    @property
    def ms(self) -> int:
        """What to expect of the next move: the worst of the last ones, one outlier among many left out."""
        if not self.seen_ms:
            return self.assumed_ms
        ordered = sorted(self.seen_ms)
        return ordered[-2] if len(ordered) >= REMEMBERED // 2 else ordered[-1]


@dataclass(frozen=True)
class RunningClock:
    """A clock for the whole game: what is left, and what every move earns; `own_moves` were made so far."""

    left_ms: int
    increment_ms: int
    own_moves: int


@dataclass(frozen=True)
class TurnClock:
    """A clock for this turn only."""

    left_ms: int


@dataclass(frozen=True)
class DayClock:
    """Correspondence."""

    left_ms: int


@dataclass(frozen=True)
class NoClock:
    """All the time in the world."""


GameClock = RunningClock | TurnClock | DayClock | NoClock


@dataclass(frozen=True)
class Budget:
    """Milliseconds for one move: begin nothing new after `soft_ms`, be done by `hard_ms`."""

    soft_ms: int
    hard_ms: int


def budget(clock: GameClock, waited_ms: float, overhead: Overhead, settings: Timing) -> Budget:
    """The time for the next move; `waited_ms` have passed since the clock was told to us."""
    match clock:
        case NoClock():
            return _steady(settings.unlimited_ms)
        case DayClock(left_ms):
            return _steady(min(settings.correspondence_ms, _available_ms(left_ms, waited_ms, overhead, settings) / 2))
        case TurnClock(left_ms):
            return _steady(min(settings.unlimited_ms, _available_ms(left_ms, waited_ms, overhead, settings) / 2))
        case RunningClock():
            return _of_running_clock(clock, waited_ms, overhead, settings)


def _of_running_clock(clock: RunningClock, waited_ms: float, overhead: Overhead, settings: Timing) -> Budget:
    cost_ms = overhead.ms + settings.margin_ms
    available_ms = _available_ms(clock.left_ms, waited_ms, overhead, settings)
    # every later move costs its round trip as well: that much is not for thinking
    reserved_moves = max(LEAST_RESERVED_MOVES, LONG_GAME_MOVES - clock.own_moves)
    reserve_ms = reserved_moves * max(0, cost_ms - clock.increment_ms)
    moves_left = max(LEAST_MOVES_LEFT, MOST_MOVES_LEFT - clock.own_moves // 2)
    income_ms = 0.9 * max(0, clock.increment_ms - cost_ms)
    soft_ms = max((available_ms - reserve_ms) / moves_left, available_ms * LEAST_SHARE) + income_ms
    hard_ms = min(3 * soft_ms, available_ms / 4 + income_ms, available_ms)
    if clock.own_moves == 0:
        # the clock is not running yet, but the opponent waits
        hard_ms = min(hard_ms, settings.first_move_ms)
    return _whole(min(soft_ms, hard_ms), hard_ms)


def _available_ms(left_ms: int, waited_ms: float, overhead: Overhead, settings: Timing) -> float:
    return max(0.0, left_ms - waited_ms - overhead.ms - settings.margin_ms)


def _steady(think_ms: float) -> Budget:
    return _whole(think_ms * 0.7, think_ms)


def _whole(soft_ms: float, hard_ms: float) -> Budget:
    return Budget(max(1, int(soft_ms)), max(1, int(hard_ms)))
