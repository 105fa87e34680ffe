"""Games against machines: `POST /api/challenge/ai`, section 4, and what is different in them, sections 5 and 6."""
from __future__ import annotations

import queue
import threading
from typing import Any

import chess
import pytest
import requests

from bot.search.thinker import Limits, Thinker
from bot.server.app import LocalLichess
from bot.server.machine import LEVELS, ThinkingMachine
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from rules import draws, uci, variants
from rules.game import Game
from tests.server.players import Lines, Player, until

LICHESS_GAMES = [variant.key for variant in variants.ALL if variant.lichess and not variant.needs_fen]


def begin(player: Player, **fields: object) -> dict[str, Any]:
    form = {"level": 1, "color": "white"} | {name.replace("__", "."): value for name, value in fields.items()}
    response = player.post("/api/challenge/ai", json=form)
    assert response.status_code == 201, response.text
    game: dict[str, Any] = response.json()
    return game


def state_after(lines: Lines, plies: int) -> dict[str, Any]:
    """The first state with so many moves or more."""
    while len((state := lines.next_of("gameState"))["moves"].split()) < plies:
        pass
    return state


def test_a_game_begins_at_once(lichess: LocalLichess, housebot: Player) -> None:
    events = housebot.events()
    game = begin(housebot, level=3, color="black")
    assert game | {"id": "", "fullId": ""} == {
        "id": "", "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "speed": "correspondence", "perf": "correspondence", "rated": False, "source": "ai",
        "createdAt": 1_790_000_000_000, "fen": chess.STARTING_FEN, "turns": 0,
        "status": {"id": 20, "name": "started"}, "player": "white", "fullId": "",
    }
    started = events.next_of("gameStart")["game"]
    assert (started["id"], started["fullId"], started["source"]) == (game["id"], game["fullId"], "ai")
    assert started["opponent"] == {"id": None, "username": "Stockfish level 3", "ai": 3}
    assert "secondsLeft" not in started
    full = housebot.game(game["id"]).next()
    assert full["white"] == {"aiLevel": 3} and full["black"]["id"] == "housebot"


def test_the_machine_answers_and_moves_first_when_it_is_white(housebot: Player) -> None:
    as_black = begin(housebot, color="black")
    assert state_after_or_now(housebot.game(as_black["id"]), 1)
    as_white = begin(housebot)
    lines = housebot.game(as_white["id"])
    housebot.move(as_white["id"], "e2e4")
    assert state_after(lines, 2)["moves"].startswith("e2e4 ")


def state_after_or_now(lines: Lines, plies: int) -> dict[str, Any]:
    state: dict[str, Any] = lines.next()["state"]
    return state if len(state["moves"].split()) >= plies else state_after(lines, plies)


@pytest.mark.parametrize("key", LICHESS_GAMES)
def test_machines_play_every_game(lichess: LocalLichess, housebot: Player, key: str) -> None:
    game = begin(housebot, variant=key, clock__limit=180, clock__increment=0)
    lines = housebot.game(game["id"])
    assert lines.next()["variant"]["key"] == key
    position = lichess.call(lambda site: site.tables[game["id"]].game.position)
    housebot.move(game["id"], uci.write(position, position.legal_moves()[0], rook_castling=True))
    assert len(state_after(lines, 2)["moves"].split()) == 2


def test_a_takeback_is_granted_at_once(lichess: LocalLichess, rival: Player) -> None:
    game = begin(rival)
    lines = rival.game(game["id"])
    rival.move(game["id"], "e2e4")
    state_after(lines, 2)
    rival.command(game["id"], "takeback/yes")
    state = lines.next()
    assert (state["type"], state["moves"]) == ("gameState", "") and "wtakeback" not in state


def test_a_machine_neither_takes_nor_accepts_draws(lichess: LocalLichess, rival: Player) -> None:
    game = begin(rival)
    lines = rival.game(game["id"])
    rival.move(game["id"], "e2e4")
    state_after(lines, 2)
    assert rival.command(game["id"], "draw/yes").json() == {"ok": True}
    assert lines.nothing_yet()
    assert not rival.get("/api/account/playing").json()["nowPlaying"][0].get("winner")


def test_nobody_talks_to_a_machine_nor_claims_its_game(lichess: LocalLichess, rival: Player) -> None:
    game = begin(rival, clock__limit=600, clock__increment=0)
    lines = rival.game(game["id"])
    rival.move(game["id"], "e2e4")
    state_after(lines, 2)
    for command in ("claim-victory", "claim-draw"):
        assert rival.command(game["id"], command).json() == {"ok": True}
    assert rival.command(game["id"], "chat", data={"room": "player", "text": "hello"}).json() == {"ok": True}
    assert rival.get(f"/api/board/game/{game['id']}/chat").json() == []
    assert rival.post(f"/api/round/{game['id']}/add-time/15").status_code == 400
    assert lines.nothing_yet()


def test_a_move_against_a_machine_takes_half_a_second() -> None:
    with LocalLichess(ServerSettings(port=0), timekeeper=ManualTime()) as lichess:
        housebot = Player(lichess, "housebot")
        game = begin(housebot)
        lines = housebot.game(game["id"])
        assert lines.next()["type"] == "gameFull"
        answers: queue.Queue[requests.Response] = queue.Queue()
        threading.Thread(target=lambda: answers.put(housebot.command(game["id"], "move/e2e4"))).start()
        begun_ms = lichess.call(lambda site: site.now_ms())
        until(lambda: lichess.advance(250) or not answers.empty())
        assert lichess.call(lambda site: site.now_ms()) >= begun_ms + 500
        assert answers.get().json() == {"ok": True}
        assert state_after(lines, 1)["moves"].startswith("e2e4")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, {"level": ["This field is required"]}),
        ({"level": 9}, {"level": ["Invalid value"]}),
        ({"level": "strong"}, {"level": ["Invalid value"]}),
        ({"level": 1, "clock.limit": 70, "clock.increment": 0}, {"clock.limit": ["Invalid value"]}),
    ],
)
def test_a_wrong_field_is_named_twice(housebot: Player, fields: dict[str, object], wrong: dict[str, object]) -> None:
    refused = housebot.post("/api/challenge/ai", json=fields)
    assert (refused.status_code, refused.json()) == (400, wrong | {"error": wrong})


def test_the_export_names_the_machine_by_its_level(housebot: Player) -> None:
    game = begin(housebot, level=2)
    headers = {"Accept": "application/json"}
    exported = housebot.get(f"/game/export/{game['id']}", headers=headers).json()
    assert (exported["players"]["black"], exported["source"]) == ({"aiLevel": 2}, "ai")
    assert '[Black "lichess AI level 2"]' in housebot.get(f"/game/export/{game['id']}").text


def test_a_level_is_so_many_nodes_and_so_always_the_same_move() -> None:
    game = Game.start(variants.STANDARD, draws.for_game(variants.STANDARD, with_bot=False))
    thinker, machine = Thinker(hash_mb=4), ThinkingMachine()
    nodes = [20, 80, 300, 1_200, 5_000, 20_000, 80_000, 300_000]
    for level in LEVELS[:5]:
        thinker.clear()
        assert machine.choose(game, level) == thinker.think(game, Limits(nodes=nodes[level - 1])).move
