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

from bot.search.thinker import Limits, Thinker
from rules import draws, uci, variants
from rules.game import Game
from rules.position import Position
from tests.web.table import Table, choose

_CENTELLA = [sys.executable, "-m", "bot"]
_STOP_S = 20
_ANSWER_MS = 30_000
_MOST_MOVES = 20
_THINK_MS = 100
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
    """Play until something explodes, then resign."""
    flashed = table.page.locator(".cell.blast")
    for ply in range(0, 2 * _MOST_MOVES, 2):
        table.type(_bold_move(_position(table, ply)["fen"]))
        expect(table.move(ply + 1)).to_be_visible()
        if _position(table, ply + 1)["blast"]:
            break
        _wait_for_answer(table, ply + 2)
    table.move(ply + 1).click()
    expect(flashed.first).to_be_visible()
    _resign(table)


def _bold_move(fen: str) -> str:
    """A capture that wins nothing and after which the bot cannot win at once; where there is none, a good move."""
    position = Position.from_fen(variants.ATOMIC, fen)
    for move in position.legal_moves():
        after = position.play(move)
        if position.is_capture(move) and after.ending() is None and not _is_won(after):
            return uci.write(position, move, rook_castling=True)
    game = Game(position, draws.for_game(variants.ATOMIC, with_bot=True))
    return uci.write(position, Thinker(hash_mb=1).think(game, Limits(time_ms=_THINK_MS)).move, rook_castling=True)


def _is_won(position: Position) -> bool:
    """Whether the side to move wins with its next move."""
    return any(position.play(reply).ending() is not None for reply in position.legal_moves())


def _position(table: Table, ply: int) -> dict[str, Any]:
    server = table.page.url.removesuffix(f"/{table.id}")
    return dict(table.page.request.get(f"{server}/web/game/{table.id}/position?ply={ply}").json())


def _wait_for_answer(table: Table, ply: int) -> None:
    expect(table.move(ply)).to_be_visible(timeout=_ANSWER_MS)
    table.expect_turn()


def _resign(table: Table) -> None:
    page = table.page
    page.locator("[data-action='game.resign']").click()
    page.locator("#actions .danger").click()
    expect(page.locator("#result h2")).to_have_text("You lost")
    expect(page.locator("#result")).to_contain_text("By resignation.")
