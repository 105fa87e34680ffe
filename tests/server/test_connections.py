"""Clients that are slow, silent or too many: each is let go, and none keeps others from being served."""
from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from tests.server.players import PATIENCE_S, Player, until

PING = b"GET /__ping HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def impatient() -> Iterator[LocalLichess]:
    """A server that waits 0.4 s for anything, and has room for four."""
    server = LocalLichess(ServerSettings(port=0, request_ms=400, stall_ms=400, connections=4))
    yield server
    server.begin_stop()


@contextmanager
def connected(server: LocalLichess) -> Iterator[socket.socket]:
    with socket.create_connection((server.settings.host, server.settings.port), timeout=PATIENCE_S) as client:
        yield client


def received_until(client: socket.socket, end: bytes) -> bytes:
    """What is received up to these bytes."""
    received = b""
    while not received.endswith(end):
        part = client.recv(65_536)
        assert part, f"closed after {received!r}"
        received += part
    return received


def answer(client: socket.socket) -> bytes:
    """What is received until the connection is closed."""
    received = b""
    while part := client.recv(65_536):
        received += part
    return received


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET /__ping HT",
        b"GET /__ping HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /api/token/test HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab",
        b"POST /api/token/test HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
    ],
)
def test_a_request_that_does_not_arrive_is_given_up(impatient: LocalLichess, start: bytes) -> None:
    with connected(impatient) as client:
        client.sendall(start)
        assert answer(client).startswith(b"HTTP/1.1 408 ")


def test_a_body_that_nobody_waits_for_is_given_up_after_the_answer(impatient: LocalLichess) -> None:
    with connected(impatient) as client:
        client.sendall(b"POST /api/account HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        received = answer(client)
    assert received.startswith(b"HTTP/1.1 405 ") and b"408" not in received


def test_a_connection_may_rest_between_requests_and_a_stream_may_be_silent(impatient: LocalLichess) -> None:
    rests = Player(impatient, "housebot")
    with connected(impatient) as client:
        client.sendall(PING)
        received_until(client, b"pong")
        events = rests.events()
        # Meanwhile a second client is given up, which takes longer than either may take for a request.
        with connected(impatient) as silent:
            assert answer(silent).startswith(b"HTTP/1.1 408 ")
        client.sendall(PING)
        received_until(client, b"pong")
        assert impatient.call(lambda site: site.audience.online("housebot"))
    events.close()


def test_the_time_for_the_next_request_begins_with_its_first_byte(impatient: LocalLichess) -> None:
    with connected(impatient) as client:
        client.sendall(PING)
        received_until(client, b"pong")
        client.sendall(PING[:20])
        assert answer(client).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_leaves_within_a_body_does_no_harm(
    impatient: LocalLichess, capfd: pytest.CaptureFixture[str]
) -> None:
    with connected(impatient) as client:
        client.sendall(b"POST /api/token/test HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
    assert requests.get(f"{impatient.url}/__ping", timeout=5).status_code == 200
    assert "Traceback" not in capfd.readouterr().err


def test_too_many_connections_are_turned_away_until_one_closes(impatient: LocalLichess) -> None:
    player = Player(impatient, "housebot")
    streams = [player.stream("/api/stream/event") for _ in range(1)]
    others = [Player(impatient, f"other{number}").events() for number in range(3)]
    with connected(impatient) as client:
        assert answer(client).startswith(b"HTTP/1.1 503 ")
    for stream in streams + others:
        stream.close()

    def served() -> bool:
        with connected(impatient) as client:
            client.sendall(PING)
            return client.recv(65_536).startswith(b"HTTP/1.1 200 ")

    until(served)


def asked(client: socket.socket, most: int, after_each: Callable[[], object]) -> int:
    """Ask again and again for a long answer; how often that was possible."""
    tokens = b",".join(b"%060d" % number for number in range(1_000))
    head = b"POST /api/token/test HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(tokens)
    for times in range(most):
        try:
            client.sendall(head + tokens)
            after_each()
        except ConnectionError:
            return times
    return most


def test_a_client_that_never_reads_is_let_go(impatient: LocalLichess) -> None:
    with connected(impatient) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        assert asked(client, 400, lambda: None) < 400


def test_a_client_that_reads_is_served_for_as_long_as_it_likes(impatient: LocalLichess) -> None:
    with connected(impatient) as client:
        assert asked(client, 40, lambda: received_until(client, b"}")) == 40


@pytest.mark.parametrize("path", ["/api/token/test", "/api/challenge/other"])
def test_a_body_that_is_none_is_refused_once(
    impatient: LocalLichess, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    with connected(impatient) as client:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        client.sendall(head.encode() + b"zz\r\n")
        assert answer(client).count(b"HTTP/1.1 4") == 1
    assert requests.get(f"{impatient.url}/__ping", timeout=5).status_code == 200
    assert "Traceback" not in capfd.readouterr().err


def test_a_body_that_is_none_ends_the_stream_that_it_asks_for(
    impatient: LocalLichess, capfd: pytest.CaptureFixture[str]
) -> None:
    token = impatient.mint("housebot")
    with connected(impatient) as client:
        head = f"GET /api/stream/event HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n"
        client.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        received_until(client, b"\r\n\r\n")
        until(lambda: impatient.call(lambda site: site.audience.online("housebot")))
        client.sendall(b"zz\r\n")
        assert answer(client).count(b"HTTP/1.1") == 0
    until(lambda: not impatient.call(lambda site: site.audience.online("housebot")))
    assert "Traceback" not in capfd.readouterr().err
