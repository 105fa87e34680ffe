"""Rated games: Glicko-2 for Lichess's categories, and the parlour's ladders with what goes with them."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from bot import wire
from bot.ratings import Glicko, Ladders
from bot.server.app import LocalLichess
from bot.server.intake import SESSION_COOKIE
from bot.server.perfs import Perf
from bot.server.settings import ServerSettings
from tests.server.players import Match, Player

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
LIGHTNING = {"variant": "parlour", "rated": True, "clock__limit": 300, "clock__increment": 0}


def perf_of(player: Player, key: str) -> dict[str, Any]:
    perf: dict[str, Any] = player.get("/api/account").json()["perfs"][key]
    return perf


def counts(player: Player) -> dict[str, int]:
    count = player.get("/api/account").json()["count"]
    return {name: count[name] for name in ("win", "loss", "draw")}


def stand(lichess: LocalLichess, player: Player, key: str, standing: Glicko | Ladders) -> None:
    """Let a player have reached something."""

    def give(site: Any) -> None:
        user = site.users.get(player.name)
        site.users.put(type(user)(user.name, user.title, user.created_at_ms, perfs={key: Perf(standing, games=9)}))

    lichess.call(give)


def leave_for_good(lichess: LocalLichess, match: Match) -> None:
    """Black leaves; White waits and claims, on Black's turn."""
    staying = match.white.game(match.id)
    assert staying.next()["type"] == "gameFull"
    lichess.advance(200_000)
    assert match.white.command(match.id, "claim-victory").json() == {"ok": True}


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
    lichess.advance(400 * 86_400_000)
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


# The parlour


def test_the_parlour_has_a_general_and_a_monthly_ladder(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    match = Match(housebot, rival, **LIGHTNING)
    match.play(*FOOLS_MATE)
    assert perf_of(rival, "parlour") == {"games": 1, "rating": 1015, "rd": 0, "prog": 15, "monthly": 1015}
    assert perf_of(housebot, "parlour") == {"games": 1, "rating": 985, "rd": 0, "prog": -15, "monthly": 985}
    lichess.advance(31 * 86_400_000)
    assert perf_of(rival, "parlour")["monthly"] == 1000
    again = Match(rival, housebot, **LIGHTNING)
    again.play(*FOOLS_MATE)
    assert perf_of(rival, "parlour") | {"games": 2} == {
        "games": 2, "rating": 999, "rd": 0, "prog": -1, "monthly": 985,
    }  # fmt: skip


def test_general_and_monthly_ladder_go_their_own_ways(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    month = "2026-09"
    assert lichess.call(lambda site: site.now_ms()) == 1_790_000_000_000
    stand(lichess, housebot, "parlour", Ladders(1590, 1000, month))
    stand(lichess, rival, "parlour", Ladders(1000, 2000, month))
    match = Match(rival, housebot, **LIGHTNING)
    match.play(*FOOLS_MATE)
    perf = perf_of(housebot, "parlour")
    assert (perf["rating"], perf["monthly"]) == (1591, 1030)


def test_resigning_loses_and_the_winner_is_credited_after_more_than_ten_moves(
    housebot: Player, rival: Player
) -> None:
    short = Match(housebot, rival, **LIGHTNING)
    short.play(*(SHUFFLE * 5))
    rival.command(short.id, "resign")
    assert (counts(housebot), counts(rival)) == ({"win": 0, "loss": 0, "draw": 0}, {"win": 0, "loss": 1, "draw": 0})
    assert (perf_of(housebot, "parlour")["rating"], perf_of(rival, "parlour")["rating"]) == (1000, 985)
    exported = housebot.get(f"/game/export/{short.id}", headers={"Accept": "application/json"}).json()
    assert exported["winner"] == "white"
    long = Match(housebot, rival, **LIGHTNING)
    long.play(*(SHUFFLE * 5), "g1f3")
    rival.command(long.id, "resign")
    assert counts(housebot)["win"] == 1
    assert (perf_of(housebot, "parlour")["rating"], perf_of(rival, "parlour")["rating"]) == (1014, 971)


def test_a_win_on_the_board_is_credited_however_short(housebot: Player, rival: Player) -> None:
    match = Match(housebot, rival, **LIGHTNING)
    match.play(*FOOLS_MATE)
    assert counts(rival) == {"win": 1, "loss": 0, "draw": 0}


@pytest.mark.parametrize(("moves", "white", "black"), [((*SHUFFLE,), 1000, 965), ((*SHUFFLE * 6,), 1015, 965)])
def test_leaving_costs_twenty_points_more(
    lichess: LocalLichess, housebot: Player, rival: Player, moves: tuple[str, ...], white: int, black: int
) -> None:
    match = Match(housebot, rival, **{**LIGHTNING, "clock__limit": 1200})
    match.play(*moves[:-1])
    rival.move(match.id, moves[-1])
    housebot.move(match.id, "e2e4")
    leave_for_good(lichess, match)
    assert (perf_of(housebot, "parlour")["rating"], perf_of(rival, "parlour")["rating"]) == (white, black)
    assert perf_of(rival, "parlour")["monthly"] == black


@pytest.fixture
def proxied() -> Iterator[LocalLichess]:
    """A server that believes this machine when it says for whom it asks."""
    server = LocalLichess(ServerSettings(port=0, trusted_proxies=("127.0.0.1",)))
    yield server
    server.begin_stop()


def test_two_players_behind_one_address_play_for_no_points_unless_it_is_this_machine(
    proxied: LocalLichess,
) -> None:
    housebot, rival = Player(proxied, "housebot"), Player(proxied, "Rival", bot=False)
    for player in (housebot, rival):
        player.http.headers["X-Forwarded-For"] = "203.0.113.7"
    rival.get("/api/account")
    challenge = housebot.challenge(rival, **LIGHTNING)
    assert challenge["rated"] is False
    assert housebot.challenge(rival, rated=True)["rated"] is True
    rival.http.headers["X-Forwarded-For"] = "203.0.113.8"
    rival.get("/api/account")
    apart = housebot.challenge(rival, **LIGHTNING)
    assert apart["rated"] is True
    rival.http.headers["X-Forwarded-For"] = "203.0.113.7"
    rival.accept(apart["id"])
    assert housebot.game(apart["id"]).next()["rated"] is False
