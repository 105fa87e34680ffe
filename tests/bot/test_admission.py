"""Which challenges are taken, and what each of the others is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot import wire
from bot.admission import Accept, Answer, Decline, Ignore, Known, Load, Wait, answer
from bot.config import Acceptance, Bots, Humans, SlowGames, Span

EVENTS = Path(__file__).parents[1] / "conformance" / "events" / "event_stream_challenges.ndjson"
EVERYTHING = Acceptance(max_games=2, humans=Humans(rated=Bots().rated))
FREE = Load()
US = {"id": "housebot", "name": "housebot", "title": "BOT", "rating": 1800}
BOT = {"id": "fusebox", "name": "fusebox", "title": "BOT"}
BLITZ = {"type": "clock", "limit": 180, "increment": 2}


def challenge(**changes: Any) -> wire.Challenge:
    usual = {
        "id": "abcdefgh",
        "challenger": {"id": "rival", "name": "Rival"},
        "destUser": US,
        "variant": {"key": "standard"},
        "speed": "blitz",
        "timeControl": BLITZ,
    }
    return wire.read(wire.Challenge, usual | changes)


def answered(
    policy: Acceptance = EVERYTHING, load: Load = FREE, known: Known | None = None, bot: bool = True, **changes: Any
) -> Answer:
    return answer(challenge(**changes), wire.Compat(bot=bot), policy, load, "housebot", known or Known())


def humans(**changes: Any) -> Acceptance:
    return Acceptance.model_validate({"humans": changes})


def reason(given: Answer) -> str:
    assert isinstance(given, Decline)
    assert given.reason in wire.DECLINE_REASONS
    return given.reason


def rival(**changes: Any) -> dict[str, Any]:
    return {"id": "rival", "name": "Rival"} | changes


def test_an_ordinary_challenge_is_accepted() -> None:
    assert answered() == Accept()
    assert answered(challenger=BOT, rated=True) == Accept()


def test_our_own_challenge_is_not_answered_whatever_its_case() -> None:
    """Trap 33."""
    assert isinstance(answered(challenger={"id": "HouseBot", "name": "housebot"}), Ignore)


def test_a_settled_challenge_is_not_answered() -> None:
    assert isinstance(answered(status="canceled"), Ignore)
    assert answered(status="offline") == Accept()


def test_an_anonymous_challenger_is_declined_and_an_open_challenge_left_alone() -> None:
    """Trap 32."""
    assert reason(answered(challenger=None)) == "generic"
    assert isinstance(answered(challenger=None, destUser=None), Ignore)


def test_a_challenge_to_somebody_else_is_not_answered() -> None:
    assert isinstance(answered(destUser={"id": "marathoner", "name": "marathoner"}), Ignore)


def test_refusing_rated_asks_for_casual_and_the_other_way_round() -> None:
    """Trap 39."""
    assert reason(answered(humans(rated=()), rated=True)) == "casual"
    assert reason(answered(humans(casual=(), rated=("standard",)), rated=False)) == "rated"


def test_reasons_are_sent_in_camel_case_and_known_to_the_site() -> None:
    """Trap 40."""
    assert {reason.lower() for reason in wire.DECLINE_REASONS} >= {"toofast", "timecontrol", "nobot", "onlybot"}
    assert "tooFast" in wire.DECLINE_REASONS


def test_a_game_that_is_not_played_at_all_is_declined_as_variant() -> None:
    assert reason(answered(variant={"key": "bughouse"})) == "variant"
    assert reason(answered(humans(casual=("atomic",), rated=()))) == "variant"


def test_who_plays_only_the_ordinary_game_says_so() -> None:
    assert reason(answered(humans(casual=("standard",), rated=("standard",)), variant={"key": "atomic"})) == "standard"


def test_bots_and_humans_have_rules_of_their_own() -> None:
    no_bots = Acceptance(bots=Bots(allow=False))
    assert reason(answered(no_bots, challenger=BOT)) == "noBot"
    assert answered(no_bots) == Accept()
    only_bots = Acceptance(humans=Humans(allow=False))
    assert reason(answered(only_bots)) == "onlyBot"
    assert answered(only_bots, challenger=BOT) == Accept()


def test_rated_variants_against_people_are_off_by_default() -> None:
    """Behaviour 28."""
    atomic: dict[str, Any] = {"variant": {"key": "atomic"}, "rated": True}
    assert reason(answered(Acceptance(), **atomic)) == "casual"
    assert answered(Acceptance(), challenger=BOT, **atomic) == Accept()


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        ("bullet", "tooFast"),
        ("ultraBullet", "tooFast"),
        ("classical", "tooSlow"),
        ("correspondence", "tooSlow"),
        ("hyper", "timeControl"),
    ],
)
def test_speeds_outside_the_accepted_ones(speed: str, expected: str) -> None:
    assert reason(answered(humans(speeds=("blitz", "rapid")), speed=speed)) == expected


def test_a_gap_between_accepted_speeds_is_neither_too_fast_nor_too_slow() -> None:
    assert reason(answered(humans(speeds=("bullet", "rapid")), speed="blitz")) == "timeControl"


def clock(limit: int, increment: int) -> dict[str, Any]:
    return {"type": "clock", "limit": limit, "increment": increment}


@pytest.mark.parametrize(
    ("policy", "control", "expected"),
    [
        ({"base_s": {"least": 120}}, clock(60, 2), "tooFast"),
        ({"base_s": {"most": 120}}, clock(180, 2), "tooSlow"),
        ({"increment_s": {"least": 1}}, clock(180, 0), "tooFast"),
        ({"increment_s": {"most": 10}}, clock(180, 11), "tooSlow"),
        ({"estimated_s": {"least": 200}}, clock(100, 2), "tooFast"),
        ({"estimated_s": {"most": 200}}, clock(180, 1), "tooSlow"),
        ({"time_controls": ("3+2", "½+0")}, clock(180, 3), "timeControl"),
        ({"bullet_needs_increment": True}, clock(60, 0), "timeControl"),
        ({"days": {"least": 2}}, {"type": "correspondence", "daysPerTurn": 1}, "tooFast"),
        ({"days": {"most": 5}}, {"type": "correspondence", "daysPerTurn": 7}, "tooSlow"),
        ({"time_controls": ("3d",)}, {"type": "correspondence", "daysPerTurn": 7}, "timeControl"),
        ({"unlimited": False}, {"type": "unlimited"}, "tooSlow"),
        ({}, {"type": "hourglass"}, "timeControl"),
    ],
)
def test_a_time_control_outside_the_accepted_ones(
    policy: dict[str, Any], control: dict[str, Any], expected: str
) -> None:
    speed = "bullet" if policy.get("bullet_needs_increment") else "blitz"
    assert reason(answered(humans(**policy), timeControl=control, speed=speed)) == expected


@pytest.mark.parametrize(
    ("policy", "control"),
    [
        ({"base_s": {"least": 180, "most": 180}, "increment_s": {"least": 2, "most": 2}}, BLITZ),
        ({"time_controls": ("3+2", "½+0")}, BLITZ),
        ({"time_controls": ("3+2", "½+0")}, clock(30, 0)),
        ({"days": {"least": 2, "most": 2}, "base_s": {"most": 1}}, {"type": "correspondence", "daysPerTurn": 2}),
        ({"time_controls": ("unlimited",)}, {"type": "unlimited"}),
        ({"estimated_s": {"most": 1200}}, {"type": "turn", "limit": 30}),
    ],
)
def test_a_time_control_within_the_accepted_ones(policy: dict[str, Any], control: dict[str, Any]) -> None:
    assert answered(humans(**policy), timeControl=control) == Accept()


def test_a_game_the_bot_api_cannot_play_is_declined() -> None:
    """Trap 37."""
    ultra = {"bot": False, "speed": "ultraBullet", "variant": {"key": "crazyhouse"}}
    assert reason(answered(timeControl=clock(15, 0), **ultra)) == "tooFast"
    assert reason(answered(bot=False)) == "timeControl"


@pytest.mark.parametrize("rule", ["noAbort", "noClaimWin"])
def test_rules_that_leave_us_alone_with_an_absent_opponent_are_declined(rule: str) -> None:
    """Trap 59."""
    assert reason(answered(rules=["noRematch", rule])) == "generic"
    assert answered(rules=["noRematch", "noGiveTime", "noEarlyDraw"]) == Accept()


def test_a_position_that_cannot_be_played_is_declined() -> None:
    position: dict[str, Any] = {"variant": {"key": "fromPosition"}}
    assert reason(answered(**position, initialFen="8/8/8/8/8/8/8/8 w - - 0 1")) == "generic"
    assert reason(answered(**position, initialFen="rubbish")) == "generic"
    assert answered(**position, initialFen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") == Accept()


def test_ratings_are_bounded_and_an_unknown_one_is_no_reason() -> None:
    """Trap 31."""
    bounded = humans(rating=Span(least=1500, most=2000).model_dump())
    assert reason(answered(bounded, challenger=rival(rating=1499))) == "generic"
    assert reason(answered(bounded, challenger=rival(rating=2001))) == "generic"
    for each in (rival(rating=1500), rival(rating=2000), rival(), rival(rating=None)):
        assert answered(bounded, challenger=each) == Accept()


def test_the_difference_to_our_own_rating_is_bounded() -> None:
    near = humans(rating_difference={"least": -100, "most": 200})
    assert reason(answered(near, challenger=rival(rating=1699))) == "generic"
    assert reason(answered(near, challenger=rival(rating=2001))) == "generic"
    assert answered(near, challenger=rival(rating=1700)) == Accept()
    assert answered(near, challenger=rival(rating=100), destUser={"id": "housebot", "name": "housebot"}) == Accept()


def test_provisional_ratings_may_be_refused() -> None:
    assert reason(answered(humans(provisional=False), challenger=rival(provisional=True))) == "generic"
    assert answered(challenger=rival(provisional=True)) == Accept()


def test_lists_come_before_everything_else() -> None:
    assert reason(answered(known=Known(listed="blocked"), variant={"key": "bughouse"})) == "generic"


def test_an_opponent_has_so_many_games_at_once_and_a_day() -> None:
    policy = humans(games_at_once=2, games_a_day=5)
    assert answered(policy, known=Known(running=1, today=4)) == Accept()
    assert reason(answered(policy, known=Known(running=2))) == "later"
    assert reason(answered(policy, known=Known(today=5))) == "later"


def test_the_eleventh_rated_game_of_a_person_in_a_day_is_asked_for_as_casual() -> None:
    """Behaviour 28."""
    assert answered(Acceptance(), known=Known(rated_today=9), rated=True) == Accept()
    assert reason(answered(Acceptance(), known=Known(rated_today=10), rated=True)) == "casual"
    assert answered(Acceptance(), known=Known(rated_today=10)) == Accept()
    assert reason(answered(humans(casual=()), known=Known(rated_today=10), rated=True)) == "later"
    assert answered(Acceptance(), known=Known(rated_today=50), challenger=BOT, rated=True) == Accept()


def test_nobody_chooses_the_same_color_twice_in_a_row_in_rated_games() -> None:
    """Behaviour 28."""
    black_before = Known(last_rated_color="black")
    assert reason(answered(Acceptance(), known=black_before, rated=True, color="white")) == "casual"
    for changes in ({"color": "black"}, {"color": "random"}):
        assert answered(Acceptance(), known=black_before, rated=True, **changes) == Accept()
    assert answered(Acceptance(), known=black_before, color="white") == Accept()
    assert answered(Acceptance(), known=black_before, rated=True, color="white", challenger=BOT) == Accept()


def test_accounts_of_one_operator_play_no_rated_games_against_each_other() -> None:
    """Behaviour 27."""
    sibling = Known(family=True)
    assert reason(answered(Acceptance(), known=sibling, challenger=BOT, rated=True)) == "casual"
    assert answered(Acceptance(), known=sibling, challenger=BOT) == Accept()


def test_who_lets_games_be_aborted_for_the_color_has_to_wait() -> None:
    """Behaviour 19."""
    assert answered(known=Known(aborts=4)) == Accept()
    assert reason(answered(known=Known(aborts=5))) == "later"
    assert answered(humans(cool_off={"aborts": None}), known=Known(aborts=30)) == Accept()


def test_a_rematch_is_a_challenge_with_a_limit_of_its_own() -> None:
    """Trap 36."""
    policy = humans(rematches_in_a_row=2)
    assert answered(policy, known=Known(rematches=1), rematchOf="h0mAnB1z") == Accept()
    assert reason(answered(policy, known=Known(rematches=2), rematchOf="h0mAnB1z")) == "later"
    assert answered(policy, known=Known(rematches=2)) == Accept()
    assert reason(answered(policy, rematchOf="h0mAnB1z", variant={"key": "bughouse"})) == "variant"


def test_games_with_bots_end_for_today_and_games_with_people_do_not() -> None:
    """Behaviour 29."""
    none_left = Load(bot_games_left=0)
    assert reason(answered(load=none_left, challenger=BOT)) == "later"
    assert answered(load=none_left) == Accept()
    assert reason(answered(challenger=BOT, known=Known(resting=True))) == "later"


def test_a_full_house_makes_wait_and_a_closing_one_says_later() -> None:
    """Behaviour 18."""
    assert isinstance(answered(load=Load(live=2)), Wait)
    assert answered(load=Load(live=1)) == Accept()
    assert reason(answered(load=Load(closing=True))) == "later"
    assert reason(answered(load=Load(live=2, closing=True))) == "later"


def test_reserved_places_are_for_people() -> None:
    """Behaviour 18."""
    policy = Acceptance(max_games=3, reserved_for_humans=1)
    assert answered(policy, load=Load(live=2, bots=1), challenger=BOT) == Accept()
    assert isinstance(answered(policy, load=Load(live=2, bots=2), challenger=BOT), Wait)
    assert answered(policy, load=Load(live=2, bots=2)) == Accept()


def test_games_by_the_day_have_places_of_their_own() -> None:
    """Trap 56."""
    policy = Acceptance(max_games=1, slow=SlowGames(max_games=3))
    days: dict[str, Any] = {"speed": "correspondence", "timeControl": {"type": "correspondence", "daysPerTurn": 3}}
    assert answered(policy, load=Load(live=1, slow=2), **days) == Accept()
    assert reason(answered(policy, load=Load(slow=3), **days)) == "later"
    assert answered(policy, load=Load(slow=3)) == Accept()


def test_what_is_wrong_for_good_is_said_even_when_full() -> None:
    assert reason(answered(load=Load(live=2), variant={"key": "bughouse"})) == "variant"


def test_every_recorded_challenge_gets_an_answer() -> None:
    answers = {}
    for line in EVENTS.read_text(encoding="utf-8").split("\n"):
        event = wire.read_event(line) if line else None
        if isinstance(event, wire.ChallengeMade):
            given = answer(event.challenge, event.compat, EVERYTHING, FREE, "housebot")
            answers[event.challenge.id] = type(given).__name__
    assert answers == {
        "pEnD1ng7": "Accept",
        "h0mAnB1z": "Accept",
        "b0tBul1t": "Accept",
        "n1n3s1xO": "Accept",
        "fP0sB1kM": "Accept",
        "unL1m1tD": "Accept",
        "c0rr3dAy": "Accept",
        "h0rd3Fen": "Accept",
        "uLtr4Zh0": "Decline",
        "0utRul3s": "Ignore",
        "r3mAtch2": "Accept",
        "r3mAtch3": "Accept",
    }


def test_a_turn_time_challenge_is_read_and_taken() -> None:
    turn = json.loads('{"type":"turn","limit":30,"show":"30s/move"}')
    assert answered(variant={"key": "parlour"}, timeControl=turn, speed="rapid") == Accept()
