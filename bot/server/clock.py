"""The clocks of a game. Countdown clocks count in centiseconds, as Lichess does; all times in and out are ms.

A table clock is told of every move and asked for what is left; it never looks at the time by itself.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.server.terms import Correspondence, Countdown, PerTurn, TimeControl
from rules.move import Color

_ENDLESS_MS = 2_147_483_647
_LEAST_START_CS = 300
_DAY_MS = 86_400_000
_EXPECTED_MOVES = 40
PLIES_BEFORE_START = 2
_RESTART_BONUS_MS = 20_000


@dataclass(frozen=True, slots=True)
class ClockMemory:
    """What a clock has to remember; of its fields each kind of clock uses those it needs, pairs are White's first."""

    to_move: Color = Color.WHITE
    turn_began_ms: int | None = None
    stopped_at_ms: int | None = None
    left_cs: tuple[int, int] = (0, 0)
    history_cs: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    earned_cs: tuple[int, int] = (0, 0)
    started_early: bool = False


class TableClock(Protocol):
    """The time of both players of one game."""

    @property
    def increment_ms(self) -> int:
        """What is added after a move."""

    @property
    def measured(self) -> bool:
        """Whether time is kept at all."""

    def left_ms(self, color: Color, now_ms: int) -> int:
        """What `color` has left; never negative."""

    def flag_at_ms(self) -> int | None:
        """When the side to move runs out of time, if its clock is running."""

    def moved(self, color: Color, now_ms: int, *, earns: bool, lag_ms: int = 0) -> None:
        """`color` has moved; `earns` is false for the move that ends the game, and `lag_ms` is not charged."""

    def rewind(self, to_move: Color, now_ms: int) -> None:
        """The last move is taken back; `to_move` was to answer it."""

    def jump(self, color: Color, by_ms: int) -> None:
        """Give `color` more time, or less."""

    def stop(self, now_ms: int) -> None:
        """The game is over."""

    def after_each_ply_cs(self, first: Color) -> list[int]:
        """What the mover of each ply had left after it; empty when no such record is kept."""

    def memory(self) -> ClockMemory:
        """All that it takes to go on with `recall`."""

    def recall(self, memory: ClockMemory) -> None:
        """Stand as it stood then."""

    def resume(self, now_ms: int, alive_at_ms: int) -> None:
        """The server is back; it was last known to be there at `alive_at_ms`."""


def clock_for(time: TimeControl, first: Color, now_ms: int) -> TableClock:
    """A clock for a new game, in which `first` is to move."""
    match time:
        case Countdown():
            return CountdownClock(time.limit_s * 100, time.increment_s * 100, first)
        case PerTurn():
            return TurnClock(time.limit_s * 1000, 10, first, now_ms, waits_for_server=True)
        case Correspondence():
            return TurnClock(time.days * _DAY_MS, 1000, first, now_ms, waits_for_server=False)
        case _:
            return NoClock()


