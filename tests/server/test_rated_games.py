"""Rated games in Lichess's categories; the arithmetic is tested in tests/bot/test_ratings.py."""
from __future__ import annotations

from typing import Any

import pytest
import requests

from bot import wire
from bot.ratings import Glicko
from bot.server.app import LocalLichess
from bot.server.intake import SESSION_COOKIE
from bot.server.perfs import Perf
from tests.server.players import Match, Player

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def perf_of(player: Player, key: str) -> dict[str, Any]:
    perf: dict[str, Any] = player.get("/api/account").json()["perfs"][key]
    return perf


def stand(lichess: LocalLichess, player: Player, key: str, standing: Glicko) -> None:
    """Let a player have reached something."""

    def give(site: Any) -> None:
        user = site.users.get(player.name)
        site.users.put(type(user)(user.name, user.title, user.created_at_ms, perfs={key: Perf(standing, games=9)}))

    lichess.call(give)


def test_a_rated_game_moves_both_ratings(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    events = housebot.events()
    match = Match(housebot, rival, rated=True)
    full = housebot.game(match.id).next()
    assert (full["rated"], full["white"]["rating"], full["white"]["provisional"]) == (True, 1500, True)
    match.play(*FOOLS_MATE)
    finish = events.next_of("gameFinish")["game"]
    lost = finish["ratingDiff"]
    assert lost < -100 and finish["opponent"]["ratingDiff"] == -lost
    assert (finish["rating"], finish["opponent"]["rating"]) == (1500, 1500)
    assert list(finish)[-4:] == ["rating", "ratingDiff", "compat", "id"]
    mine, theirs = perf_of(housebot, "blitz"), perf_of(rival, "blitz")
    assert (mine["rating"], theirs["rating"]) == (1500 + lost, 1500 - lost)
    assert (mine["games"], mine["prog"], mine["prov"]) == (1, lost, True) and mine["rd"] < 500
    assert wire.read(wire.Account, housebot.get("/api/account").json()).count.all == 1
    exported = housebot.get(f"/game/export/{match.id}", headers={"Accept": "application/json"}).json()
    assert [exported["players"][color]["ratingDiff"] for color in ("white", "black")] == [lost, -lost]
    text = housebot.get(f"/game/export/{match.id}").text
    assert f'[WhiteRatingDiff "{lost}"]\n[BlackRatingDiff "+{-lost}"]' in text
    assert housebot.challenge(rival)["challenger"]["rating"] == 1500 + lost


def test_who_has_played_enough_is_not_provisional_any_more(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    stand(lichess, housebot, "blitz", Glicko(1712.4, 70.0, 0.06, lichess.call(lambda site: site.now_ms())))
    challenge = rival.challenge(housebot)
    assert challenge["destUser"]["rating"] == 1712 and "provisional" not in challenge["destUser"]
    assert challenge["challenger"]["provisional"] is True
    housebot.accept(challenge["id"])
    full = rival.game(challenge["id"]).next()
    assert "provisional" not in full["black"] and "prov" not in perf_of(housebot, "blitz")
    lichess.advance(10 * 86_400_000)
    assert perf_of(housebot, "blitz")["rd"] > 70


@pytest.mark.parametrize("fields", [{"rated": False}, {"rated": True, "variant": "atomic"}])
def test_other_categories_stay_as_they_are(housebot: Player, rival: Player, fields: dict[str, Any]) -> None:
    match = Match(housebot, rival, **fields)
    match.play("e2e4", "e7e5")
    rival.command(match.id, "resign")
    assert housebot.challenge(rival)["challenger"]["rating"] == 1500
    exported = housebot.get(f"/game/export/{match.id}", headers={"Accept": "application/json"}).json()
    assert ("ratingDiff" in exported["players"]["white"]) is fields["rated"]


def test_an_aborted_game_changes_nothing(housebot: Player, rival: Player) -> None:
    events = housebot.events()
    match = Match(housebot, rival, rated=True)
    match.play("e2e4")
    housebot.command(match.id, "abort")
    finish = events.next_of("gameFinish")["game"]
    assert finish["status"]["name"] == "aborted" and "ratingDiff" not in finish
    assert housebot.get("/api/account").json()["perfs"] == {}


def test_a_game_with_a_guest_is_casual(lichess: LocalLichess, housebot: Player) -> None:
    browser = requests.Session()
    browser.post(f"{lichess.url}/web/guest", timeout=5)
    form = {"rated": "true", "clock.limit": "180", "clock.increment": "2"}
    answer = browser.post(f"{lichess.url}/api/challenge/housebot", data=form, timeout=5)
    assert SESSION_COOKIE in browser.cookies and answer.json()["rated"] is False
