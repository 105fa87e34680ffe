"""What protects a server that strangers can reach; each protection lets the harmless through."""
from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.server import web
from bot.server.app import LocalLichess
from bot.server.quotas import LICHESS_LIMITS, SHARED_LIMITS, UNLIMITED, Limits, Quota, limits_named
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from tests.server.players import Match, Player, until

PAGE = Path(web.__file__).parent / "page"


@pytest.fixture
def serve() -> Iterator[Any]:
    """Servers with settings of their own, whose time stands still."""
    servers = []

    def start(**settings: Any) -> LocalLichess:
        servers.append(LocalLichess(ServerSettings(port=0, **settings), timekeeper=ManualTime()))
        return servers[-1]

    yield start
    for server in servers:
        server.begin_stop()


def forwarded(address: str, scheme: str = "http") -> dict[str, str]:
    return {"X-Forwarded-For": address, "X-Forwarded-Proto": scheme}


# Requests and guests


def test_an_address_may_ask_so_often_and_no_more(serve: Any) -> None:
    lichess = serve(limits=Limits(requests_by_address=Quota(3, 10_000)))
    assert [requests.get(f"{lichess.url}/__ping", timeout=5).status_code for _ in range(4)] == [200] * 3 + [429]
    refused = requests.get(f"{lichess.url}/__ping", timeout=5)
    assert (refused.headers["Retry-After"], refused.json()) == (
        "10", {"error": "Too many requests. Try again later."},
    )  # fmt: skip
    lichess.advance(10_000)
    assert requests.get(f"{lichess.url}/__ping", timeout=5).status_code == 200


def test_nothing_is_limited_unless_it_is_asked_for(lichess: LocalLichess) -> None:
    with requests.Session() as http:
        assert {http.get(f"{lichess.url}/__ping", timeout=5).status_code for _ in range(100)} == {200}


def test_guests_are_made_so_often_from_one_address(serve: Any) -> None:
    lichess = serve(limits=Limits(guests_by_address=Quota(2, 60_000)))
    first = requests.post(f"{lichess.url}/web/guest", timeout=5)
    assert requests.post(f"{lichess.url}/web/guest", timeout=5).status_code == 200
    assert requests.post(f"{lichess.url}/web/guest", timeout=5).status_code == 429
    known = requests.post(f"{lichess.url}/web/guest", cookies=first.cookies, timeout=5)
    assert known.json() == first.json()


def test_limits_are_chosen_by_name() -> None:
    assert limits_named("off") == UNLIMITED
    assert limits_named("lichess") == LICHESS_LIMITS
    both = limits_named("shared,bot_games")
    assert (both.requests_by_address, both.bot_games) == (SHARED_LIMITS.requests_by_address, LICHESS_LIMITS.bot_games)
    assert both.event_streams is None
    with pytest.raises(ValueError, match=r"'sharp' is no limit \(known: off, lichess, shared, bot_games"):
        limits_named("sharp")


# Proxies


def test_a_proxy_that_is_trusted_tells_who_asks(serve: Any) -> None:
    lichess = serve(trusted_proxies=("127.0.0.1",), limits=Limits(requests_by_address=Quota(1, 10_000)))
    for address, status in (("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.1", 429)):
        reply = requests.get(f"{lichess.url}/__ping", headers=forwarded(address), timeout=5)
        assert reply.status_code == status
    guest = requests.post(f"{lichess.url}/web/guest", headers=forwarded("192.0.2.3", "https"), timeout=5)
    assert "; Secure" in guest.headers["Set-Cookie"]


def test_nobody_else_is_believed(serve: Any) -> None:
    for trusted in ((), ("192.0.2.200",)):
        lichess = serve(trusted_proxies=trusted, limits=Limits(requests_by_address=Quota(2, 10_000)))
        guest = requests.post(f"{lichess.url}/web/guest", headers=forwarded("192.0.2.1", "https"), timeout=5)
        cookie = guest.headers["Set-Cookie"]
        assert "Secure" not in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert requests.get(f"{lichess.url}/__ping", headers=forwarded("192.0.2.2"), timeout=5).status_code == 200
        assert requests.get(f"{lichess.url}/__ping", headers=forwarded("192.0.2.3"), timeout=5).status_code == 429


def test_a_public_address_is_written_into_links_and_may_be_asked_for(serve: Any) -> None:
    lichess = serve(public_url="https://Chess.example/")
    housebot, fusebox = Player(lichess, "housebot"), Player(lichess, "fusebox")
    here = f"http://127.0.0.1:{lichess.settings.port}"
    reply = housebot.http.post(
        f"{here}/api/challenge/{fusebox.name}",
        headers={"Host": "chess.example", "Origin": "https://chess.example"},
        timeout=5,
    )
    assert reply.json()["url"] == f"https://Chess.example/{reply.json()['id']}"
    assert housebot.http.get(f"{here}/api/account", headers={"Host": "other.example"}, timeout=5).status_code == 403


# Streams


