"""Arenas: what happens when answers come late."""

from __future__ import annotations

from pathlib import Path

from bot.arenas import Arenas
from bot.config import Arena
from bot.records.database import Records
from tests.bot.loopback import Exchange, Request, loopback
from tests.bot.offices import Desk


def standing(exchange: Exchange) -> None:
    """An arena that runs and is open to bots; joining and leaving it work."""
    exchange.reply_json({"id": "Ar3naAr3", "secondsToFinish": 600, "botsAllowed": True, "ok": True})


def test_an_arena_left_while_the_answer_to_joining_is_on_its_way_is_left(tmp_path: Path) -> None:
    with loopback(standing) as server, Records(tmp_path) as records:
        desk = Desk(records, server.url)
        arenas = Arenas(desk.office)
        arenas.join(Arena(id="Ar3naAr3"))
        desk.work()  # how it stands: joining is asked for
        arenas.leave("Ar3naAr3")
        desk.work()  # it is joined
        desk.work()  # it is left
        asked = [request.path.partition("?")[0].rsplit("/", 1)[-1] for request in server.requests]
    assert asked == ["Ar3naAr3", "join", "withdraw"]


def joining(tmp_path: Path) -> list[Request]:
    """What is asked of the site until an arena is joined."""
    with loopback(standing) as server, Records(tmp_path) as records:
        desk = Desk(records, server.url)
        Arenas(desk.office).join(Arena(id="Ar3naAr3"))
        desk.work()
        desk.work()
        assert desk.idle
        return server.requests


def test_an_arena_that_is_still_wanted_is_not_left(tmp_path: Path) -> None:
    asked = [request.path.partition("?")[0].rsplit("/", 1)[-1] for request in joining(tmp_path)]
    assert asked == ["Ar3naAr3", "join"]


def test_joining_without_password_and_team_is_a_request_without_a_body(tmp_path: Path) -> None:
    join = joining(tmp_path)[-1]
    assert join.headers["Content-Length"] == "0"
    assert "Transfer-Encoding" not in join.headers
