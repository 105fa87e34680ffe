"""How long to think: never past the clock, enough left for the moves to come, and short when nobody counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import Timing
from bot.timing import Budget, DayClock, GameClock, NoClock, Overhead, RunningClock, TurnClock, budget

SETTINGS = Timing()
NEAR = Overhead(assumed_ms=20)
TIMES = st.integers(0, 10**7)


def budget_of(clock: GameClock, overhead: Overhead = NEAR, waited_ms: float = 0) -> Budget:
    return budget(clock, waited_ms, overhead, SETTINGS)


@given(TIMES, st.integers(0, 60_000), st.integers(0, 300), st.integers(0, 2000), st.floats(0, 5000))
def test_no_budget_is_negative_or_past_the_flag(
    left_ms: int, increment_ms: int, own_moves: int, overhead_ms: int, waited_ms: float
) -> None:
    found = budget_of(RunningClock(left_ms, increment_ms, own_moves), Overhead(overhead_ms), waited_ms)
    assert 1 <= found.soft_ms <= found.hard_ms
    assert found.hard_ms <= max(1, left_ms - waited_ms - overhead_ms - SETTINGS.margin_ms)


@given(TIMES, st.floats(0, 5000))
def test_a_turn_and_a_day_are_not_used_up(left_ms: int, waited_ms: float) -> None:
    for clock in (TurnClock(left_ms), DayClock(left_ms)):
        found = budget_of(clock, waited_ms=waited_ms)
        assert 1 <= found.soft_ms <= found.hard_ms <= max(1, (left_ms - waited_ms) / 2)


def test_unlimited_and_correspondence_have_times_of_their_own() -> None:
    assert budget_of(NoClock()).hard_ms == SETTINGS.unlimited_ms
    assert budget_of(DayClock(3 * 86_400_000)).hard_ms == SETTINGS.correspondence_ms
    assert budget_of(TurnClock(30_000)).hard_ms == SETTINGS.unlimited_ms


def test_the_first_move_is_quick_although_the_clock_stands() -> None:
    assert budget_of(RunningClock(10_800_000, 60_000, own_moves=0)).hard_ms <= SETTINGS.first_move_ms
    assert budget_of(RunningClock(10_800_000, 60_000, own_moves=1)).hard_ms > SETTINGS.first_move_ms


def test_more_time_and_more_increment_give_longer_thoughts() -> None:
    minute, hour = budget_of(RunningClock(60_000, 0, 10)), budget_of(RunningClock(3_600_000, 0, 10))
    assert minute.soft_ms < hour.soft_ms
    assert minute.soft_ms < budget_of(RunningClock(60_000, 2_000, 10)).soft_ms


@pytest.mark.parametrize(
    ("start_ms", "increment_ms", "delay_ms", "moves"),
    [(60_000, 0, 50, 180), (60_000, 0, 300, 140), (60_000, 1_000, 800, 400), (180_000, 0, 400, 160)],
)
def test_a_slow_line_does_not_cost_the_game(start_ms: int, increment_ms: int, delay_ms: int, moves: int) -> None:
    """Every search uses all it may, and every move costs the delay on top."""
    left_ms, overhead = start_ms, Overhead(assumed_ms=100)
    for own_moves in range(moves):
        spent = budget_of(RunningClock(left_ms, increment_ms, own_moves), overhead).soft_ms + delay_ms
        overhead = overhead.with_round_trip(delay_ms)
        left_ms -= spent
        assert left_ms > 0, f"flag at move {own_moves}"
        left_ms += increment_ms


def test_overhead_is_assumed_then_measured_and_forgets() -> None:
    overhead = Overhead(assumed_ms=100)
    assert overhead.ms == 100
    overhead = overhead.with_round_trip(30.4)
    assert overhead.ms == 30
    for _ in range(10):
        overhead = overhead.with_round_trip(20)
    assert overhead.with_round_trip(4_000).ms == 30, "one outlier among many does not count"
    for _ in range(20):
        overhead = overhead.with_round_trip(200)
    assert overhead.ms == 200


def test_waiting_before_the_search_is_taken_off() -> None:
    clock = RunningClock(1_000, 0, 20)
    assert budget_of(clock, waited_ms=900).hard_ms < budget_of(clock).hard_ms
