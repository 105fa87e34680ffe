"""What scores mean."""

import pytest

from bot.search import wdl
from bot.search.clock import share
from bot.search.evaluation import for_game
from bot.search.wdl import Spread
from rules import variants

SPREAD = Spread(220.0, 80.0)


@pytest.mark.parametrize(
    ("score", "moves"), [(31999, 1), (31998, 1), (31997, 2), (-31998, -1), (-31996, -2), (500, None), (0, None)]
)
def test_distances_to_the_end_are_told_in_moves(score: int, moves: int | None) -> None:
    assert wdl.win_in(score) == moves


@pytest.mark.parametrize("score", [-31990, -900, -50, 0, 50, 900, 31990])
def test_chances_are_probabilities_and_the_same_for_both_sides(score: int) -> None:
    ours, theirs = wdl.chances(score, SPREAD), wdl.chances(-score, SPREAD)
    assert sum(ours) == pytest.approx(1)
    assert all(0 <= part <= 1 for part in ours)
    assert ours.win == pytest.approx(theirs.loss)
    assert ours.expected == pytest.approx(1 - theirs.expected)


def test_chances_rise_with_the_score() -> None:
    expected = [wdl.chances(score, SPREAD).expected for score in (-31000, -500, -100, 0, 100, 500, 31000)]
    assert expected == sorted(expected)
    assert expected[3] == pytest.approx(0.5)


@pytest.mark.parametrize("variant", variants.ALL, ids=lambda variant: variant.key)
def test_every_game_has_a_profile(variant) -> None:
    spread = for_game(variant).spread
    assert spread.slope_cp > 0


@pytest.mark.parametrize("left_ms", [1, 20, 100, 1000, 60_000, 3_600_000])
@pytest.mark.parametrize("increment_ms", [0, 100, 5000])
@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 40])
def test_a_clock_is_never_overdrawn(left_ms: int, increment_ms: int, moves_to_go: int | None) -> None:
    limits = share(left_ms, increment_ms, moves_to_go, overhead_ms=10)
    assert limits.time_ms is not None and limits.soft_ms is not None
    assert 1 <= limits.soft_ms <= limits.time_ms <= max(1, left_ms - 10)


def test_a_clock_of_many_moves_lasts() -> None:
    left_ms = 60_000
    for _ in range(60):
        left_ms -= share(left_ms, 0, None, overhead_ms=10).soft_ms or 0
    assert left_ms > 1000