def test_a_user_may_open_so_many_streams(serve: Any) -> None:
    lichess = serve(streams_each=2)
    housebot, fusebox = Player(lichess, "housebot"), Player(lichess, "fusebox")
    match = Match(housebot, fusebox)
    lines = [housebot.game(match.id, **{"User-Agent": f"program {number}"}) for number in range(2)]
    until(lambda: lichess.call(lambda site: site.places.taken) == 2)
    refused = housebot.get("/api/stream/event")
    assert (refused.status_code, refused.json()) == (429, {"error": "Too many streams of yours are open"})
    form = {"clock.limit": 60, "clock.increment": 0, "keepAliveStream": "true"}
    assert housebot.post("/api/challenge/fusebox", data=form).status_code == 429
    assert fusebox.get("/api/challenge").json()["in"] == []
    assert fusebox.events()
    lines[0].close()
    until(lambda: lichess.call(lambda site: site.places.taken) == 2)
    assert housebot.events()


def test_there_is_room_for_so_many_streams_in_all(serve: Any) -> None:
    lichess = serve(streams=1)
    events = Player(lichess, "housebot").events()
    until(lambda: lichess.call(lambda site: site.places.taken) == 1)
    refused = Player(lichess, "fusebox").get("/api/stream/event")
    assert (refused.status_code, refused.json()) == (503, {"error": "Too many streams are open"})
    events.close()
    until(lambda: lichess.call(lambda site: site.places.taken) == 0)
    Player(lichess, "rival").events()


# The page and its files


def test_no_answer_is_taken_for_something_else(lichess: LocalLichess) -> None:
    for path in ("/", "/web/page/js/main.js", "/__ping", "/api/account", "/web/pieces/wN.svg"):
        assert requests.get(lichess.url + path, timeout=5).headers["X-Content-Type-Options"] == "nosniff"


def test_the_policy_of_the_page_allows_nothing_inline_or_foreign(lichess: LocalLichess) -> None:
    policy = requests.get(f"{lichess.url}/", timeout=5).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "*" not in policy


def test_the_page_has_nothing_inline_and_makes_nothing_out_of_text() -> None:
    html = (PAGE / "index.html").read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\son\w+\s*=|\sstyle\s*=|javascript:", html) == []
    dangerous = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc")
    scripts = sorted(PAGE.glob("js/*.js"))
    assert scripts and [script.name for script in scripts if dangerous.search(script.read_text())] == []


@pytest.mark.parametrize(
    "path",
    [
        "/web/page/../routes.py",
        "/web/page/../../settings.py",
        "/web/page/%2e%2e/routes.py",
        "/web/page/..%2f..%2fsettings.py",
        "/web/page/js/%2e%2e/%2e%2e/routes.py",
        "/web/page//etc/passwd",
        "/web/page/%2fetc%2fpasswd",
        "/web/page/js/..\\..\\..\\routes.py",
        "/web/page/%00",
        "/web/pieces/../../../settings.py",
    ],
)
def test_files_beside_the_page_cannot_be_had(lichess: LocalLichess, path: str) -> None:
    with socket.create_connection((lichess.settings.host, lichess.settings.port), timeout=5) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    assert received.startswith(b"HTTP/1.1 404 ") and b"import" not in received and b"root:" not in received


def test_files_of_the_page_can_be_had(lichess: LocalLichess) -> None:
    assert requests.get(f"{lichess.url}/web/page/js/main.js", timeout=5).status_code == 200


# Tokens, names, chat


def test_no_token_is_kept_and_only_the_whole_of_it_counts(lichess: LocalLichess, housebot: Player) -> None:
    kept = lichess.call(lambda site: site.store.database.rows("SELECT * FROM tokens"))
    assert kept and housebot.token.removeprefix("lip_") not in str(kept)
    assert housebot.get("/api/account").status_code == 200
    for wrong in (housebot.token[:-1], housebot.token + "x", housebot.token.swapcase(), "", "lip_", "\u00e9" * 28):
        headers = {"Authorization": f"Bearer {wrong}".encode()}
        assert requests.get(f"{lichess.url}/api/account", headers=headers, timeout=5).status_code == 401


@pytest.mark.parametrize("name", ["", "x", "-abc", "a b", "<b>", "../..", "n\u00e4me", "a\nb", "x" * 31, "BOT \u202e"])
def test_a_name_that_could_be_anything_else_is_none(lichess: LocalLichess, name: str) -> None:
    with pytest.raises(ValueError, match="is not a user name"):
        lichess.mint(name)


def test_chat_is_passed_on_as_text_without_what_garbles_it(
    lichess: LocalLichess, housebot: Player, fusebox: Player
) -> None:
    match = Match(housebot, fusebox)
    lines = fusebox.game(match.id)
    lines.next()
    for said, shown in (
        ("<script>alert(1)</script> & \"'", "<script>alert(1)</script> & \"'"),
        ("a\x1b[31mb\x00c\r\nd\x7f", "a[31mbcd"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("caf\u00e9 \u2028 \U0001f600 \u200d\u05d0", "caf\u00e9 \u2028 \U0001f600 \u200d\u05d0"),
    ):
        assert housebot.command(match.id, "chat", json={"room": "player", "text": said}).status_code == 200
        assert lines.next()["text"] == shown
    for nothing in ("\x00", "\u202e \r\n"):
        assert housebot.command(match.id, "chat", json={"room": "player", "text": nothing}).status_code == 400
