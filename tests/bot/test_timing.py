"""How long to think: never past the clock, enough left for the moves to come, and short when nobody counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import wire
from bot.config import Timing
from bot.following import FollowedGame
from bot.search.clock import share
from bot.timing import (
    Budget,
    DayClock,
    GameClock,
    NoClock,
    Overhead,
    RunningClock,
    TurnClock,
    budget,
    charged_ms,
    left_ms,
    patience_ms,
    pause_ms,
    tolerable_silence_s,
)

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


def test_the_first_move_in_a_tournament_comes_well_before_its_limit() -> None:
    """Section 10: a player who does not start in time has lost."""
    clock = RunningClock(10_800_000, 60_000, 0, start_within_ms=2_000)
    assert 500 < budget_of(clock, waited_ms=500).hard_ms <= 750
    assert budget_of(clock, waited_ms=5_000).hard_ms == 1
    assert budget_of(replace(clock, own_moves=1)).hard_ms > SETTINGS.first_move_ms


def test_the_time_to_start_is_what_the_last_state_leaves_of_it() -> None:
    full = wire.read(
        wire.GameFull,
        {
            "id": "abcdefgh", "variant": {"key": "standard"}, "speed": "blitz", "tournamentId": "aReNa123",
            "clock": {"initial": 180_000, "increment": 2_000}, "white": {"id": "housebot"}, "black": {"id": "rival"},
            "state": {
                "moves": "", "wtime": 180_000, "btime": 180_000, "winc": 2_000, "binc": 2_000, "status": "started",
                "expiration": {"idleMillis": 245, "millisToMove": 21_000},
            },
        },
    )  # fmt: skip
    game = FollowedGame(full, "housebot")
    game.update(full.state)
    assert game.clock == RunningClock(180_000, 2_000, 0, start_within_ms=20_755)


def test_more_time_and_more_increment_give_longer_thoughts() -> None:
    minute, hour = budget_of(RunningClock(60_000, 0, 10)), budget_of(RunningClock(3_600_000, 0, 10))
    assert minute.soft_ms < hour.soft_ms
    assert minute.soft_ms < budget_of(RunningClock(60_000, 2_000, 10)).soft_ms


@dataclass
class Table:
    """A server's clock at the far end of a slow line: it takes the whole time that a move is away from it."""

    left_ms: float
    increment_ms: int
    earned_ms: int | None = None

    def play(self, latencies_ms: Sequence[float], spend: Sequence[float]) -> None:
        """So many moves: each uses that part of what its budget allows; the first costs and earns nothing."""
        overhead = Overhead(assumed_ms=SETTINGS.overhead_ms)
        earned_ms = self.increment_ms if self.earned_ms is None else self.earned_ms
        for own_moves, latency_ms in enumerate(latencies_ms):
            clock = RunningClock(int(self.left_ms), self.increment_ms, own_moves)
            found = budget_of(clock, overhead)
            part = spend[own_moves % len(spend)]
            used_ms = found.soft_ms + (found.hard_ms - found.soft_ms) * part
            if own_moves:
                self.left_ms -= used_ms + latency_ms
                assert self.left_ms > 0, f"flag at move {own_moves + 1}"
                self.left_ms += earned_ms
            after = RunningClock(int(self.left_ms), self.increment_ms, own_moves + 1)
            cost_ms = charged_ms(clock, after, used_ms)
            overhead = overhead.with_cost(latency_ms if cost_ms is None else cost_ms)


LINES = [(60_000, 0, 50, 300, 140), (60_000, 1_000, 400, 800, 300), (180_000, 0, 200, 400, 160)]


