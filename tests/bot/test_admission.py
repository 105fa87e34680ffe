"""Which challenges are taken, and what each of the others is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot import wire
from bot.admission import Accept, Answer, Decline, Ignore, Load, answer
from bot.config import Acceptance, Bots, Humans

EVENTS = Path(__file__).parents[1] / "conformance" / "events" / "event_stream_challenges.ndjson"
EVERYTHING = Acceptance(max_games=2, humans=Humans(rated=Bots().rated))
FREE = Load(places=0)


def challenge(**changes: Any) -> wire.Challenge:
    usual = {
        "id": "abcdefgh",
        "challenger": {"id": "rival", "name": "Rival"},
        "variant": {"key": "standard"},
        "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 180, "increment": 2},
    }
    return wire.read(wire.Challenge, usual | changes)


BOT = {"id": "fusebox", "name": "fusebox", "title": "BOT"}


def answered(policy: Acceptance = EVERYTHING, load: Load = FREE, bot: bool = True, **changes: Any) -> Answer:
    return answer(challenge(**changes), wire.Compat(bot=bot), policy, load, "housebot")


def reason(given: Answer) -> str:
    assert isinstance(given, Decline)
    assert given.reason in wire.DECLINE_REASONS
    return given.reason


def test_an_ordinary_challenge_is_accepted() -> None:
    assert answered() == Accept()
    assert answered(challenger=BOT, rated=True) == Accept()


def test_our_own_challenge_is_not_answered_whatever_its_case() -> None:
    assert isinstance(answered(challenger={"id": "HouseBot", "name": "housebot"}), Ignore)


def test_a_settled_challenge_is_not_answered() -> None:
    assert isinstance(answered(status="canceled"), Ignore)
    assert answered(status="offline") == Accept()


def test_an_anonymous_challenger_is_declined() -> None:
    assert reason(answered(challenger=None)) == "generic"


def test_refusing_rated_asks_for_casual_and_the_other_way_round() -> None:
    casual_only = Acceptance(humans=Humans(rated=()))
    assert reason(answered(casual_only, rated=True)) == "casual"
    rated_only = Acceptance(humans=Humans(casual=(), rated=("standard",)))
    assert reason(answered(rated_only, rated=False)) == "rated"


def test_a_game_that_is_not_played_at_all_is_declined_as_variant() -> None:
    assert reason(answered(variant={"key": "bughouse"})) == "variant"
    only_atomic = Acceptance(humans=Humans(casual=("atomic",), rated=()))
    assert reason(answered(only_atomic)) == "variant"


def test_bots_and_humans_have_rules_of_their_own() -> None:
    no_bots = Acceptance(bots=Bots(allow=False))
    assert reason(answered(no_bots, challenger=BOT)) == "noBot"
    assert answered(no_bots) == Accept()
    only_bots = Acceptance(humans=Humans(allow=False))
    assert reason(answered(only_bots)) == "onlyBot"
    assert answered(only_bots, challenger=BOT) == Accept()


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
    middle = Acceptance(humans=Humans(speeds=("blitz", "rapid")))
    assert reason(answered(middle, speed=speed)) == expected


def test_a_gap_between_accepted_speeds_is_neither_too_fast_nor_too_slow() -> None:
    gap = Acceptance(humans=Humans(speeds=("bullet", "rapid")))
    assert reason(answered(gap, speed="blitz")) == "timeControl"


def test_a_game_the_bot_api_cannot_play_is_declined() -> None:
    assert reason(answered(bot=False, speed="ultraBullet", variant={"key": "crazyhouse"})) in ("tooFast", "variant")
    assert reason(answered(bot=False)) == "timeControl"


def test_a_game_that_cannot_be_aborted_is_declined() -> None:
    assert reason(answered(rules=["noRematch", "noAbort"])) == "generic"
    assert answered(rules=["noRematch"]) == Accept()


def test_a_position_that_cannot_be_played_is_declined() -> None:
    position: dict[str, Any] = {"variant": {"key": "fromPosition"}}
    assert reason(answered(**position, initialFen="8/8/8/8/8/8/8/8 w - - 0 1")) == "generic"
    assert reason(answered(**position, initialFen="rubbish")) == "generic"
    assert answered(**position, initialFen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") == Accept()


def test_a_full_house_and_a_closing_one_say_later() -> None:
    assert reason(answered(load=Load(places=2))) == "later"
    assert answered(load=Load(places=1)) == Accept()
    assert reason(answered(load=Load(places=0, closing=True))) == "later"


def test_what_is_wrong_for_good_is_said_even_when_full() -> None:
    assert reason(answered(load=Load(places=2), variant={"key": "bughouse"})) == "variant"


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
