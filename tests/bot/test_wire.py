"""Lichess's messages, read from the recorded streams and from broken lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot import wire

EVENTS = Path(__file__).parents[1] / "conformance" / "events"
GAME_FILES = sorted(
    path for path in EVENTS.glob("*.ndjson")
    if path.stem not in {"event_stream_challenges", "challenge_keepalive_accepted", "http_replies"}
)  # fmt: skip


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def events() -> list[wire.Event]:
    return [wire.read_event(line) for line in lines(EVENTS / "event_stream_challenges.ndjson")]


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_every_recorded_game_begins_with_the_whole_game_and_ends_with_a_final_status(path: Path) -> None:
    read = [wire.read_game_line(line) for line in lines(path)]
    assert isinstance(read[0], wire.GameFull)
    assert not any(isinstance(line, wire.Unknown) for line in read)
    states = [line for line in read if isinstance(line, wire.GameState)]
    assert states[-1].is_over
    assert not read[0].state.is_over


def test_every_recorded_event_is_of_a_known_type() -> None:
    assert len(GAME_FILES) == 8
    assert not any(isinstance(event, wire.Unknown) for event in events())


def test_a_field_read_keeps_the_value_that_was_sent() -> None:
    for line in lines(EVENTS / "event_stream_challenges.ndjson"):
        sent, event = json.loads(line), wire.read_event(line)
        part = "game" if "game" in sent else "challenge"
        read = getattr(event, part).model_dump(by_alias=True)
        for key in sent[part].keys() & read.keys() - {"status", "rules"}:
            assert _within(read[key], sent[part][key]), key


def _within(read: object, sent: object) -> bool:
    """Whether all that was sent and is read at all was read as it was sent."""
    if isinstance(read, dict) and isinstance(sent, dict):
        return all(_within(read[key], sent[key]) for key in read.keys() & sent.keys())
    return read == sent


def test_replayed_challenges_without_compat_count_as_playable() -> None:
    made = [event for event in events() if isinstance(event, wire.ChallengeMade)]
    assert made[0].challenge.id == "pEnD1ng7"
    assert made[0].compat.bot
    assert [event.challenge.id for event in made if not event.compat.bot] == ["uLtr4Zh0"]


def test_an_ai_opponent_has_no_id() -> None:
    starts = [event.game for event in events() if isinstance(event, wire.GameStart)]
    assert (starts[-1].opponent.id, starts[-1].opponent.ai) == (None, 3)


def test_a_status_is_read_as_object_and_as_text() -> None:
    game = {"gameId": "abcdefgh", "variant": {"key": "standard"}}
    assert wire.read(wire.OngoingGame, game | {"status": {"id": 25, "name": "aborted"}}).status == "aborted"
    assert wire.read(wire.OngoingGame, game | {"status": "started"}).status == "started"


def test_unknown_types_and_fields_are_ignored() -> None:
    assert wire.read_event('{"type":"shieldPolished","x":1}') == wire.Unknown(type="shieldPolished")
    line = '{"type":"chatLine","room":"player","username":"a","text":"b","mood":"sunny"}'
    assert wire.read_game_line(line) == wire.ChatLine(room="player", username="a", text="b")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"type":"gameState","wtime":1,"btime":1,"status":"started"}', "moves"),
        ('{"type":"gameFull","id":"x"}', "state"),
        ("<html>502</html>", "not JSON"),
        ("[1]", "not an object"),
    ],
)
def test_what_is_missing_is_said(line: str, says: str) -> None:
    with pytest.raises(wire.MalformedMessage, match=says):
        wire.read_game_line(line)


def test_null_clock_and_null_title_read_like_absent_ones() -> None:
    first = json.loads(lines(EVENTS / "correspondence_two_connections.ndjson")[0])
    assert wire.read(wire.GameFull, first | {"clock": None}).clock is None
    assert wire.read(wire.GameFull, first).days_per_turn == 3
    assert wire.read(wire.GameFull, first | {"white": {}}).white.shown_name == "Anonymous"
    assert wire.read(wire.GameFull, first | {"white": {"aiLevel": 3}}).white.is_machine


def test_line_separators_inside_a_text_do_not_split_a_line() -> None:
    text = "one\u2028two \U0001f600"
    line = json.dumps({"type": "chatLine", "room": "player", "username": "a", "text": text}, ensure_ascii=False)
    read = wire.read_game_line(line)
    assert isinstance(read, wire.ChatLine)
    assert read.text == text