@pytest.mark.parametrize(("start_ms", "increment_ms", "least_ms", "most_ms", "moves"), LINES)
@given(seed=st.integers(0, 2**32), spend=st.lists(st.floats(0, 1), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_a_slow_and_unsteady_line_does_not_cost_the_game(
    start_ms: int, increment_ms: int, least_ms: int, most_ms: int, moves: int, seed: int, spend: list[float]
) -> None:
    chance = Random(seed)
    latencies_ms = [chance.uniform(least_ms, most_ms) for _ in range(moves)]
    Table(start_ms, increment_ms).play(latencies_ms, spend)


@pytest.mark.parametrize(("start_ms", "increment_ms", "least_ms", "most_ms", "moves"), LINES)
@pytest.mark.parametrize("part", [0.0, 1.0])
def test_a_line_that_is_always_slow_does_not_cost_the_game(
    start_ms: int, increment_ms: int, least_ms: int, most_ms: int, moves: int, part: float
) -> None:
    Table(start_ms, increment_ms).play([most_ms] * moves, [part])


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_trap_41_an_increment_that_is_announced_but_not_given_does_not_cost_the_game(seed: int) -> None:
    chance = Random(seed)
    latencies_ms = [chance.uniform(20, 120) for _ in range(120)]
    Table(90_000, 2_000, earned_ms=0).play(latencies_ms, [0.0])


def test_trap_42_time_that_was_added_hides_the_cost_of_a_move() -> None:
    assert charged_ms(RunningClock(20_000, 0, 9), RunningClock(34_000, 0, 10), 700) is None
    assert budget_of(RunningClock(500_000, 0, 30)).hard_ms > budget_of(RunningClock(20_000, 0, 30)).hard_ms


def test_the_cost_of_a_move_is_what_the_clock_says_beyond_our_thinking() -> None:
    assert charged_ms(RunningClock(20_000, 1_000, 9), RunningClock(20_180, 1_000, 10), 700) == 120
    assert charged_ms(RunningClock(20_000, 0, 0), RunningClock(20_000, 0, 1), 700) is None, "the clock stood"


def test_trap_43_a_clock_at_zero_gets_a_move_at_once() -> None:
    found = budget_of(RunningClock(0, 0, 20), waited_ms=500)
    assert (found.soft_ms, found.hard_ms) == (1, 1)
    assert patience_ms(RunningClock(0, 0, 20), 500, 1, NEAR, SETTINGS) < 50


def test_a_search_is_given_up_before_the_flag() -> None:
    for left in (200, 1_000, 5_000, 60_000):
        clock = RunningClock(left, 0, 20)
        found = budget_of(clock)
        patience = patience_ms(clock, 0, found.hard_ms, NEAR, SETTINGS)
        assert found.hard_ms + patience + NEAR.ms < left
        assert patience <= SETTINGS.overdue_ms
    assert patience_ms(NoClock(), 0, 5_000, NEAR, SETTINGS) == SETTINGS.overdue_ms


def test_a_pause_before_a_move_is_off_by_default() -> None:
    assert pause_ms(RunningClock(60_000, 0, 5), Budget(1_000, 3_000), 0, 0.5, SETTINGS) == 0


@given(TIMES, st.floats(0, 5_000), st.floats(0, 1))
def test_no_pause_takes_much_of_the_clock(left: int, thought_ms: float, chance: float) -> None:
    clock, slow = RunningClock(left, 0, 10), Timing(least_ms=1_500, human_pace=True)
    pause = pause_ms(clock, budget_of(clock), thought_ms, chance, slow)
    assert 0 <= pause <= left / 40 + 0.001


def test_a_least_time_and_a_persons_pace_count_what_was_thought() -> None:
    clock, own = RunningClock(300_000, 0, 10), Budget(6_000, 20_000)
    assert pause_ms(clock, own, 200, 0.5, Timing(least_ms=1_500)) == 1_300
    assert pause_ms(clock, own, 2_000, 0.5, Timing(least_ms=1_500)) == 0
    pauses = [pause_ms(clock, own, 0, number / 10, Timing(human_pace=True)) for number in range(11)]
    assert pauses == sorted(pauses) and pauses[0] > 1_000 and pauses[-1] > 2 * pauses[0]


def test_what_is_left_of_each_kind_of_clock() -> None:
    clocks = (RunningClock(7, 0, 0), TurnClock(8), DayClock(9), NoClock())
    assert [left_ms(clock) for clock in clocks] == [7, 8, 9, None]


@given(TIMES, st.integers(0, 10_000), st.integers(0, 500), st.integers(0, 200))
def test_the_protocol_for_engines_shares_a_clock_by_the_same_formula(
    left: int, increment_ms: int, overhead_ms: int, own_moves: int
) -> None:
    own = share(left, increment_ms, None, overhead_ms + SETTINGS.margin_ms, own_moves)
    clock = RunningClock(left, increment_ms, own_moves)
    found = budget(clock, 0, Overhead(overhead_ms), SETTINGS)
    assert found == Budget(own.soft_ms, own.time_ms) or own_moves == 0


def test_overhead_is_assumed_then_measured_and_forgets() -> None:
    overhead = Overhead(assumed_ms=100)
    assert overhead.ms == 100
    overhead = overhead.with_cost(30.4)
    assert overhead.ms == 30
    for _ in range(10):
        overhead = overhead.with_cost(20)
    assert overhead.with_cost(4_000).ms == 30, "one outlier among many does not count"
    for _ in range(20):
        overhead = overhead.with_cost(200)
    assert overhead.ms == 200


def test_waiting_before_the_search_is_taken_off() -> None:
    clock = RunningClock(1_000, 0, 20)
    assert budget_of(clock, waited_ms=900).hard_ms < budget_of(clock).hard_ms


@pytest.mark.parametrize(
    ("clock", "silence_s"),
    [
        (RunningClock(60_000, 0, 5), 7.5),
        (RunningClock(8_000, 0, 30), 3),
        (RunningClock(180_000, 2_000, 1), 22.5),
        (RunningClock(900_000, 10_000, 9), None),
        (RunningClock(900_000, 10_000, 0), 10),
        (TurnClock(30_000), 3.75),
        (DayClock(1_000), None),
        (NoClock(), None),
    ],
)
def test_how_long_the_opponent_may_be_silent(clock: GameClock, silence_s: float | None) -> None:
    assert tolerable_silence_s(clock, least_s=3, most_s=60) == silence_s
