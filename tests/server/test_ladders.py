"""The parlour's two ladders, sentence by sentence; the arithmetic is tested in tests/bot/test_ratings.py."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.ratings import Ladders
from bot.server.app import LocalLichess
from bot.server.perfs import Perf
from bot.server.settings import ServerSettings
from tests.server.players import Player
from tests.server.tables import FOOLS_MATE, SHUFFLE, TableOf, counts

CASUAL_NAMES = {"variant": "parlour", "clock__limit": 300, "clock__increment": 0}
RATED = {**CASUAL_NAMES, "rated": True}


def perf_of(player: Player) -> dict[str, Any]:
    perf: dict[str, Any] = player.get("/api/account").json()["perfs"]["parlour"]
    return perf


def ladders_of(player: Player) -> tuple[int, int]:
    perf = perf_of(player)
    return perf["rating"], perf["monthly"]


def stand(lichess: LocalLichess, player: Player, standing: Ladders) -> None:
    """Let a player have reached something."""

    def give(site: Any) -> None:
        user = site.users.get(player.name)
        site.users.put(type(user)(user.name, user.title, user.created_at_ms, perfs={"parlour": Perf(standing)}))

    lichess.call(give)


def test_the_parlour_has_a_general_and_a_monthly_ladder(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    first = TableOf(housebot, rival, rated=True)
    first.play(*FOOLS_MATE)
    assert perf_of(first.black) == {"games": 1, "rating": 1015, "rd": 0, "prog": 15, "monthly": 1015}
    assert perf_of(first.white) == {"games": 1, "rating": 985, "rd": 0, "prog": -15, "monthly": 985}
    assert housebot.challenge(rival, **CASUAL_NAMES)["challenger"]["rating"] == perf_of(housebot)["rating"]
    lichess.advance(31 * 86_400_000)
    assert perf_of(first.black)["monthly"] == 1000
    second = TableOf(housebot, rival, rated=True)
    assert second.white is first.black
    second.play(*FOOLS_MATE)
    assert (ladders_of(second.white), ladders_of(second.black)) == ((999, 985), (1001, 1015))


def test_general_plus_one_may_be_monthly_plus_thirty(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    assert lichess.call(lambda site: site.now_ms()) == 1_790_000_000_000
    table = TableOf(housebot, rival, rated=True)
    stand(lichess, table.black, Ladders(1590, 1000, "2026-09"))
    stand(lichess, table.white, Ladders(1000, 2000, "2026-09"))
    table.play(*FOOLS_MATE)
    assert (ladders_of(table.black), ladders_of(table.white)) == ((1591, 1030), (999, 1970))


@pytest.mark.parametrize(
    ("moves", "credited", "winner", "loser"), [(SHUFFLE * 5, 0, 1000, 985), ((*SHUFFLE * 5, "g1f3"), 1, 1015, 985)]
)
def test_resigning_loses_and_the_winner_is_credited_after_more_than_ten_moves(
    housebot: Player, rival: Player, moves: tuple[str, ...], credited: int, winner: int, loser: int
) -> None:
    table = TableOf(housebot, rival, rated=True)
    table.play(*moves)
    table.black.command(table.id, "resign")
    assert (counts(table.white), counts(table.black)) == ((credited, 0, 0), (0, 1, 0))
    assert (ladders_of(table.white), ladders_of(table.black)) == ((winner, winner), (loser, loser))
    exported = housebot.get(f"/game/export/{table.id}", headers={"Accept": "application/json"}).json()
    assert exported["winner"] == "white"
    assert [exported["players"][color]["ratingDiff"] for color in ("white", "black")] == [winner - 1000, loser - 1000]


def test_a_win_on_the_board_is_credited_however_short(housebot: Player, rival: Player) -> None:
    table = TableOf(housebot, rival, rated=True)
    table.play(*FOOLS_MATE)
    assert (counts(table.white), counts(table.black)) == ((0, 1, 0), (1, 0, 0))


@pytest.mark.parametrize(("moves", "winner"), [((*SHUFFLE, "e2e4"), 1000), ((*SHUFFLE * 5, "g1f3"), 1015)])
def test_leaving_costs_twenty_points_more_in_both_ladders(
    lichess: LocalLichess, housebot: Player, rival: Player, moves: tuple[str, ...], winner: int
) -> None:
    table = TableOf(housebot, rival, rated=True, clock__limit=1200)
    table.play(*moves)
    table.leave_for_good(lichess)
    assert (ladders_of(table.white), ladders_of(table.black)) == ((winner, winner), (965, 965))


def test_a_casual_game_moves_no_ladder(housebot: Player, rival: Player) -> None:
    TableOf(housebot, rival).play(*FOOLS_MATE)
    assert ladders_of(housebot) == ladders_of(rival) == (1000, 1000)


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
    challenge = housebot.challenge(rival, **RATED)
    assert challenge["rated"] is False
    assert housebot.challenge(rival, rated=True)["rated"] is True
    rival.http.headers["X-Forwarded-For"] = "203.0.113.8"
    rival.get("/api/account")
    apart = housebot.challenge(rival, **RATED)
    assert apart["rated"] is True
    rival.http.headers["X-Forwarded-For"] = "203.0.113.7"
    rival.accept(apart["id"])
    assert housebot.game(apart["id"]).next()["rated"] is False
