"""The score of a match, its error bars by pairs, and the test that stops it."""

from math import inf, log

import pytest

from bot.search.sprt import BOUND, Sprt
from bot.search.tally import BROKEN, ILLEGAL, TIME, Faults, Result, Tally, elo_of, share_of, standard_error


def tally_of(*points: float, reason: str = "checkmate") -> Tally:
    tally = Tally()
    for number, each in enumerate(points):
        tally = tally.plus(number, Result(each, 40, reason))
    return tally


def test_wins_draws_and_losses_are_points() -> None:
    tally = tally_of(1, 0.5, 0.5, 0, 1, 1)
    assert (tally.wins, tally.draws, tally.losses) == (3, 2, 1)
    assert tally.percent == pytest.approx(66.67, abs=0.01)


def test_games_are_paired_by_their_numbers_in_whatever_order_they_end() -> None:
    tally = Tally()
    for number, points in ((3, 1.0), (0, 0.0), (5, 0.5), (2, 0.5), (1, 0.0)):
        tally = tally.plus(number, Result(points, 40, "checkmate"))
    assert tally.pairs == (1, 0, 0, 1, 0)
    assert tally.games == 5


def test_a_pair_that_an_opening_decided_both_ways_says_nothing_of_chance() -> None:
    # Twenty games, each pair 1-1: by single games the error would be 22 %.
    assert tally_of(*[1, 0] * 10).error_percent == 0


def test_the_error_is_that_of_the_mean_of_pairs() -> None:
    # Pairs with 0, 1/2 and 1 of their points: variance 1/6, three pairs.
    assert standard_error((1, 0, 1, 0, 1)) == pytest.approx((1 / 6 / 3) ** 0.5)
    assert tally_of(0, 0, 1, 0, 1, 1).error_percent == pytest.approx(100 * 1.96 * (1 / 18) ** 0.5)


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, 0), (0.75, 190.85), (0.25, -190.85), (0.64, 99.95), (1, inf), (0, -inf)]
)
def test_a_share_of_the_points_is_a_difference_in_elo(share: float, elo: float) -> None:
    assert elo_of(share) == pytest.approx(elo, abs=0.01)
    if 0 < share < 1:
        assert share_of(elo_of(share)) == pytest.approx(share)


def test_elo_has_an_error_unless_the_interval_reaches_a_clean_score() -> None:
    level = tally_of(*[1, 0.5, 0.5, 0] * 50)
    # 3.41 Elo a percent round the middle.
    assert level.elo == 0
    assert level.error_elo == pytest.approx(level.error_percent * 4 * 100 / log(10) * 400 / 10000, rel=0.01)
    assert tally_of(1, 1).error_elo == inf


def test_faults_are_counted_for_the_player_who_lost_by_them() -> None:
    tally = Tally()
    for number, (points, reason) in enumerate([(0, ILLEGAL), (1, TIME), (1, BROKEN), (1, TIME), (0.5, "repetition")]):
        tally = tally.plus(number, Result(points, 9, reason))
    assert tally.first_faults == Faults(illegal=1)
    assert tally.second_faults == Faults(time=2, broken=1)
    assert (tally.wins, tally.draws, tally.losses) == (3, 1, 1)


def test_with_two_results_only_the_ratio_is_that_of_a_coin() -> None:
    low, high = share_of(0), share_of(8)
    expected = 120 * log(high / low) + 100 * log((1 - high) / (1 - low))
    assert Sprt(0, 8).llr((100, 0, 0, 0, 120)) == pytest.approx(expected, abs=1e-4)


def test_near_its_hypotheses_the_ratio_is_that_of_a_normal_mean() -> None:
    # Source: M. Van den Bergh, "GSPRT approximation": (s1 - s0) (2 s - s0 - s1) / (2 variance of the mean).
    pairs = (10, 100, 200, 110, 12)
    mean = sum(index * pair for index, pair in enumerate(pairs)) / 4 / sum(pairs)
    low, high = share_of(0), share_of(8)
    expected = (high - low) * (2 * mean - low - high) / standard_error(pairs) ** 2 / 2
    assert Sprt(0, 8).llr(pairs) == pytest.approx(expected, rel=0.01)


def test_exchanging_the_players_and_the_hypotheses_changes_the_sign_only() -> None:
    assert Sprt(0, 8).llr((3, 12, 80, 40, 15)) == pytest.approx(-Sprt(-8, 0).llr((15, 40, 80, 12, 3)))


def test_the_bounds_are_walds_for_five_percent() -> None:
    assert pytest.approx(2.944, abs=0.001) == BOUND


@pytest.mark.parametrize(
    ("pairs", "accepted"),
    [((0, 0, 0, 0, 0), None), ((3, 12, 80, 40, 15), None), ((3, 12, 80, 60, 25), 8), ((30, 70, 80, 12, 3), 0)],
)
def test_the_match_is_settled_beyond_a_bound(pairs: tuple[int, ...], accepted: float | None) -> None:
    assert Sprt(0, 8).accepted(pairs) == accepted


def test_the_hypotheses_come_in_order() -> None:
    with pytest.raises(ValueError, match="8,0"):
        Sprt(8, 0)
