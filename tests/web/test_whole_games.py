"""The real thing: `centella local` in a process of its own, a browser, and the games in the results."""
from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.table import Table, choose

_CENTELLA = [sys.executable, "-m", "bot"]
_STOP_S = 20
_ANSWER_MS = 30_000
_MOST_MOVES = 12
_TRIES = 20


@dataclass(frozen=True)
class House:
    """A running `centella local`."""

    url: str
    data: Path

    def results(self, count: int) -> list[dict[str, Any]]:
        """What `centella results` lists, once it lists so many games: the bot takes a moment to write one down."""
        command = [*_CENTELLA, "results", "--json", "--data", str(self.data)]
        games: list[dict[str, Any]] = []
        for _ in range(_TRIES):
            games = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            if len(games) >= count:
                break
        return games


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("data")
    command = [*_CENTELLA, "local", "--port", "0", "--no-browser", "--think-ms", "30", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        address = re.search(r"http://\S+", said)
        assert address is not None, said
        yield House(address.group(), data)
        process.send_signal(signal.SIGTERM)
        assert process.wait(_STOP_S) == 0


def test_a_spark_game_and_an_atomic_game_against_the_bot(context: BrowserContext, house: House) -> None:
    page = context.new_page()
    page.goto(house.url)
    _play_spark(_begin(page, "spark"))
    page.locator("#result [data-action=new]").click()
    _blow_something_up(_begin(page, "atomic"))
    games = house.results(2)
    assert sorted(game["variant"] for game in games) == ["atomic", "spark"]
    assert {(game["status"], game["result"], game["color"]) for game in games} == {("resign", "0-1", "black")}


def _begin(page: Page, game: str) -> Table:
    page.locator("#games label").first.wait_for()
    choose(page, game)
    page.locator("#play-button").click()
    page.wait_for_url(re.compile(r"/[A-Za-z0-9]{8}$"))
    table = Table(page, page.url[-8:])
    table.expect_turn()
    return table


def _play_spark(table: Table) -> None:
    """A knight's move, a Swap and a Shift; nothing of Black's can reach the men concerned so soon."""
    table.click("b1", "c3")
    _wait_for_answer(table, 2)
    table.drag("h2", "c1")
    _wait_for_answer(table, 4)
    table.click("g2", "b1")
    _wait_for_answer(table, 6)
    for ply, written in ((1, "Nc3"), (3, "h2>Bc1"), (5, "g2>b1")):
        expect(table.move(ply)).to_have_text(written)
    _resign(table)


def _blow_something_up(table: Table) -> None:
    """Send a knight forward until it or something else explodes; a win would leave nothing to resign."""
    for ply in range(0, 2 * _MOST_MOVES, 2):
        table.type(_bold_move(table))
        _wait_for_answer(table, ply + 2)
        if any(_position(table, earlier)["blast"] for earlier in (ply + 1, ply + 2)):
            break
    table.page.locator("#step-back").click()
    own = table.page.locator(".cell.blast").count()
    table.page.locator("#step-last").click()
    assert own + table.page.locator(".cell.blast").count() > 0
    _resign(table)


def _bold_move(table: Table) -> str:
    """A capture, unless it ends the game; else a step of the king's knight, else anything."""
    legal = [move for move in _position(table, None)["legal"] if not move["written"].endswith("#")]
    captures = [move for move in legal if move["capture"]]
    knights = [move for move in legal if move["written"].startswith("N") and int(move["to"][1]) > int(move["from"][1])]
    return str((captures or knights or legal)[0]["uci"])


def _position(table: Table, ply: int | None) -> dict[str, Any]:
    query = "" if ply is None else f"?ply={ply}"
    return dict(table.page.request.get(f"{table.page.url[:-9]}/web/game/{table.id}/position{query}").json())


def _wait_for_answer(table: Table, ply: int) -> None:
    expect(table.move(ply)).to_be_visible(timeout=_ANSWER_MS)
    table.expect_turn()


def _resign(table: Table) -> None:
    page = table.page
    page.locator("[data-action='game.resign']").click()
    page.locator("#actions .danger").click()
    expect(page.locator("#result h2")).to_have_text("You lost")
    expect(page.locator("#result")).to_contain_text("By resignation.")
