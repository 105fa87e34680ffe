"""Manners at the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.conduct import (
    Standing,
    abort_after_s,
    accepts_draw,
    grants_takeback,
    may_abort,
    may_claim,
    offers_draw,
    resigns,
)
from bot.config import Conduct, Draws, Resignation, Takebacks

LEVEL = Standing(scores_cp=(3, 0, -4, 0, 0), move_number=60, can_win=True, opponent_can_win=True, plies=118, men=9)
DRAWS = Draws()


def test_a_dead_draw_is_offered_and_accepted() -> None:
    assert accepts_draw(LEVEL, DRAWS)
    assert offers_draw(LEVEL, DRAWS)


@pytest.mark.parametrize(
    "standing",
    [
        replace(LEVEL, scores_cp=(0, 0, 0, 0)),
        replace(LEVEL, scores_cp=(0, 0, 0, 0, 80)),
        replace(LEVEL, move_number=20),
    ],
)
def test_a_draw_is_neither_offered_nor_accepted_while_there_is_play(standing: Standing) -> None:
    assert not accepts_draw(standing, DRAWS)
    assert not offers_draw(standing, DRAWS)


def test_no_offer_when_better_however_little() -> None:
    assert not offers_draw(replace(LEVEL, scores_cp=(0, 0, 0, 0, 5)), DRAWS)


def test_no_offer_to_a_side_that_cannot_win() -> None:
    assert not offers_draw(replace(LEVEL, opponent_can_win=False), DRAWS)


def test_one_offer_in_twenty_moves() -> None:
    assert not offers_draw(replace(LEVEL, plies_since_offer=39), DRAWS)
    assert offers_draw(replace(LEVEL, plies_since_offer=40), DRAWS)


def test_a_draw_is_welcome_when_worse_or_unable_to_win() -> None:
    assert accepts_draw(replace(LEVEL, scores_cp=(-200, -300), move_number=20), DRAWS)
    assert not accepts_draw(replace(LEVEL, scores_cp=(-300,), move_number=20), DRAWS)
    assert accepts_draw(replace(LEVEL, scores_cp=(), can_win=False), DRAWS)


def test_draws_can_be_switched_off() -> None:
    assert not accepts_draw(LEVEL, Draws(accept=False))
    assert not offers_draw(LEVEL, Draws(offer=False))


def test_a_draw_that_a_table_knows_is_offered_and_accepted_at_once() -> None:
    known = replace(LEVEL, scores_cp=(250, 0), move_number=20, plies=38, certain=True)
    assert accepts_draw(known, DRAWS)
    assert offers_draw(known, DRAWS)
    assert not offers_draw(replace(known, opponent_can_win=False), DRAWS)
    assert not offers_draw(replace(known, plies_since_offer=10), DRAWS)
    assert not accepts_draw(replace(known, scores_cp=(0, 10_000)), DRAWS)


def test_draws_may_be_kept_to_few_men_and_worthy_opponents() -> None:
    assert not offers_draw(LEVEL, Draws(most_men=8))
    assert offers_draw(LEVEL, Draws(most_men=9))
    assert accepts_draw(LEVEL, Draws(most_men=8)), "who offers has reasons"
    rated = replace(LEVEL, opponent_rating=1900)
    for strict, expected in ((Draws(least_rating=2000), False), (Draws(least_rating=1900), True)):
        assert accepts_draw(rated, strict) is offers_draw(rated, strict) is expected
    assert accepts_draw(LEVEL, Draws(least_rating=2000)), "an unknown rating bars nobody"
    assert accepts_draw(replace(rated, can_win=False), Draws(least_rating=2000)), "a dead draw is a draw"


def test_trap_59_rules_of_the_challenge_are_remembered() -> None:
    early = replace(LEVEL, plies=59, rules=frozenset({"noEarlyDraw"}))
    assert not offers_draw(early, DRAWS)
    assert offers_draw(replace(early, plies=60), DRAWS)
    assert not offers_draw(replace(LEVEL, plies=1), DRAWS), "before both have moved an offer does nothing"
    assert may_abort(frozenset()) and not may_abort(frozenset({"noAbort"}))
    assert may_claim(frozenset({"noAbort"})) and not may_claim(frozenset({"noClaimWin"}))


def test_resigning_is_off_unless_configured() -> None:
    lost = replace(LEVEL, scores_cp=(-1500,) * 5)
    assert not resigns(lost, Resignation())
    assert resigns(lost, Resignation(allow=True))


@pytest.mark.parametrize(
    "standing",
    [
        replace(LEVEL, scores_cp=(-1500,) * 4),
        replace(LEVEL, scores_cp=(-1500, -1500, -800, -1500, -1500)),
        replace(LEVEL, scores_cp=(-1500,) * 5, opponent_can_win=False),
        replace(LEVEL, scores_cp=(-1500,) * 5, opponent_rating=1400),
    ],
)
def test_resigning_takes_several_hopeless_moves_and_an_opponent_who_can_win(standing: Standing) -> None:
    assert not resigns(standing, Resignation(allow=True, least_rating=1500))


def test_takebacks_are_for_humans_in_casual_games_up_to_a_number() -> None:
    def granted(*, machine: bool = False, rated: bool = False, before: int = 0, settings: Takebacks) -> bool:
        return grants_takeback(settings, opponent_is_machine=machine, rated=rated, granted=before)

    usual = Takebacks()
    assert granted(settings=usual)
    assert granted(settings=usual, before=2)
    assert not granted(settings=usual, before=3)
    assert not granted(settings=usual, machine=True)
    assert not granted(settings=usual, rated=True)
    assert granted(settings=Takebacks(rated=True, bots=1), rated=True, machine=True)


def test_humans_get_longer_for_their_first_move() -> None:
    assert abort_after_s(Conduct(), opponent_is_machine=False) > abort_after_s(Conduct(), opponent_is_machine=True)
