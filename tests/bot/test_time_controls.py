"""Time controls: how they are written, and how fast they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot import time_controls, wire
from bot.time_controls import Countdown, PerDays, PerTurn, TimeControl, Unlimited

EVENTS = Path(__file__).parents[1] / "conformance" / "events" / "event_stream_challenges.ndjson"


@pytest.mark.parametrize(
    ("text", "control", "speed"),
    [
        ("¼+0", Countdown(15, 0), "ultraBullet"),
        ("0.5+0", Countdown(30, 0), "bullet"),
        ("0+1", Countdown(0, 1), "bullet"),
        ("2+1", Countdown(120, 1), "bullet"),
        ("3+0", Countdown(180, 0), "blitz"),
        ("5+4", Countdown(300, 4), "blitz"),
        ("10+0", Countdown(600, 0), "rapid"),
        ("30+20", Countdown(1800, 20), "classical"),
        ("3d", PerDays(3), "correspondence"),
        ("unlimited", Unlimited(), "correspondence"),
        ("30s/move", PerTurn(30), "rapid"),
    ],
)
def test_what_is_written_is_read(text: str, control: TimeControl, speed: str) -> None:
    assert time_controls.read(text) == control
    assert time_controls.speed(control) == speed
    assert time_controls.read(str(control)) == control


@pytest.mark.parametrize("text", ["", "3", "3+", "+2", "3 + 2", "fast", "d", "3+2+1", "-1+0"])
def test_what_is_not_a_time_control_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time control"):
        time_controls.read(text)


def test_the_speed_is_the_sites_own() -> None:
    checked = 0
    for line in EVENTS.read_text(encoding="utf-8").split("\n"):
        event = json.loads(line) if line else {}
        if event.get("type") == "challenge":
            challenge = wire.read(wire.Challenge, event["challenge"])
            control = time_controls.of_challenge(challenge.time_control)
            assert control is not None
            assert time_controls.speed(control) == challenge.speed
            checked += 1
    assert checked == 12


@pytest.mark.parametrize("text", ["0+1", "0.5+0", "1.5+2", "180+60", "14d", "unlimited"])
def test_what_lichess_takes_can_be_asked_for(text: str) -> None:
    assert time_controls.can_be_asked_for(time_controls.read(text))


@pytest.mark.parametrize("text", ["0.25+0", "1.25+1", "181+0", "3+61", "4d", "30s/move"])
def test_what_lichess_does_not_take_cannot(text: str) -> None:
    assert not time_controls.can_be_asked_for(time_controls.read(text))


def test_a_challenge_without_its_limit_is_no_time_control() -> None:
    assert time_controls.of_challenge(wire.TimeControl(type="clock")) is None
