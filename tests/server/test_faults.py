"""Things that go wrong on purpose: section 13.11 of the contract."""
from __future__ import annotations

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.fault_spec import Fault, FaultError
from tests.server.players import KEEP_ALIVE, Match, Player, until


@pytest.fixture
def match(rival: Player, housebot: Player) -> Match:
    return Match(rival, housebot)


def test_a_status_is_answered_with_html_so_often_and_nothing_is_done(
    lichess: LocalLichess, match: Match, rival: Player
) -> None:
    lichess.fault("status=502@/api/*/game/*/move/*#2")
    for _ in range(2):
        refused = rival.command(match.id, "move/e2e4")
        assert refused.status_code == 502 and refused.headers["content-type"].startswith("text/html")
    rival.move(match.id, "e2e4")


def test_a_limit_says_how_long_to_wait(lichess: LocalLichess, housebot: Player) -> None:
    lichess.fault("limit=7@/api/account")
    refused = housebot.get("/api/account")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "7")
    assert refused.json()["ratelimit"] == {"key": "local.fault", "seconds": 7}
    lichess.clear_faults()
    assert housebot.get("/api/account").status_code == 200


def test_a_lost_reply_belongs_to_a_move_that_was_played(lichess: LocalLichess, match: Match, rival: Player) -> None:
    lines = rival.game(match.id)
    lines.next()
    lichess.fault("lose@/*/move/*#1")
    with pytest.raises(requests.ConnectionError):
        rival.command(match.id, "move/e2e4")
    assert lines.next()["moves"] == "e2e4"
    retry = rival.command(match.id, "move/e2e4")
    assert (retry.status_code, retry.json()) == (400, {"error": "Not your turn, or game already over"})


def test_a_delayed_reply_comes_after_the_state() -> None:
    with LocalLichess() as lichess:
        match = Match(Player(lichess, "housebot"), Player(lichess, "fusebox"))
        lines = match.black.game(match.id)
        lines.next()
        lichess.fault("delay=300@/api/bot/game/*/move/*")
        with pytest.raises(requests.ReadTimeout):
            match.white.http.post(f"{lichess.url}/api/bot/game/{match.id}/move/e2e4", timeout=0.1)
        assert lines.next()["moves"] == "e2e4"
        reply = match.black.command(match.id, "move/e7e5")
        assert reply.status_code == 200 and reply.elapsed.total_seconds() >= 0.3


def test_a_dropped_stream_breaks_off(lichess: LocalLichess, match: Match, housebot: Player) -> None:
    lichess.fault("drop=2@/api/bot/game/stream/*#1")
    lines = housebot.game(match.id)
    match.play("e2e4", "e7e5")
    assert [line["type"] for line in lines.rest()] == ["gameFull", "gameState"]
    assert lines.broken
    assert housebot.game(match.id).next()["state"]["moves"] == "e2e4 e7e5"


def test_an_ended_stream_looks_like_an_end_of_the_game(lichess: LocalLichess, match: Match, housebot: Player) -> None:
    lichess.fault("end@/api/bot/game/stream/*#1")
    lines = housebot.game(match.id)
    assert [line["state"]["status"] for line in lines.rest()] == ["started"]
    assert not lines.broken


def test_a_frozen_stream_is_silent_but_open(lichess: LocalLichess, match: Match, housebot: Player) -> None:
    lichess.fault("freeze@/api/bot/game/stream/*#1")
    lines = housebot.game(match.id)
    other = housebot.game(match.id, **{"User-Agent": "other"})
    match.play("e2e4")
    lichess.advance(20_000)
    assert [other.next()["type"] for _ in range(2)] == ["gameFull", "gameState"]
    assert other.raw() == KEEP_ALIVE
    housebot.command(match.id, "resign")
    assert other.rest()[-1]["status"] == "aborted"
    assert lines.next()["type"] == "gameFull"
    assert lines.nothing_yet()


@pytest.mark.parametrize(("kind", "broken"), [("drop", True), ("end", False)])
def test_open_streams_can_be_broken_at_any_moment(
    lichess: LocalLichess, match: Match, housebot: Player, kind: str, broken: bool
) -> None:
    events, lines = housebot.events(), housebot.game(match.id)
    assert lines.next() and events.next()
    assert lichess.break_streams(kind, "/api/bot/game/stream/*") == 1
    assert lines.rest() == [] and lines.broken == broken
    lichess.advance(6_000)
    assert events.raw() == KEEP_ALIVE
    assert lichess.break_streams(kind, "*") == 1


def test_a_frozen_event_stream_gets_no_keep_alives(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    events = housebot.events()
    until(lambda: lichess.break_streams("freeze", "/api/stream/event") == 1)
    rival.challenge(housebot)
    lichess.advance(30_000)
    second = housebot.events()
    assert second.nothing_yet() and events.nothing_yet()


def test_events_are_duplicated_and_swallowed(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    lichess.fault("duplicate=gameStart@/api/stream/event")
    lichess.fault("swallow=challenge@/api/stream/event#1")
    lichess.fault("duplicate=final@/api/bot/game/stream/*")
    events = housebot.events()
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    assert [events.next()["type"] for _ in range(2)] == ["gameStart", "gameStart"]
    rival.challenge(housebot)
    assert events.next()["type"] == "challenge"
    match.play("e2e4", "e7e5")
    housebot.command(match.id, "resign")
    assert [line.get("status") for line in lines.rest()][-3:] == ["started", "resign", "resign"]


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("drop", "expected KIND"),
        ("drop@nowhere", "expected KIND"),
        ("burn@/x", "unknown kind 'burn'"),
        ("status@/x", "expected a number after status="),
        ("status=301@/x", "expected 200 or an error code"),
        ("delay=soon@/x", "expected a number after delay="),
        ("lose=1@/x", "lose takes no value"),
        ("swallow=everything@/x", "expected one of gameStart"),
        ("drop@/x#0", "expected KIND"),
        ("drop@/x%101", "expected KIND"),
        ("drop@some one/x", "expected KIND"),
        ("empty@/x", "expected a number after empty="),
        ("status=500-503@/x", "expected 200 or an error code"),
        ("lag=300-50@/x", "300-50 is no range"),
        ("late=gameState@/x", "expected a number after late="),
        ("swallow=gameState:5@/x", "expected a number after swallow="),
        ("clock=soon@/x", "expected milliseconds after clock="),
        ("revoke=all@/x", "revoke takes no value"),
    ],
)
def test_a_fault_that_cannot_be_read_is_explained(spec: str, problem: str) -> None:
    with pytest.raises(FaultError, match=f"fault {spec!r}".replace("'", ".")) as raised:
        Fault.parse(spec)
    assert problem in str(raised.value)
