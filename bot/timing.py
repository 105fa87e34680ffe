"""How long to think: pure arithmetic on the clock and on what a move costs beside thinking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.config import Timing
from bot.search.clock import share

REMEMBERED: Final = 16
ENOUGH_TO_LEAVE_ONE_OUT: Final = 4
LEAST_PATIENCE_MS: Final = 20
PACE_LEAST: Final = 0.3
PACE_MOST: Final = 1.2
PACE_OF_CLOCK: Final = 1 / 40
SILENCE_OF_CLOCK: Final = 1 / 8
SILENCE_BEFORE_START_S: Final = 10.0


@dataclass(frozen=True)
class Overhead:
    """What a move costs beside thinking, from the last moves: what the clock was charged, else their round trips."""

    assumed_ms: int
    seen_ms: tuple[int, ...] = ()

    def with_cost(self, cost_ms: float) -> Overhead:
        """The same, one move wiser."""
        return replace(self, seen_ms=(*self.seen_ms, round(cost_ms))[-REMEMBERED:])

    @property
    def ms(self) -> int:
        """What to expect of the next move: the worst of the last ones, one outlier among many left out."""
        if not self.seen_ms:
            return self.assumed_ms
        ordered = sorted(self.seen_ms)
        return ordered[-2] if len(ordered) >= ENOUGH_TO_LEAVE_ONE_OUT else ordered[-1]


@dataclass(frozen=True)
class RunningClock:
    """A clock for the whole game: what is left, and what every move earns; `own_moves` were made so far.

    start_within_ms: in a tournament, when the first move has to be made.
    """

    left_ms: int
    increment_ms: int
    own_moves: int
    start_within_ms: int | None = None


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


def left_ms(clock: GameClock) -> int | None:
    """What the clock shows, None when nobody counts."""
    return None if isinstance(clock, NoClock) else clock.left_ms


def charged_ms(before: RunningClock, after: RunningClock, used_ms: float) -> float | None:
    """What a move cost beside the `used_ms` that we know of, by the clock before and after it; None when unknown.

    It holds whatever lies between us and the server in both directions. An increment that is announced but not given
    appears as a cost, which comes to the same. Time that was added meanwhile hides it.
    """
    cost_ms = before.left_ms + before.increment_ms - after.left_ms - used_ms
    return cost_ms if before.own_moves and cost_ms >= 0 else None


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
    own = share(clock.left_ms - waited_ms, clock.increment_ms, None, cost_ms, clock.own_moves)
    if clock.own_moves:
        return Budget(own.soft_ms, own.time_ms)
    # the clock is not running yet, but the opponent waits, and a tournament does not wait for ever
    hard_ms = min(own.time_ms, settings.first_move_ms)
    if clock.start_within_ms is not None:
        hard_ms = max(1, min(hard_ms, int(clock.start_within_ms - waited_ms - cost_ms) // 2))
    return Budget(min(own.soft_ms, hard_ms), hard_ms)


def _available_ms(left_ms: int, waited_ms: float, overhead: Overhead, settings: Timing) -> float:
    return max(0.0, left_ms - waited_ms - overhead.ms - settings.margin_ms)


def patience_ms(clock: GameClock, waited_ms: float, hard_ms: int, overhead: Overhead, settings: Timing) -> float:
    """How much longer than `hard_ms` to wait before some move is played without the search: never up to the flag."""
    if isinstance(clock, NoClock | DayClock) or (isinstance(clock, RunningClock) and not clock.own_moves):
        return float(settings.overdue_ms)
    spare_ms = _available_ms(clock.left_ms, waited_ms, overhead, settings) - hard_ms
    return max(LEAST_PATIENCE_MS, min(settings.overdue_ms, spare_ms / 2))


def pause_ms(clock: GameClock, budget: Budget, thought_ms: float, chance: float, settings: Timing) -> float:
    """How long to wait with a move that was found after `thought_ms`; `chance` is drawn from 0 to 1.

    A person's pace takes a part of the budget; neither it nor the least time for a move ever takes much of the clock.
    """
    wanted_ms = float(settings.least_ms)
    if settings.human_pace:
        wanted_ms = max(wanted_ms, budget.soft_ms * (PACE_LEAST + (PACE_MOST - PACE_LEAST) * chance**2))
    if isinstance(clock, RunningClock | TurnClock):
        wanted_ms = min(wanted_ms, clock.left_ms * PACE_OF_CLOCK)
    return max(0.0, wanted_ms - thought_ms)


def tolerable_silence_s(clock: GameClock, least_s: float, most_s: float) -> float | None:
    """How long nothing may be heard of the opponent's move before the news of it may be lost, and our clock run.

    None where `most_s`, after which somebody looks anyway, is soon enough.
    """
    if not isinstance(clock, RunningClock | TurnClock):
        return None
    silence_s = max(least_s, clock.left_ms / 1000 * SILENCE_OF_CLOCK)
    if isinstance(clock, RunningClock) and clock.own_moves == 0:
        silence_s = max(least_s, SILENCE_BEFORE_START_S)
    return silence_s if silence_s < most_s else None


def _steady(think_ms: float) -> Budget:
    return _whole(think_ms * 0.7, think_ms)


def _whole(soft_ms: float, hard_ms: float) -> Budget:
    return Budget(max(1, int(soft_ms)), max(1, int(hard_ms)))
