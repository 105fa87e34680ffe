"""Challenges that any two players may take up: section 4 of the contract."""
from __future__ import annotations

from typing import Any

import pytest
import requests

from bot.server.app import LocalLichess
from tests.server.players import Player

DAY_MS = 86_400_000


def open_challenge(lichess: LocalLichess, **fields: object) -> dict[str, Any]:
    """Created by nobody in particular."""
    form = {name.replace("__", "."): value for name, value in fields.items()}
    response = requests.post(f"{lichess.url}/api/challenge/open", json=form, timeout=5)
    assert response.status_code == 200, response.text
    challenge: dict[str, Any] = response.json()
    return challenge


def accept(player: Player, challenge_id: str, color: str | None = None) -> requests.Response:
    return player.post(f"/api/challenge/{challenge_id}/accept", params={"color": color} if color else {})


def players_of(lichess: LocalLichess, game_id: str) -> tuple[str | None, ...]:
    return lichess.call(lambda site: tuple(seat.user_id for seat in site.tables[game_id].seats))


def test_it_is_created_without_a_token_and_has_no_players(lichess: LocalLichess) -> None:
    challenge = open_challenge(lichess, clock__limit=600, clock__increment=0)
    url = f"{lichess.url}/{challenge['id']}"
    assert (challenge["challenger"], challenge["destUser"], challenge["open"]) == (None, None, {})
    assert (challenge["url"], challenge["urlWhite"], challenge["urlBlack"]) == (
        url, f"{url}?color=white", f"{url}?color=black"
    )
    assert challenge["color"] == "random" and "direction" not in challenge and "name" not in challenge


def test_a_token_that_nobody_has_is_refused_even_here(lichess: LocalLichess) -> None:
    headers = {"Authorization": "Bearer lip_wrong"}
    assert requests.post(f"{lichess.url}/api/challenge/open", headers=headers, timeout=5).status_code == 401


def test_the_second_player_to_take_it_up_begins_the_game(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    challenge_id = open_challenge(lichess, clock__limit=600, clock__increment=0)["id"]
    events = [housebot.events(), rival.events()]
    assert accept(rival, challenge_id).json() == {"ok": True}
    assert all(lines.nothing_yet() for lines in events)
    assert accept(rival, challenge_id).status_code == 404
    assert accept(housebot, challenge_id).json() == {"ok": True}
    for lines in events:
        game = lines.next()
        assert (game["type"], game["game"]["id"], game["game"]["source"]) == ("gameStart", challenge_id, "friend")
    assert accept(Player(lichess, "late"), challenge_id).status_code == 404


@pytest.mark.parametrize(("first", "second"), [("white", None), ("black", None), (None, "white"), (None, "black")])
def test_either_player_may_choose_a_color(
    lichess: LocalLichess, housebot: Player, rival: Player, first: str | None, second: str | None
) -> None:
    challenge_id = open_challenge(lichess)["id"]
    accept(rival, challenge_id, first)
    accept(housebot, challenge_id, second)
    rival_is_white = first == "white" or second == "black"
    assert players_of(lichess, challenge_id) == (("rival", "housebot") if rival_is_white else ("housebot", "rival"))


def test_a_color_that_is_taken_is_refused(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    challenge_id = open_challenge(lichess)["id"]
    accept(rival, challenge_id, "white")
    taken = accept(housebot, challenge_id, "white")
    assert (taken.status_code, taken.json()) == (400, {"error": "This color has already been chosen"})
    assert accept(housebot, challenge_id, "black").status_code == 200


def test_it_may_be_for_two_players_only_white_first(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    fusebox = Player(lichess, "fusebox")
    challenge = open_challenge(lichess, users="housebot,Rival", rules="noRematch", variant="chess960", rated=True,
                               clock__limit=180, clock__increment=2)
    assert challenge["open"] == {"userIds": ["housebot", "rival"]} and challenge["rules"] == ["noRematch"]
    stranger = accept(fusebox, challenge["id"])
    assert stranger.status_code == 400 and "not for you" in stranger.json()["error"]
    accept(rival, challenge["id"], "white")
    accept(housebot, challenge["id"], "black")
    assert players_of(lichess, challenge["id"]) == ("housebot", "rival")


def test_it_lives_for_a_day_unless_told_otherwise(lichess: LocalLichess, rival: Player) -> None:
    usual = open_challenge(lichess)["id"]
    now_ms = lichess.call(lambda site: site.now_ms())
    short = open_challenge(lichess, expiresAt=now_ms + 60_000)["id"]
    lichess.advance(60_000)
    assert accept(rival, short).status_code == 404
    lichess.advance(DAY_MS - 60_001)
    assert rival.get(f"/api/challenge/{usual}/show").json()["status"] == "created"
    lichess.advance(1)
    assert accept(rival, usual).status_code == 404


def test_whoever_has_made_it_may_cancel_it(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    challenge = housebot.post("/api/challenge/open", data={"name": "Anybody?"}).json()
    assert challenge["name"] == "Anybody?"
    assert rival.post(f"/api/challenge/{challenge['id']}/cancel").status_code == 404
    assert housebot.post(f"/api/challenge/{challenge['id']}/cancel").json() == {"ok": True}
    cancelled = accept(rival, challenge["id"])
    assert cancelled.status_code == 400 and "canceled" in cancelled.json()["error"]


def test_nobody_cancels_one_that_nobody_has_made(lichess: LocalLichess, housebot: Player) -> None:
    challenge_id = open_challenge(lichess)["id"]
    assert housebot.post(f"/api/challenge/{challenge_id}/cancel").status_code == 404


def test_a_bot_cannot_join_a_game_too_fast_for_it(lichess: LocalLichess, housebot: Player) -> None:
    challenge_id = open_challenge(lichess, clock__limit=15, clock__increment=0)["id"]
    refused = accept(housebot, challenge_id)
    assert (refused.status_code, refused.json()) == (400, {"error": "Game incompatible with a BOT account"})


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"clock.limit": 70, "clock.increment": 0}, {"clock.limit": ["Invalid value"]}),
        ({"users": "housebot"}, {"users": ["Two different users are expected, White's first"]}),
        ({"users": "rival,RIVAL"}, {"users": ["Two different users are expected, White's first"]}),
        ({"users": "rival,nobody"}, {"users": ["No such user"]}),
        ({"name": "x" * 101}, {"name": ["Maximum length is 100"]}),
        ({"rules": "noAbort"}, {"rules": ["noAbort is for administrators"]}),
        ({"expiresAt": 1}, {"expiresAt": ["Must be a time within the next two weeks, in milliseconds"]}),
        ({"expiresAt": "soon"}, {"expiresAt": ["Must be a time within the next two weeks, in milliseconds"]}),
    ],
)
def test_a_wrong_field_is_named_once(
    lichess: LocalLichess, rival: Player, fields: dict[str, object], wrong: dict[str, list[str]]
) -> None:
    refused = rival.post("/api/challenge/open", json=fields)
    assert (refused.status_code, refused.json()) == (400, {"error": wrong})


def test_an_administrator_may_forbid_aborting(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    admin = Player(lichess, "boss", bot=False, scopes=frozenset({"admin"}))
    challenge_id = admin.post("/api/challenge/open", json={"rules": ["noAbort"]}).json()["id"]
    accept(housebot, challenge_id, "white"), accept(rival, challenge_id)
    refused = housebot.command(challenge_id, "abort")
    assert (refused.status_code, refused.json()) == (400, {"error": "This game can no longer be aborted"})
