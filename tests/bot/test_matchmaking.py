"""Whom to ask for which game, and what to make of the answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from bot.config import Matchmaking, MatchType, Rests
from bot.matchmaking import Candidate, Proposal, lessons, may_ask, perf_of, propose
from bot.records.met import REMEMBERED_S, Shun
from bot.time_controls import Countdown, PerDays, read
from bot.wire import Perf

NOW = 1_800_000_000.0
BLITZ = Countdown(180, 2)
OURS = {"blitz": Perf(rating=1800), "atomic": Perf(rating=1500)}


def bot(name: str, rating: int | None = None, prov: bool = False, perf: str = "blitz") -> Candidate:
    return Candidate(name, name, {} if rating is None else {perf: Perf(rating=rating, prov=prov)})


def settings(**types: dict[str, Any]) -> Matchmaking:
    return Matchmaking(allow=True, types={name: MatchType.model_validate(kind) for name, kind in types.items()})


USUAL = settings(usual={"time_controls": ("3+2",)})


def proposed(
    candidates: Sequence[Candidate],
    policy: Matchmaking = USUAL,
    shunned: Sequence[Shun] = (),
    approached: Mapping[str, float] | None = None,
    own: Mapping[str, Perf] = OURS,
) -> Counter[str]:
    """Who is asked how often in two hundred tries."""
    chance = random.Random(3)
    found = (propose(candidates, policy, own, shunned, approached or {}, chance) for _ in range(200))
    return Counter(each.opponent if each else "" for each in found)


def test_opponents_are_drawn_among_those_of_our_strength() -> None:
    found = proposed([bot("near", 1700), bot("far", 2200), bot("below", 1400), bot("new", 1900)])
    assert set(found) == {"near", "new"}
    assert min(found.values()) > 70


def test_the_rating_itself_is_bounded_too() -> None:
    policy = settings(usual={"time_controls": ("3+2",), "rating": {"least": 1750}})
    assert set(proposed([bot("weak", 1700), bot("strong", 1800)], policy)) == {"strong"}


def test_a_rating_that_nobody_knows_is_taken_or_not_as_configured() -> None:
    """Trap 31."""
    unknown = [bot("new"), bot("provisional", 2900, prov=True)]
    assert set(proposed(unknown)) == {"new", "provisional"}
    choosy = settings(usual={"time_controls": ("3+2",), "provisional": False})
    assert set(proposed(unknown, choosy)) == {""}
    assert set(proposed([bot("known", 2900)], own={})) == {"known"}


@pytest.mark.parametrize(
    ("prefer", "expected"),
    [("stronger", set(range(16, 21))), ("weaker", set(range(1, 6))), ("nearest", set(range(8, 13)))],
)
def test_a_preference_draws_among_the_best_few(prefer: str, expected: set[int]) -> None:
    policy = settings(usual={"time_controls": ("3+2",), "prefer": prefer})
    crowd = [bot(str(number), 1700 + 10 * number) for number in range(1, 21)]
    assert {int(name) for name in proposed(crowd, policy)} == expected


def test_who_was_asked_longest_ago_comes_first() -> None:
    crowd = [bot("lately", 1800), bot("never", 1800), bot("once", 1800)]
    assert set(proposed(crowd, approached={"lately": NOW, "once": NOW - 99})) == {"never"}
    assert set(proposed(crowd[::2], approached={"lately": NOW, "once": NOW - 99})) == {"once"}


@pytest.mark.parametrize(
    ("aspect", "left_alone"),
    [("", True), ("casual", True), ("rated", False), ("variant:standard", True), ("variant:atomic", False)],
)
def test_who_refused_is_left_alone_in_that_respect(aspect: str, left_alone: bool) -> None:
    found = proposed([bot("fusebox", 1800)], shunned=[Shun("fusebox", aspect, NOW)])
    assert set(found) == ({""} if left_alone else {"fusebox"})


def test_another_time_or_kind_is_found_for_who_refused_one() -> None:
    policy = settings(one={"time_controls": ("1+0", "3+2")}, two={"variants": ("atomic",), "rated": True})
    shunned = [Shun("fusebox", "time:1+0", NOW), Shun("fusebox", "rated", NOW)]
    chance = random.Random(1)
    fusebox = Candidate("fusebox", "fusebox", {"blitz": Perf(rating=1800), "atomic": Perf(rating=1500)})
    for _ in range(50):
        found = propose([fusebox], policy, OURS, shunned, {}, chance)
        assert found is not None
        assert (found.variant, found.control, found.rated) == ("standard", BLITZ, False)


def test_types_are_drawn_by_weight() -> None:
    policy = settings(
        much={"weight": 9, "time_controls": ("3+2",)}, little={"weight": 1, "variants": ("atomic",), "rated": True}
    )
    chance = random.Random(2)
    both = Candidate("fusebox", "fusebox", {"blitz": Perf(rating=1800), "atomic": Perf(rating=1500)})
    found = Counter(
        each.variant for _ in range(500) if (each := propose([both], policy, OURS, (), {}, chance)) is not None
    )
    assert 20 < found["atomic"] < 90
    assert sum(found.values()) == 500


def test_nobody_there_is_nobody_asked() -> None:
    assert set(proposed([])) == {""}


def test_games_are_rated_by_speed_or_by_themselves() -> None:
    assert perf_of("standard", BLITZ) == "blitz"
    assert perf_of("standard", PerDays(3)) == "correspondence"
    assert perf_of("atomic", BLITZ) == "atomic"
    assert perf_of("chess960", BLITZ) == "chess960"


def test_a_proposal_asks_for_our_color_and_its_second_leg_for_the_other() -> None:
    first = Proposal("fusebox", "chess960", BLITZ, True, "white", second_leg=True)
    assert first.fields == {
        "variant": "chess960", "rated": True, "color": "white", "fen": None, "clock.limit": 180, "clock.increment": 2,
    }  # fmt: skip
    second = first.swapped()
    assert (second.color, second.second_leg, second.swapped().color) == ("black", False, "white")


def test_only_when_there_is_nothing_better_to_do() -> None:
    policy = Matchmaking(allow=True, beside=("classical", "correspondence"))
    assert may_ask(policy, [], 1)
    assert may_ask(policy, ["classical", "correspondence"], 1)
    assert not may_ask(policy, ["classical", "blitz"], 1)
    assert not may_ask(policy, [], 0)
    assert not may_ask(Matchmaking(), [], 4)


@pytest.mark.parametrize(
    ("reason", "aspect", "hours"),
    [
        (None, "", 6),
        ("later", "", 1),
        ("generic", "", 24),
        ("onlybot", "", 24),
        ("noBot", "", REMEMBERED_S / 3600),
        ("toofast", "time:3+2", 24),
        ("tooSlow", "time:3+2", 24),
        ("timeControl", "time:3+2", 24),
        ("variant", "variant:atomic", 24),
        ("standard", "variant:atomic", 24),
        ("rated", "casual", 24),
        ("casual", "rated", 24),
    ],
)
def test_every_refusal_teaches_something(reason: str | None, aspect: str, hours: float) -> None:
    """Traps 39 and 40: "rated" asks for a rated game, and the case does not matter."""
    proposal = Proposal("fusebox", "atomic", BLITZ, True, "white")
    assert lessons(proposal, reason, Rests(), NOW) == Shun("fusebox", aspect, NOW + hours * 3600)


@pytest.mark.parametrize(
    "kind",
    [{"time_controls": ("0.25+0",)}, {"time_controls": ("4d",)}, {"variants": ("fromPosition",)}, {"variants": ()}],
)
def test_what_cannot_be_asked_for_is_an_error_of_the_configuration(kind: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        MatchType.model_validate(kind)


def test_days_are_asked_for_as_days() -> None:
    assert Proposal("fusebox", "standard", read("3d"), False, "black").fields["days"] == 3
