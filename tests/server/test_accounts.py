"""Accounts, tokens, scopes: section 2 and 7 of the contract."""
from __future__ import annotations

import json

import pytest
import requests

from bot import wire
from bot.server.app import LocalLichess
from tests.server.players import Match, Player


def test_a_token_is_tested_without_authorization(lichess: LocalLichess, housebot: Player) -> None:
    body = f" {housebot.token} ,lip_wrong\n"
    reply = requests.post(f"{lichess.url}/api/token/test", data=body, timeout=5).json()
    assert reply == {
        housebot.token: {"userId": "housebot", "scopes": "bot:play,challenge:read,challenge:write", "expires": None},
        "lip_wrong": None,
    }


@pytest.mark.parametrize("body", ["", " \n", ",", " , "])
def test_no_tokens_are_worth_nothing(lichess: LocalLichess, body: str) -> None:
    reply = requests.post(f"{lichess.url}/api/token/test", data=body, timeout=5)
    assert (reply.status_code, reply.json()) == (200, {})


def test_a_thousand_tokens_are_tested_and_no_more(lichess: LocalLichess) -> None:
    tokens = [f"lip_{number}" for number in range(1_001)]
    tested = requests.post(f"{lichess.url}/api/token/test", data=",".join(tokens[:1_000]), timeout=5)
    assert tested.json() == dict.fromkeys(tokens[:1_000])
    refused = requests.post(f"{lichess.url}/api/token/test", data=",".join(tokens), timeout=5)
    assert (refused.status_code, refused.json()) == (400, {"error": "Too many tokens, 1,000 at most"})


def test_the_account_of_a_bot_has_its_title_and_that_of_a_person_none(housebot: Player, rival: Player) -> None:
    account = housebot.get("/api/account").json()
    assert wire.read(wire.Account, account).title == "BOT"
    assert account["id"] == "housebot" and account["count"]["all"] == 0
    person = rival.get("/api/account").json()
    assert person["id"] == "rival" and person["username"] == "Rival" and "title" not in person


def test_who_has_no_token_a_wrong_one_or_too_small_a_one_is_told_so(lichess: LocalLichess) -> None:
    missing = requests.get(f"{lichess.url}/api/account", timeout=5)
    assert (missing.status_code, missing.json()) == (401, {"error": "Missing authorization header"})
    headers = {"Authorization": "Bearer lip_wrong"}
    wrong = requests.get(f"{lichess.url}/api/account", headers=headers, timeout=5)
    assert (wrong.status_code, wrong.json()) == (401, {"error": "No such token"})
    reader = Player(lichess, "reader", scopes=frozenset({"challenge:write"}))
    refused = reader.get("/api/stream/event")
    assert (refused.status_code, refused.json()) == (403, {"error": "Missing scope"})
    assert refused.headers["X-OAuth-Scopes"] == "challenge:write"
    assert "bot:play" in refused.headers["X-Accepted-OAuth-Scopes"]


def test_a_revoked_token_is_worthless(lichess: LocalLichess, housebot: Player) -> None:
    lichess.call(lambda site: site.users.revoke(housebot.token))
    assert housebot.get("/api/account").status_code == 401


