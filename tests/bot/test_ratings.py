"""Ratings: Glicko-2 against its author's example and Lichess's limits, and the parlour's Elo sentence by sentence."""

from __future__ import annotations

import pytest

from bot.ratings import (
    GLICKO_START,
    LADDERS_START,
    LEAST_DEVIATION,
    MOST_DEVIATION,
    MOST_RATING,
    PERIOD_MS,
    Glicko,
    Ladders,
    after_parlour_game,
    elo_change,
)

DAY_MS = 86_400_000


def ladders(general: int, monthly: int = 1000) -> Ladders:
    return Ladders(general, monthly, "2026-11")


def changes(white: Ladders, black: Ladders, score: float, **how: bool) -> list[tuple[int, int]]:
    """What a game brings White and Black: on the general and on the monthly ladder."""
    after = after_parlour_game(white, black, score, **how)
    pairs = zip((white, black), after, strict=True)
    return [(new.general - old.general, new.monthly - old.monthly) for old, new in pairs]


def test_everyone_begins_at_1500_and_in_doubt() -> None:
    assert (GLICKO_START.shown, GLICKO_START.deviation, GLICKO_START.provisional) == (1500, 500, True)


def test_glickos_own_example_game() -> None:
    # From the paper: 1500 with deviation 200 beats 1400 with deviation 30. One game of the example's three, so the
    # figures are those of the paper's formulas, worked out by hand.
    after = Glicko(1500, 200, 0.06, 0).after(Glicko(1400, 30, 0.06, 0), 1, 0)
    assert after.rating == pytest.approx(1563.6, abs=0.1)
    assert after.deviation == pytest.approx(175.4, abs=0.1)


def test_equals_win_and_lose_as_much_and_draw_for_nothing() -> None:
    won, lost = (GLICKO_START.after(GLICKO_START, score, 0) for score in (1, 0))
    assert won.shown - 1500 == 1500 - lost.shown > 100
    assert GLICKO_START.after(GLICKO_START, 0.5, 0).shown == 1500


def test_a_rating_is_provisional_until_a_dozen_games_or_so_are_played() -> None:
    own, opponent = GLICKO_START, Glicko(1500, 60, 0.06, 0)
    for games in range(1, 60):
        own = own.after(opponent, games % 2, 0)
        if not own.provisional:
            break
    assert 5 < games < 25
    assert LEAST_DEVIATION <= own.deviation <= 110


def test_a_rating_grows_doubtful_again_when_it_is_not_used() -> None:
    sure = Glicko(1700, 60, 0.06, 0)
    assert sure.aged(PERIOD_MS - 1).deviation == pytest.approx(60)
    a_year = sure.aged(365 * DAY_MS)
    assert a_year.shown == 1700 and 100 < a_year.deviation < 130
    assert sure.aged(4_000 * 365 * DAY_MS).deviation == MOST_DEVIATION
    assert sure.after(sure, 1, 365 * DAY_MS).rating > sure.after(sure, 1, 0).rating


def test_no_series_of_wins_leaves_the_scale() -> None:
    own = GLICKO_START
    for _ in range(300):
        own = own.after(Glicko(MOST_RATING, 45, 0.06, 0), 1, 0)
        assert own.rating <= MOST_RATING and LEAST_DEVIATION <= own.deviation <= MOST_DEVIATION
    lost = own.after(Glicko(400, 45, 0.06, 0), 0, 0)
    assert lost.rating < own.rating


@pytest.mark.parametrize(
    ("own", "other", "score", "points"),
    [
        (1000, 1000, 1, 15),
        (1000, 1000, 0, -15),
        (1000, 1000, 0.5, 0),
        (2000, 1000, 1, 0),
        (1000, 2000, 1, 30),
        (2000, 1000, 0, -30),
        (1000, 2000, 0, 0),
        (1000, 1400, 0.5, 12),
    ],
)
def test_a_win_moves_at_most_thirty_points(own: int, other: int, score: float, points: int) -> None:
    assert elo_change(own, other, score) == points
    assert elo_change(other, own, 1 - score) == -points


def test_both_ladders_start_at_a_thousand_and_the_monthly_one_every_month() -> None:
    assert LADDERS_START.in_month("2026-11") == Ladders(1000, 1000, "2026-11")
    november = Ladders(1240, 1130, "2026-11")
    assert november.in_month("2026-11") is november
    assert november.in_month("2026-12") == Ladders(1240, 1000, "2026-12")
    assert november.shown == 1240 and not november.provisional


def test_general_plus_one_may_be_monthly_plus_thirty() -> None:
    assert changes(ladders(1590, 1000), ladders(1000, 2000), 1) == [(1, 30), (-1, -30)]


def test_abandoning_costs_twenty_more_in_both_ladders() -> None:
    assert changes(ladders(1000), ladders(1000), 0, abandoned=True) == [(-35, -35), (15, 15)]
    assert changes(ladders(2000), ladders(1000, 2000), 1, abandoned=True) == [(0, 30), (-20, -50)]


def test_who_is_not_credited_with_the_win_gains_nothing_and_the_loser_still_pays() -> None:
    assert changes(ladders(1000), ladders(1000), 1, credited=False) == [(0, 0), (-15, -15)]
    assert changes(ladders(1000), ladders(1000), 0, abandoned=True, credited=False) == [(-35, -35), (0, 0)]
