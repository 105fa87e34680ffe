"""Lichess over HTTP: every failure has a type, nothing waits for ever, and the token goes nowhere else."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path

import pytest

from bot import __version__
from bot.gate import Gates
from bot.lichess import Lichess
from bot.transport import Limited, Refused, ServerTrouble, Unauthorized, Unreachable
from tests.bot.clients import QUICK, TOKEN, client
from tests.bot.loopback import Exchange, loopback

REPLIES = Path(__file__).parents[1] / "conformance" / "events" / "http_replies.ndjson"


def test_the_token_and_our_name_are_sent() -> None:
    with loopback(lambda exchange: exchange.reply_json({"id": "housebot", "username": "housebot"})) as server:
        assert client(server, contact="me@example.org").account().id == "housebot"
    (request,) = server.requests
    assert request.headers["Authorization"] == f"Bearer {TOKEN}"
    assert request.headers["User-Agent"] == f"centella/{__version__} (me@example.org)"


def test_the_token_does_not_follow_a_redirect_even_on_the_same_host() -> None:
    with loopback(lambda exchange: exchange.reply_json({})) as elsewhere:

        def redirect(exchange: Exchange) -> None:
            exchange.reply(302, "", Location=f"{elsewhere.url}{exchange.path}")

        with loopback(redirect) as server, pytest.raises(ServerTrouble):
            client(server).account()
        assert elsewhere.requests == []
        assert len(server.requests) == 1


def test_the_token_is_not_sent_to_another_port_of_the_same_host() -> None:
    with loopback(lambda exchange: exchange.reply_json({})) as other, loopback(lambda _: None) as server:
        client(server)._session.get(f"{other.url}/api/account")
    assert "Authorization" not in other.requests[0].headers


def test_a_netrc_does_not_replace_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login someone password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with loopback(lambda exchange: exchange.reply_json({"id": "a", "username": "a"})) as server:
        client(server).account()
    assert server.requests[0].headers["Authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, Refused), (404, Refused), (401, Unauthorized), (403, Unauthorized), (429, Limited),
        (500, ServerTrouble), (502, ServerTrouble), (503, ServerTrouble), (504, ServerTrouble),
    ],
)  # fmt: skip
@pytest.mark.parametrize("body", ['{"error":"no"}', "<html>no</html>", "", '{"error":{"field":["no"]}}', "[]"])
def test_every_failure_has_a_type_whatever_its_body(status: int, expected: type[Exception], body: str) -> None:
    kind = "text/html" if body.startswith("<") else "application/json"
    with loopback(lambda exchange: exchange.reply(status, body, kind)) as server:
        with pytest.raises(expected) as caught:
            client(server).accept("abcdefgh")
        assert str(status) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert TOKEN not in str(caught.value)


@pytest.mark.parametrize("body", ["<html>welcome</html>", "", "half of {"])
@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_a_success_that_is_not_json_is_server_trouble(body: str, kind: str) -> None:
    with loopback(lambda exchange: exchange.reply(200, body, kind)) as server, pytest.raises(ServerTrouble):
        client(server).account()


def test_recorded_refusals_are_typed() -> None:
    types = {400: Refused, 404: Refused, 401: Unauthorized, 403: Unauthorized, 429: Limited}
    for line in REPLIES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["status"] >= 400:
            reply = partial(Exchange.reply_json, value=row["body"], status=row["status"])
            with loopback(reply) as server, pytest.raises(types[row["status"]]):
                client(server).playing()


def retry_after(value: str) -> float:
    with loopback(lambda exchange: exchange.reply(429, "", Retry_After=value)) as server:
        with pytest.raises(Limited) as caught:
            client(server).account()
        return caught.value.seconds


def test_how_long_to_wait_is_read_in_every_form() -> None:
    assert retry_after("7") == 7
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert 90 < retry_after(soon) <= 100
    assert retry_after("Mon, 01 Jan 2001 00:00:00 GMT") == 0
    assert retry_after("soon") == QUICK.limited_pause_s
    assert retry_after("") == QUICK.limited_pause_s
    body = {"error": "x", "ratelimit": {"key": "bot.vsBot.day", "seconds": 51}}
    with loopback(lambda exchange: exchange.reply_json(body, 429, Retry_After="7")) as server:
        with pytest.raises(Limited) as caught:
            client(server).account()
        assert caught.value.seconds == 51


def limiting(times: int, body: object = None) -> Callable[[Exchange], None]:
    """Answers so many requests with "too many", and the others with what is asked for."""

    def answer(exchange: Exchange) -> None:
        if len(exchange.server.requests) <= times:
            exchange.reply_json(body, 429)
        elif "/stream/" in exchange.path:
            exchange.open_stream()
            exchange.chunk(b"")
        else:
            exchange.reply_json({"ok": True, "id": "a", "username": "a"})

    return answer


@pytest.mark.parametrize("limited", ["account", "move"])
def test_a_limit_on_anything_holds_up_everything_but_moves_and_the_streams_of_games(limited: str) -> None:
    with loopback(limiting(1)) as server:
        lichess = client(server)
        began = time.monotonic()
        with pytest.raises(Limited):
            if limited == "move":
                lichess.move("abcdefgh", "e2e4", offering_draw=False)
            else:
                lichess.account()
        lichess.move("abcdefgh", "e2e4", offering_draw=False)
        assert list(lichess.game("abcdefgh")) == []
        moved_s = time.monotonic() - began
        lichess.account()
        waited_s = time.monotonic() - began
    assert moved_s < QUICK.limited_pause_s <= waited_s


def test_the_event_stream_is_not_opened_during_a_limit() -> None:
    with loopback(limiting(1)) as server:
        lichess = client(server)
        began = time.monotonic()
        with pytest.raises(Limited):
            lichess.account()
        assert list(lichess.events()) == []
        assert time.monotonic() - began >= QUICK.limited_pause_s


def test_limits_that_nobody_dates_are_waited_out_longer_each_time() -> None:
    with loopback(limiting(2)) as server:
        lichess = client(server)
        seconds = []
        for _ in range(2):
            with pytest.raises(Limited) as caught:
                lichess.account()
            seconds.append(caught.value.seconds)
        assert seconds == [QUICK.limited_pause_s, 2 * QUICK.limited_pause_s]


def test_a_limit_of_the_day_stops_what_it_counts_and_nothing_else() -> None:
    body = {"error": "too many bot games", "ratelimit": {"key": "bot.vsBot.day", "seconds": 40_000}}
    with loopback(limiting(1, body)) as server:
        lichess = client(server)
        with pytest.raises(Limited) as caught:
            lichess.accept("chal0001")
        assert (caught.value.key, caught.value.seconds) == ("bot.vsBot.day", 40_000)
        began = time.monotonic()
        lichess.account()
        assert time.monotonic() - began < 5


def test_accounts_on_one_host_share_its_limits_and_part_without_harm() -> None:
    gates = Gates(time.monotonic)
    with loopback(limiting(1)) as server:
        ada, bea = client(server, gates=gates), client(server, gates=gates)
        began = time.monotonic()
        with pytest.raises(Limited):
            ada.account()
        bea.account()
        assert time.monotonic() - began >= QUICK.limited_pause_s
        ada.close()
        bea.account()
        with pytest.raises(Unreachable, match="shutting down"):
            ada.account()


def test_idle_connections_are_dropped_and_made_again() -> None:
    peers: list[object] = []

    def answer(exchange: Exchange) -> None:
        if "/stream/" in exchange.path:
            exchange.open_stream()
            exchange.chunk(b"{}\n")
            exchange.server.over.wait(5)
            return
        peers.append(exchange.client_address)
        exchange.reply_json({"id": "a", "username": "a"})

    descriptors = Path("/proc/self/fd")
    with loopback(answer) as server:
        lichess = client(server)
        lines = iter(lichess.events())
        next(lines)
        for _ in range(2):
            lichess.account()
        before = len(list(descriptors.iterdir()))
        lichess.drop_idle()
        # our end of the idle connection; the server's end closes when its thread has noticed
        assert len(list(descriptors.iterdir())) < before
        lichess.account()
    assert peers[0] == peers[1] != peers[2]


def test_dropping_idle_connections_fails_no_request_that_begins_meanwhile() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.reply_json({"id": "a", "username": "a"})

    def drop() -> None:
        while not enough.is_set():
            lichess.drop_idle()

    enough = threading.Event()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with loopback(answer) as server:
            lichess = client(server)
            dropping = threading.Thread(target=drop)
            dropping.start()
            try:
                assert all(lichess.account().id == "a" for _ in range(100))
            finally:
                enough.set()
                dropping.join()
    finally:
        sys.setswitchinterval(before)


def test_every_request_can_be_observed() -> None:
    seen: list[tuple[str, str]] = []
    with loopback(limiting(1)) as server:
        lichess = client(server)
        lichess.observe(lambda kind, outcome, took_s: seen.append((kind, outcome)))
        with pytest.raises(Limited):
            lichess.move("abcdefgh", "e2e4", offering_draw=False)
        lichess.accept("chal0001")
        lichess.game("abcdefgh").close()
    assert seen == [("move", "Limited"), ("accept", "ok"), ("stream", "ok")]


def test_a_silent_server_is_not_waited_for() -> None:
    with loopback(lambda exchange: exchange.server.over.wait(5) and None) as server:
        began = time.monotonic()
        with pytest.raises(Unreachable, match="no answer in time"):
            client(server).account()
        with pytest.raises(Unreachable, match="no answer in time"):
            client(server).move("abcdefgh", "e2e4", offering_draw=False)
        assert time.monotonic() - began < 2


def test_no_server_is_unreachable() -> None:
    with loopback(lambda _: None) as server:
        url = server.url
    with pytest.raises(Unreachable, match="connection refused"):
        Lichess(url, TOKEN, QUICK).account()


def test_a_cut_answer_is_unreachable() -> None:
    def cut(exchange: Exchange) -> None:
        exchange.close_connection = True

    with loopback(cut) as server, pytest.raises(Unreachable, match="connection broken"):
        client(server).account()


def test_the_calls_are_spelled_as_lichess_wants_them() -> None:
    with loopback(lambda exchange: exchange.reply_json({"ok": True})) as server:
        lichess = client(server)
        lichess.accept("chal0001")
        lichess.decline("chal0001", "tooFast")
        lichess.move("game0001", "e7e8q", offering_draw=True)
        lichess.abort("game0001")
        lichess.resign("game0001")
        lichess.answer_draw("game0001", accept=True)
        lichess.answer_draw("game0001", accept=False)
        lichess.answer_takeback("game0001", accept=True)
        lichess.answer_takeback("game0001", accept=False)
        lichess.claim_victory("game0001")
        lichess.claim_draw("game0001")
    assert {request.command for request in server.requests} == {"POST"}
    assert [request.path for request in server.requests] == [
        "/api/challenge/chal0001/accept",
        "/api/challenge/chal0001/decline",
        "/api/bot/game/game0001/move/e7e8q?offeringDraw=true",
        "/api/bot/game/game0001/abort",
        "/api/bot/game/game0001/resign",
        "/api/bot/game/game0001/draw/yes",
        "/api/bot/game/game0001/draw/no",
        "/api/bot/game/game0001/takeback/yes",
        "/api/bot/game/game0001/takeback/no",
        "/api/bot/game/game0001/claim-victory",
        "/api/bot/game/game0001/claim-draw",
    ]
    assert json.loads(server.requests[1].body) == {"reason": "tooFast"}


def test_fifty_running_games_are_asked_for_and_an_export_in_json() -> None:
    def answer(exchange: Exchange) -> None:
        if exchange.path.startswith("/game/export"):
            exchange.reply_json({"id": "game0001", "status": "mate", "winner": "white", "lastMoveAt": 1790164800123})
        else:
            exchange.reply_json({"nowPlaying": [], "nbMyTurn": 0})

    with loopback(answer) as server:
        assert client(server).playing().now_playing == ()
        exported = client(server).exported("game0001")
    assert server.requests[0].path == "/api/account/playing?nb=50"
    assert (exported.winner, exported.last_move_at) == ("white", 1790164800123)
    assert server.requests[1].headers["Accept"] == "application/json"
