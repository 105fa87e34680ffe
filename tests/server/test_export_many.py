"""Many games at once, for reading elsewhere: section 7 of the contract, as far as berserk asks for it."""
from __future__ import annotations

import json
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.server.players import Match, Player

JSON_LINES = {"Accept": "application/x-ndjson"}
SHORT = ("f2f3", "e7e5", "g2g4", "d8h4")


def games(player: Player, path: str, **params: object) -> list[dict[str, Any]]:
    response = player.get(path, params=params, headers=JSON_LINES)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


@pytest.fixture
def played(lichess: LocalLichess, housebot: Player, rival: Player, fusebox: Player) -> dict[str, str]:
    """Ids: a finished game, one of atomic, a rated one, and one that still runs; a second lies between them."""
    finished = Match(rival, housebot)
    finished.play(*SHORT)
    lichess.advance(1_000)
    atomic = Match(housebot, fusebox, variant="atomic")
    atomic.play("e2e4", "e7e5")
    housebot.command(atomic.id, "resign")
    lichess.advance(1_000)
    rated = Match(housebot, rival, rated=True, clock__limit=600)
    rated.play(*SHORT)
    lichess.advance(1_000)
    ongoing = Match(rival, housebot)
    ongoing.play("e2e4", "e7e5", "g1f3", "b8c6")
    return {"finished": finished.id, "atomic": atomic.id, "rated": rated.id, "ongoing": ongoing.id}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ["rated", "atomic", "finished"]),
        ({"sort": "dateAsc"}, ["finished", "atomic", "rated"]),
        ({"max": 1}, ["rated"]),
        ({"ongoing": "true"}, ["ongoing", "rated", "atomic", "finished"]),
        ({"ongoing": "true", "finished": "false"}, ["ongoing"]),
        ({"vs": "Rival"}, ["rated", "finished"]),
        ({"rated": "true"}, ["rated"]),
        ({"rated": "False"}, ["atomic", "finished"]),
        ({"perfType": "atomic,rapid"}, ["rated", "atomic"]),
        ({"color": "white"}, ["rated", "atomic"]),
        ({"since": 1_790_000_001_000}, ["rated", "atomic"]),
        ({"until": 1_790_000_001_000}, ["atomic", "finished"]),
    ],
)
def test_games_of_a_user_are_chosen_by_filters(
    housebot: Player, played: dict[str, str], params: dict[str, object], expected: list[str]
) -> None:
    found = [game["id"] for game in games(housebot, "/api/games/user/HouseBot", **params)]
    assert found == [played[name] for name in expected]


def test_a_filter_that_is_no_number_is_named(housebot: Player) -> None:
    refused = housebot.get("/api/games/user/housebot", params={"max": "many"})
    assert refused.status_code == 400 and refused.json()["max"] == ["Numeric value expected"]
    assert housebot.get("/api/games/user/nobody").status_code == 404


def test_many_games_come_as_pgn_unless_json_is_asked_for(housebot: Player, played: dict[str, str]) -> None:
    response = housebot.get("/api/games/user/housebot")
    assert response.headers["content-type"] == "application/x-chess-pgn"
    assert response.text.count("[GameId ") == 3 and "%clk" not in response.text
    assert response.text.count("\n\n\n") == 3
    with_clocks = housebot.get("/api/games/user/housebot", params={"clocks": "true"})
    assert "%clk" in with_clocks.text


def test_games_are_exported_by_their_ids(housebot: Player, played: dict[str, str]) -> None:
    body = f"{played['atomic']}, {played['finished']},nosuchgm"
    response = housebot.post("/api/games/export/_ids", data=body, headers=JSON_LINES)
    assert [json.loads(line)["id"] for line in response.text.splitlines()] == [played["atomic"], played["finished"]]


def test_the_current_game_is_the_running_one_or_else_the_last(
    lichess: LocalLichess, housebot: Player, fusebox: Player, played: dict[str, str]
) -> None:
    headers = {"Accept": "application/json"}
    running = housebot.get("/api/user/housebot/current-game", headers=headers).json()
    assert (running["id"], running["moves"]) == (played["ongoing"], "e4")
    assert housebot.get("/api/user/fusebox/current-game", headers=headers).json()["id"] == played["atomic"]
    assert "[Variant \"Atomic\"]" in housebot.get("/api/user/fusebox/current-game").text
    Player(lichess, "newcomer")
    assert housebot.get("/api/user/newcomer/current-game").status_code == 404
