"""Foreign web pages are kept out; odd requests do no harm."""
from __future__ import annotations

import socket

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.intake import SESSION_COOKIE
from bot.server.settings import ServerSettings
from tests.server.players import Lines, Player


@pytest.fixture
def guest(lichess: LocalLichess) -> requests.Session:
    """A person's browser."""
    session = requests.Session()
    secret = lichess.call(lambda site: site.users.open_session(site.users.guest(site.now_ms()), site.now_ms()))
    session.cookies.set(SESSION_COOKIE, secret)
    return session


def test_a_guest_plays_through_the_board_api_with_a_cookie(
    lichess: LocalLichess, guest: requests.Session, housebot: Player
) -> None:
    name = guest.get(f"{lichess.url}/api/account", timeout=5).json()["username"]
    events = housebot.events()
    form = {"clock.limit": "60", "clock.increment": "0", "color": "white", "variant": "spark"}
    made = guest.post(f"{lichess.url}/api/challenge/housebot", data=form, timeout=5).json()
    assert made["challenger"]["name"] == name
    assert events.next()["challenge"]["challenger"]["id"] == name.lower()
    housebot.accept(made["id"])
    lines = Lines(guest.get(f"{lichess.url}/api/board/game/stream/{made['id']}", stream=True, timeout=5))
    assert lines.next()["white"]["name"] == name
    assert guest.post(f"{lichess.url}/api/board/game/{made['id']}/move/e2e3", timeout=5).json() == {"ok": True}
    assert lines.next()["moves"] == "e2e3"
    refused = guest.post(f"{lichess.url}/api/bot/game/{made['id']}/resign", timeout=5)
    assert refused.status_code == 403


def test_guests_have_names_of_their_own(lichess: LocalLichess) -> None:
    names = {lichess.call(lambda site: site.users.guest(site.now_ms()).name) for _ in range(200)}
    assert len(names) == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", ""])
def test_a_foreign_host_name_is_refused(lichess: LocalLichess, housebot: Player, host: str) -> None:
    refused = housebot.get("/api/account", headers={"Host": host})
    assert (refused.status_code, refused.json()) == (403, {"error": "Unknown host name"})


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1", "[::1]:8080", "centella:8080", "192.0.2.7"])
def test_addresses_and_plain_names_are_ours(lichess: LocalLichess, housebot: Player, host: str) -> None:
    assert housebot.get("/api/account", headers={"Host": host}).status_code == 200


def test_further_host_names_can_be_allowed() -> None:
    with LocalLichess(ServerSettings(port=0, allowed_hosts=("chess.example",))) as lichess:
        assert Player(lichess, "housebot").get("/__ping", headers={"Host": "chess.example:80"}).status_code == 200


def test_a_page_of_another_origin_changes_nothing(lichess: LocalLichess, guest: requests.Session) -> None:
    path = f"{lichess.url}/api/challenge/nobody"
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        refused = guest.post(path, headers={"Origin": origin}, timeout=5)
        assert (refused.status_code, refused.json()) == (403, {"error": "Foreign origin"})
    own = guest.post(path, headers={"Origin": lichess.url}, timeout=5)
    assert own.json() == {"error": "No such user: nobody"}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"[1]", "application/json"),
        (b"{", "application/json"),
        (b"[" * 50_000, "application/json"),
        (b"\xff\xfe=1", "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(housebot: Player, fusebox: Player, body: bytes, kind: str) -> None:
    refused = housebot.post("/api/challenge/fusebox", data=body, headers={"Content-Type": kind})
    assert refused.status_code == 400 and "global" in refused.json()["error"]


def test_a_body_without_end_is_cut_off(housebot: Player, fusebox: Player) -> None:
    refused = housebot.post("/api/challenge/fusebox", data=iter([b"rules=", b"x" * 70_000]))
    assert "Content-Length" not in refused.request.headers
    assert (refused.status_code, refused.json()) == (413, {"error": "Request body too large"})


def test_a_body_that_is_announced_too_long_is_not_waited_for(lichess: LocalLichess) -> None:
    with socket.create_connection(("127.0.0.1", lichess.settings.port), timeout=5) as client:
        client.sendall(b"POST /api/token/test HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 65537\r\n\r\n")
        assert client.recv(1_000).startswith(b"HTTP/1.1 413 ")


def test_what_is_not_there_is_not_found_in_json(housebot: Player) -> None:
    for path in ("/api/nothing", "/api/user/nobody", "/game/export/nosuchgm"):
        refused = housebot.get(path)
        assert (refused.status_code, refused.json()) == (404, {"error": "Not found"})
    assert housebot.post("/api/account").status_code == 405