class CountdownClock:
    """Time for the whole game. It starts once both have moved, and those two moves cost and earn nothing."""

    def __init__(self, limit_cs: int, increment_cs: int, first: Color) -> None:
        self._limit_cs = limit_cs
        self._start_cs = limit_cs or max(increment_cs, _LEAST_START_CS)
        self._increment_cs = increment_cs
        self._earned_cs = [increment_cs, increment_cs]
        self._started_early = False
        self._left_cs = [self._start_cs, self._start_cs]
        self._history_cs: tuple[list[int], list[int]] = ([], [])
        self._to_move = first
        self._turn_began_cs: int | None = None

    @property
    def increment_ms(self) -> int:
        """What is added after a move, by those who have not given it away."""
        return self._increment_cs * 10

    @property
    def measured(self) -> bool:
        """Time is kept."""
        return True

    def left_ms(self, color: Color, now_ms: int) -> int:
        """What `color` has left."""
        left_cs = self._left_cs[color]
        if color is self._to_move and self._turn_began_cs is not None:
            left_cs -= max(now_ms // 10 - self._turn_began_cs, 0)
        return max(left_cs, 0) * 10

    def flag_at_ms(self) -> int | None:
        """When the side to move runs out of time."""
        if self._turn_began_cs is None:
            return None
        return (self._turn_began_cs + self._left_cs[self._to_move]) * 10

    def moved(self, color: Color, now_ms: int, *, earns: bool, lag_ms: int = 0) -> None:
        """Charge the time used, but for the lag, and add the increment."""
        running = self._turn_began_cs is not None
        self._left_cs[color] = min(self.left_ms(color, now_ms) // 10 + lag_ms // 10, self._left_cs[color])
        if running and earns:
            self._left_cs[color] += self._earned_cs[color]
        self._history_cs[color].append(self._left_cs[color])
        self._to_move = color.other
        self._restart(now_ms)

    def rewind(self, to_move: Color, now_ms: int) -> None:
        """Give `to_move` back what it had; the mover keeps what the retracted move cost."""
        own = self._history_cs[to_move]
        self._left_cs[to_move] = own[-1] if own else self._start_cs
        self._history_cs[to_move.other].pop()
        self._to_move = to_move.other
        self._restart(now_ms)

    def jump(self, color: Color, by_ms: int) -> None:
        """Give `color` more time, or less."""
        self._left_cs[color] = max(self._left_cs[color] + by_ms // 10, 0)

    def stop(self, now_ms: int) -> None:
        """Charge the side to move and stand still."""
        self._left_cs[self._to_move] = self.left_ms(self._to_move, now_ms) // 10
        self._turn_began_cs = None

    def after_each_ply_cs(self, first: Color) -> list[int]:
        """What the mover of each ply had left after it."""
        columns = (self._history_cs[first], self._history_cs[first.other])
        plies = sum(map(len, columns))
        return [columns[ply % 2][ply // 2] for ply in range(plies)]

    def memory(self) -> ClockMemory:
        """All that it takes to go on."""
        return ClockMemory(
            self._to_move,
            None if self._turn_began_cs is None else self._turn_began_cs * 10,
            left_cs=(self._left_cs[0], self._left_cs[1]),
            history_cs=(tuple(self._history_cs[0]), tuple(self._history_cs[1])),
            earned_cs=(self._earned_cs[0], self._earned_cs[1]),
            started_early=self._started_early,
        )

    def recall(self, memory: ClockMemory) -> None:
        """Stand as it stood then."""
        self._to_move = memory.to_move
        self._left_cs = list(memory.left_cs)
        self._history_cs = (list(memory.history_cs[0]), list(memory.history_cs[1]))
        self._earned_cs = list(memory.earned_cs)
        self._started_early = memory.started_early
        self._turn_began_cs = None if memory.turn_began_ms is None else memory.turn_began_ms // 10

    def resume(self, now_ms: int, alive_at_ms: int) -> None:
        """Charge nothing for the server's absence; if it was shorter than 20 s, both get the rest of these.

        So a player loses or wins by a quick restart what it does on Lichess, and nobody loses on time by a long one.
        """
        if self._turn_began_cs is None:
            return
        alive_at_ms = max(alive_at_ms, self._turn_began_cs * 10)
        self._left_cs[self._to_move] = self.left_ms(self._to_move, alive_at_ms) // 10
        bonus_ms = max(_RESTART_BONUS_MS - max(now_ms - alive_at_ms, 0), 0)
        for color in Color:
            self._left_cs[color] += bonus_ms // 10
        self._turn_began_cs = now_ms // 10

    def _restart(self, now_ms: int) -> None:
        plies = sum(map(len, self._history_cs))
        self._turn_began_cs = now_ms // 10 if self._started_early or plies >= PLIES_BEFORE_START else None

    def start(self, now_ms: int) -> None:
        """Run from now on, though not both have moved."""
        if self._turn_began_cs is None:
            self._started_early = True
            self._restart(now_ms)

    def berserk(self, color: Color) -> None:
        """`color` plays on with half the time, unless the increment is most of it, and earns nothing any more."""
        if self._limit_cs >= _EXPECTED_MOVES * self._increment_cs:
            self._left_cs[color] -= self._limit_cs // 2
        self._earned_cs[color] = 0


class TurnClock:
    """The same time for every move, from the first one on."""

    def __init__(
        self, turn_ms: int, step_ms: int, first: Color, now_ms: int, *, waits_for_server: bool = True
    ) -> None:
        self._waits_for_server = waits_for_server
        self._turn_ms = turn_ms
        self._step_ms = step_ms
        self._to_move = first
        self._turn_began_ms = now_ms
        self._stopped_at_ms: int | None = None

    @property
    def increment_ms(self) -> int:
        """Nothing is added after a move."""
        return 0

    @property
    def measured(self) -> bool:
        """Time is kept."""
        return True

    def left_ms(self, color: Color, now_ms: int) -> int:
        """What is left of this turn for the side to move, a whole turn for the other."""
        if color is not self._to_move:
            return self._turn_ms
        if self._stopped_at_ms is not None:
            now_ms = self._stopped_at_ms
        left_ms = max(self._turn_began_ms + self._turn_ms - now_ms, 0)
        return left_ms - left_ms % self._step_ms

    def flag_at_ms(self) -> int | None:
        """When this turn is over."""
        return None if self._stopped_at_ms is not None else self._turn_began_ms + self._turn_ms

    def moved(self, color: Color, now_ms: int, *, earns: bool, lag_ms: int = 0) -> None:
        """Begin the other side's turn."""
        self._to_move = color.other
        self._turn_began_ms = now_ms

    def rewind(self, to_move: Color, now_ms: int) -> None:
        """Begin the retracted turn anew."""
        self._to_move = to_move.other
        self._turn_began_ms = now_ms

    def jump(self, color: Color, by_ms: int) -> None:
        """Make this turn longer or shorter, if it is the one of `color`."""
        if color is self._to_move:
            self._turn_began_ms += by_ms

    def stop(self, now_ms: int) -> None:
        """Stand still."""
        self._stopped_at_ms = now_ms

    def after_each_ply_cs(self, first: Color) -> list[int]:
        """No record is kept."""
        return []

    def memory(self) -> ClockMemory:
        """All that it takes to go on."""
        return ClockMemory(self._to_move, self._turn_began_ms, self._stopped_at_ms)

    def recall(self, memory: ClockMemory) -> None:
        """Stand as it stood then."""
        self._to_move = memory.to_move
        self._turn_began_ms = memory.turn_began_ms or self._turn_began_ms
        self._stopped_at_ms = memory.stopped_at_ms

    def resume(self, now_ms: int, alive_at_ms: int) -> None:
        """Begin the turn anew; one of days has gone on meanwhile."""
        if self._waits_for_server and self._stopped_at_ms is None:
            self._turn_began_ms = now_ms


class NoClock:
    """All the time in the world."""

    @property
    def increment_ms(self) -> int:
        """Nothing is added after a move."""
        return 0

    @property
    def measured(self) -> bool:
        """Time is not kept."""
        return False

    def left_ms(self, color: Color, now_ms: int) -> int:
        """The figure that Lichess writes for no limit."""
        return _ENDLESS_MS

    def flag_at_ms(self) -> int | None:
        """Never."""
        return None

    def moved(self, color: Color, now_ms: int, *, earns: bool, lag_ms: int = 0) -> None:
        """Nothing to count."""

    def rewind(self, to_move: Color, now_ms: int) -> None:
        """Nothing to count."""

    def jump(self, color: Color, by_ms: int) -> None:
        """Nothing to count."""

    def stop(self, now_ms: int) -> None:
        """Nothing to count."""

    def after_each_ply_cs(self, first: Color) -> list[int]:
        """No record is kept."""
        return []

    def memory(self) -> ClockMemory:
        """Nothing to remember."""
        return ClockMemory()

    def recall(self, memory: ClockMemory) -> None:
        """Nothing to remember."""

    def resume(self, now_ms: int, alive_at_ms: int) -> None:
        """Nothing to count."""