def test_a_revoked_token_ends_the_streams_that_were_opened_with_it(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    match = Match(housebot, rival)
    streams = [housebot.events(), housebot.game(match.id)]
    other = rival.game(match.id)
    lichess.call(lambda site: site.users.revoke(housebot.token))
    rival.command(match.id, "chat", data={"room": "player", "text": "still there?"})
    lichess.advance(10_000)
    for lines in streams:
        assert [line["type"] for line in lines.rest() if line["type"] == "chatLine"] == []
    assert other.next_of("chatLine")["text"] == "still there?"


def test_a_bot_may_play_with_bot_play_alone_but_not_list_challenges(lichess: LocalLichess, rival: Player) -> None:
    bot = Player(lichess, "modest", scopes=frozenset({"bot:play"}))
    challenge = rival.challenge(bot)
    assert bot.get("/api/challenge").status_code == 403
    bot.accept(challenge["id"])


def test_an_account_is_upgraded_until_it_has_played(lichess: LocalLichess, fusebox: Player) -> None:
    newcomer = Player(lichess, "newcomer", bot=False, scopes=frozenset({"bot:play", "board:play"}))
    assert newcomer.post("/api/bot/account/upgrade").json() == {"ok": True}
    assert newcomer.get("/api/account").json()["title"] == "BOT"
    newcomer.api = "bot"
    match = Match(newcomer, fusebox)
    match.play("e2e4", "e7e5")
    newcomer.command(match.id, "resign")
    again = newcomer.post("/api/bot/account/upgrade")
    assert again.status_code == 400 and "games played" in again.json()["error"]
    assert newcomer.get("/api/account").json()["count"] | {"playing": 0} == {
        "all": 1, "rated": 0, "draw": 0, "loss": 1, "win": 0,
        "bookmark": 0, "playing": 0, "import": 0, "me": 0,
    }


def test_running_games_are_listed_most_urgent_first(housebot: Player, fusebox: Player, rival: Player) -> None:
    waiting = Match(housebot, fusebox)
    waiting.play("e2e4")
    urgent = Match(rival, housebot)
    urgent.play("d2d4")
    reply = housebot.get("/api/account/playing", params={"nb": 50}).json()
    games = wire.read(wire.Playing, reply).now_playing
    assert [game.game_id for game in games] == [urgent.id, waiting.id]
    assert reply["nbMyTurn"] == 1
    first = reply["nowPlaying"][0]
    assert first["fullId"].startswith(urgent.id) and len(first["fullId"]) == 12
    assert (first["color"], first["isMyTurn"], first["hasMoved"], first["lastMove"]) == ("black", True, False, "d2d4")
    assert first["opponent"] == {"id": "rival", "username": "Rival", "rating": 1500}
    assert reply["nowPlaying"][1]["opponent"]["username"] == "BOT fusebox"
    assert "compat" not in first and "id" not in first
    assert len(housebot.get("/api/account/playing", params={"nb": 1}).json()["nowPlaying"]) == 1


def test_nine_games_are_listed_unless_more_are_asked_for(housebot: Player, fusebox: Player) -> None:
    for _ in range(11):
        Match(housebot, fusebox)
    assert len(housebot.get("/api/account/playing").json()["nowPlaying"]) == 9
    assert len(housebot.get("/api/account/playing?nb=50").json()["nowPlaying"]) == 11


def test_who_reads_events_is_online(housebot: Player, fusebox: Player) -> None:
    events = housebot.events()
    Match(housebot, fusebox)
    status = fusebox.get("/api/users/status", params={"ids": "Housebot,fusebox,nobody"}).json()
    assert status == [
        {"name": "housebot", "id": "housebot", "title": "BOT", "online": True, "playing": True},
        {"name": "fusebox", "id": "fusebox", "title": "BOT", "playing": True},
    ]
    online = fusebox.get("/api/bot/online", params={"nb": 5})
    assert online.headers["content-type"] == "application/x-ndjson"
    assert [line.split('"')[3] for line in online.text.splitlines()] == ["housebot"]
    assert not events.response.raw.closed


def test_anyones_profile_can_be_read(lichess: LocalLichess, housebot: Player) -> None:
    assert requests.get(f"{lichess.url}/api/user/HouseBot", timeout=5).json()["username"] == "housebot"
    nobody = requests.get(f"{lichess.url}/api/user/nobody", timeout=5)
    assert (nobody.status_code, nobody.json()) == (404, {"error": "Not found"})
    assert requests.get(f"{lichess.url}/__ping", timeout=5).status_code == 200


def test_a_status_tells_more_if_more_is_asked_for(housebot: Player, fusebox: Player) -> None:
    events = housebot.events()
    match = Match(housebot, fusebox)
    params = {"ids": "housebot", "withSignal": "true", "withGameIds": "true", "withGameMetas": "true"}
    (status,) = fusebox.get("/api/users/status", params=params).json()
    assert status == {
        "name": "housebot", "title": "BOT", "id": "housebot", "online": True, "signal": 4,
        "playing": {"id": match.id, "clock": "3+2", "variant": "standard"}, "playingId": match.id,
    }
    assert not events.response.raw.closed


def test_an_online_bot_is_told_with_what_the_list_has_of_it(housebot: Player) -> None:
    events = housebot.events()
    (line,) = housebot.get("/api/bot/online").text.splitlines()
    assert {"id", "username", "perfs", "title", "createdAt", "seenAt", "playTime"} == json.loads(line).keys()
    assert not events.response.raw.closed
