"""Lists of players: read from names, files and pages, and never lost because one of these fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.list_keeper import RETRY_S, ListKeeper
from bot.lists import Lists, read_names
from bot.records.database import Records
from bot.records.pages import Pages
from tests.bot.loopback import Exchange, Loopback, loopback
from tests.bot.offices import Desk


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records(tmp_path) as records:
        yield records


class Site:
    """A page whose content, and whose health, a test changes."""

    def __init__(self) -> None:
        self.content = "Rival\n# a remark\n\nfusebox # another\n"
        self.etag = '"one"'
        self.status = 200

    def answer(self, exchange: Exchange) -> None:
        if self.status != 200:
            exchange.reply(self.status, "<html>trouble</html>", kind="text/html")
        elif exchange.headers.get("If-None-Match") == self.etag:
            exchange.reply(304, "")
        else:
            exchange.reply(200, self.content, kind="text/plain", ETag=self.etag)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def server(site: Site) -> Iterator[Loopback]:
    with loopback(site.answer) as server:
        yield server


def keeper(desk: Desk, records: Records) -> ListKeeper:
    made = ListKeeper(desk.office, Pages(records))
    made.load()
    return made


def read_again(desk: Desk, lists: ListKeeper) -> None:
    desk.seconds = lists.next_deadline()
    lists.tick()
    desk.work()


def test_names_are_read_whatever_their_case() -> None:
    assert read_names("Rival\n  FuseBox  # blocked in 2025\n#nobody\n\n<b>no name</b>\n") == {"rival", "fusebox"}


def test_a_player_on_the_block_list_is_refused_and_one_on_no_allow_list_too() -> None:
    lists = Lists(frozenset({"rival"}), None)
    assert lists.refusal("RIVAL") is not None
    assert lists.refusal("fusebox") is None
    guests = Lists(frozenset({"rival"}), frozenset({"rival", "fusebox"}))
    assert [name for name in ("rival", "fusebox", "other") if guests.refusal(name) is None] == ["fusebox"]


def test_names_of_the_configuration_and_of_files_are_joined(records: Records, tmp_path: Path) -> None:
    (tmp_path / "blocked.txt").write_text("\ufeffSlowPoke\n", encoding="utf-8")
    desk = Desk(records, lists={"block": {"names": ("Rival",), "files": (str(tmp_path / "blocked.txt"),)}})
    lists = keeper(desk, records)
    assert desk.office.lists == Lists(frozenset({"rival", "slowpoke"}), None)
    (tmp_path / "blocked.txt").write_text("pawnstorm\n", encoding="utf-8")
    read_again(desk, lists)
    assert desk.office.lists == Lists(frozenset({"rival", "pawnstorm"}), None)


def test_a_file_that_is_gone_leaves_its_names_in_force(records: Records, tmp_path: Path) -> None:
    path = tmp_path / "blocked.txt"
    path.write_text("slowpoke\n", encoding="utf-8")
    desk = Desk(records, lists={"block": {"files": (str(path),)}})
    lists = keeper(desk, records)
    path.unlink()
    read_again(desk, lists)
    assert desk.office.lists.refusal("slowpoke") is not None


def test_without_files_and_pages_nothing_is_read_again(records: Records) -> None:
    lists = keeper(Desk(records, lists={"block": {"names": ("rival",)}}), records)
    assert lists.next_deadline() == float("inf")


def test_a_page_is_asked_for_only_when_it_has_changed(records: Records, site: Site, server: Loopback) -> None:
    desk = Desk(records, lists={"block": {"urls": (f"{server.url}/blocked",)}, "reread_every_s": 60})
    lists = keeper(desk, records)
    assert desk.office.lists.blocked == {"rival", "fusebox"}
    read_again(desk, lists)
    assert server.requests[1].headers["If-None-Match"] == '"one"'
    assert desk.office.lists.blocked == {"rival", "fusebox"}
    site.content, site.etag = "rival\n", '"two"'
    read_again(desk, lists)
    assert desk.office.lists.blocked == {"rival"}
    assert desk.seconds == 120


def test_the_token_goes_to_no_other_host(records: Records, server: Loopback) -> None:
    keeper(Desk(records, lists={"block": {"urls": (f"{server.url}/blocked",)}}), records)
    assert "Authorization" not in server.requests[0].headers


@pytest.mark.parametrize("trouble", ["503", "a web page"])
def test_a_failing_page_leaves_its_names_in_force_and_is_tried_again_sooner(
    records: Records, site: Site, server: Loopback, trouble: str
) -> None:
    desk = Desk(records, lists={"block": {"urls": (f"{server.url}/blocked",)}})
    lists = keeper(desk, records)
    if trouble == "503":
        site.status = 503
    else:
        site.content, site.etag = "<html>please log in</html>", '"portal"'
    read_again(desk, lists)
    assert desk.office.lists.blocked == {"rival", "fusebox"}
    assert lists.next_deadline() == desk.seconds + RETRY_S


def test_a_page_that_fails_after_a_restart_is_known_from_before(
    records: Records, site: Site, server: Loopback
) -> None:
    settings: dict[str, Any] = {"allow": {"urls": (f"{server.url}/allowed",)}}
    keeper(Desk(records, lists=settings), records)
    site.status = 500
    desk = Desk(records, lists=settings)
    keeper(desk, records)
    assert desk.office.lists.allowed == {"rival", "fusebox"}


def test_an_allow_list_that_was_never_read_allows_nobody(records: Records, site: Site, server: Loopback) -> None:
    site.status = 500
    desk = Desk(records, lists={"allow": {"urls": (f"{server.url}/allowed",)}})
    keeper(desk, records)
    assert desk.office.lists.refusal("rival") is not None
