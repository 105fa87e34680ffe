"""The page's own routes, without a browser."""
from __future__ import annotations

import random

import pytest
from starlette.testclient import TestClient

from bot.server.app import create_app
from bot.server.settings import ServerSettings
from bot.server.site import Site
from bot.server.web.position import position_after
from rules import draws, variants
from rules.game import Game
from rules.variant import Variant


def _played(variant: Variant, moves: str, fen: str | None = None) -> Game:
    return Game.replay(variant, draws.for_game(variant, with_bot=True), fen, moves.split())


@pytest.fixture
def client() -> TestClient:
    return TestClient(create_app(ServerSettings(), chance=random.Random(1)), base_url="http://localhost:8080")


def _site(client: TestClient) -> Site:
    site = client.app.state.site  # type: ignore[attr-defined]
    assert isinstance(site, Site)
    return site


def test_an_atomic_capture_tells_the_squares_it_emptied() -> None:
    shown = position_after(_played(variants.ATOMIC, "b1c3 b8c6 c3d5 a7a6 d5c7"), 5, 0, True)
    assert shown["blast"] == ["c6", "c7", "c8", "d8"]
    assert shown["lastMove"] == {"from": "d5", "to": "c7", "written": "Nxc7"}


@pytest.mark.parametrize("moves", ["e2e4 d7d5 e4d5", "e2e4 e7e5"])
def test_nothing_explodes_in_chess(moves: str) -> None:
    game = _played(variants.STANDARD, moves)
    assert position_after(game, len(game.moves), 0, False)["blast"] == []


def test_spark_moves_tell_their_kind() -> None:
    shown = position_after(_played(variants.SPARK, "b1c3 b8c6"), 2, 0, False)
    kinds = {move["written"]: move["kind"] for move in shown["legal"]}
    assert (kinds["h2>Bc1"], kinds["h2>b1"], kinds["h3"]) == ("swap", "shift", "normal")


@pytest.mark.parametrize("rook_castling, uci, other", [(False, "e1g1", "e1h1"), (True, "e1h1", "e1g1")])
def test_castling_can_be_meant_by_either_square(rook_castling: bool, uci: str, other: str) -> None:
    game = _played(variants.FROM_POSITION, "", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    (castling,) = [move for move in position_after(game, 0, 0, rook_castling)["legal"] if move["kind"] == "castle"]
    assert (castling["uci"], castling["uciAlso"], castling["to"], castling["also"]) == (uci, other, "g1", ["h1"])


def test_castling_over_one_square_is_meant_by_the_rook_only() -> None:
    game = _played(variants.FROM_POSITION, "", "4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    legal = position_after(game, 0, 0, True)["legal"]
    assert [move["written"] for move in legal if move["from"] == "f1" and move["to"] == "g1"] == ["Kg1"]
    assert [move["written"] for move in legal if move["from"] == "f1" and move["to"] == "h1"] == ["O-O"]


def test_check_names_the_kings_square() -> None:
    shown = position_after(_played(variants.STANDARD, "e2e4 f7f6 d1h5"), 3, 0, False)
    assert shown["checks"] == ["e8"]


def test_known_moves_are_left_out() -> None:
    game = _played(variants.STANDARD, "e2e4 e7e5 g1f3")
    assert position_after(game, 3, 2, False)["moves"] == [{"uci": "g1f3", "written": "Nf3"}]
    assert position_after(game, 1, 1, False)["moves"] == []


def test_a_guest_is_remembered_by_the_cookie_and_may_use_the_board_api(client: TestClient) -> None:
    assert client.get("/api/account").status_code == 401
    first = client.post("/web/guest").json()
    assert client.post("/web/guest").json() == first
    assert client.get("/api/account").json()["id"] == first["id"]


def test_two_browsers_are_two_guests(client: TestClient) -> None:
    first = client.post("/web/guest").json()
    client.cookies.clear()
    assert client.post("/web/guest").json() != first


def test_all_games_are_listed_with_what_they_allow(client: TestClient) -> None:
    listed = {each["key"]: each for each in client.get("/web/variants").json()["variants"]}
    assert list(listed) == [variant.key for variant in variants.ALL]
    assert listed["atomic"] == {
        "key": "atomic", "name": "Atomic", "needsFen": False, "takesFen": False, "turnTime": False, "watch": False,
    }  # fmt: skip
    assert listed["fromPosition"]["needsFen"]
    assert listed["parlour"]["turnTime"] and listed["parlour"]["watch"]


@pytest.mark.parametrize(
    "path, status",
    [
        ("/web/game/AAAAAAAA/position", 404),
        ("/web/game/AAAAAAAA", 404),
        ("/web/pieces/wX.svg", 404),
        ("/web/pieces/..%2Froutes.py.svg", 404),
        ("/web/page/..%2Froutes.py", 404),
        ("/web/page/js/nothing.js", 404),
        ("/short", 404),
        ("/AAAAAAAA", 200),
        ("/", 200),
    ],
)
def test_what_is_not_there_is_said_not_to_be(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_positions_are_told_to_the_last_ply_and_no_further(client: TestClient) -> None:
    site = _site(client)
    client.post("/web/guest")
    site.users.ensure("centella", 0, bot=True)
    answer = client.post("/api/challenge/centella", json={"variant": "spark", "color": "white"})
    game_id = answer.json()["id"]
    site.challenges.accept(site.users.get("centella"), game_id)
    assert client.post(f"/api/board/game/{game_id}/move/e2e3").json() == {"ok": True}
    shown = client.get(f"/web/game/{game_id}/position").json()
    assert (shown["ply"], shown["turn"], shown["outcome"]) == (1, "black", None)
    assert client.get(f"/web/game/{game_id}/position?ply=2").status_code == 404
    refused = client.get(f"/web/game/{game_id}/position?ply=x")
    assert (refused.status_code, refused.json()) == (400, {"error": "ply: a number is expected, not 'x'"})
    client.post(f"/api/board/game/{game_id}/resign")
    ended = client.get(f"/web/game/{game_id}/position").json()
    assert ended["outcome"] == {"status": "aborted", "winner": None, "reason": "aborted"}
    assert ended["legal"] == []


def test_files_and_pieces_carry_the_content_policy(client: TestClient) -> None:
    for path in ("/", "/web/page/js/main.js", "/web/pieces/wN.svg"):
        assert "script-src 'self'" in client.get(path).headers["content-security-policy"]
    assert client.get("/web/pieces/wN.svg").headers["content-type"] == "image/svg+xml"
