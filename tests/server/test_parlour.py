"""The parlour's tables, sentence by sentence: how a game ends there, its clock and its colors."""
from __future__ import annotations

import random
from typing import Any

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.intake import SESSION_COOKIE
from tests.server.players import Lines, Match, Player
from tests.server.tables import BARE_KING, FOOLS_MATE, NO_CLOCK, SHUFFLE, TURNS, TableOf, counts


def last_state(lines: Lines) -> dict[str, Any]:
    last = lines.rest()[-1]
    state: dict[str, Any] = last.get("state", last)
    return state


# How a game ends


def test_a_draw_may_be_offered_every_ten_own_moves(housebot: Player, rival: Player) -> None:
    table = TableOf(housebot, rival, color="white")
    table.play(*SHUFFLE[:2])
    lines = rival.game(table.id)
    lines.next()

    def offered() -> bool:
        """Whether White's offer stands after it tried."""
        housebot.command(table.id, "draw/yes")
        stands = "wdraw" in rival.game(table.id, **{"User-Agent": "another"}).next()["state"]
        rival.command(table.id, "draw/no")
        return stands

    assert offered()
    moves = [*SHUFFLE[2:], *SHUFFLE * 4]
    for ply, uci in enumerate(moves[:17]):
        (rival if ply % 2 else housebot).move(table.id, uci)
    assert not offered(), "after nine moves of its own"
    rival.move(table.id, moves[17])
    assert not offered()
    # Lichess's twenty plies are not over yet
    housebot.move(table.id, "e2e4")
    assert offered(), "after ten moves of its own"


def test_a_flag_loses_the_game_whatever_the_opponent_has_left(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    table = TableOf(housebot, rival, color="white", fen=BARE_KING)
    table.play("h2h3", "h8h7")
    rival.command(table.id, "draw/yes")
    lines = rival.game(table.id)
    lichess.advance(300_000)
    state = last_state(lines)
    assert (state["status"], state["winner"], state["reason"]) == ("outoftime", "black", "flag")


def test_an_offer_to_a_bare_king_is_an_offer_and_no_claim(housebot: Player, rival: Player) -> None:
    table = TableOf(housebot, rival, color="white", fen=BARE_KING)
    table.play("h2h3", "h8h7")
    housebot.command(table.id, "draw/yes")
    state = rival.game(table.id).next()["state"]
    assert (state["status"], state["wdraw"]) == ("started", True)


@pytest.mark.parametrize("terms", [{"clock.limit": 1200}, TURNS])
def test_leaving_loses_also_against_a_bare_king(
    lichess: LocalLichess, housebot: Player, rival: Player, terms: dict[str, Any]
) -> None:
    table = TableOf(housebot, rival, color="black", fen=BARE_KING, **terms)
    table.play("h2h3", "h8h7")
    staying = housebot.game(table.id)
    assert staying.next()["type"] == "gameFull"
    if "turn.limit" not in terms:
        lichess.advance(5_000)
        assert staying.next()["type"] == "opponentGone"
    lichess.advance(200_000)
    if housebot.game(table.id, **{"User-Agent": "another"}).next()["state"]["moves"].count(" ") % 2 == 0:
        housebot.move(table.id, "h7h8")
    assert housebot.command(table.id, "claim-draw").json() == {"ok": True}
    assert housebot.command(table.id, "claim-victory").json() == {"ok": True}
    state = last_state(staying)
    assert (state["status"], state["winner"], state["reason"]) == ("timeout", "black", "abandonment")


# The clock


def test_who_lets_the_turn_pass_is_automatic_until_it_acts(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    table = TableOf(housebot, rival, color="white", **TURNS)
    lines = rival.game(table.id)
    lines.next()
    lichess.advance(30_000)
    first = lines.next_of("gameState")
    assert first["wautomatic"] is True and "bautomatic" not in first
    rival.move(table.id, "e7e5")
    assert lines.next_of("gameState") | {"wtime": 30_000} == {**lines_state(first, "e7e5"), "wautomatic": True}
    lichess.advance(30_000)
    assert lines.next_of("gameState")["wautomatic"] is True
    housebot.command(table.id, "chat", data={"room": "player", "text": "I am here"})
    assert "wautomatic" not in lines.next_of("gameState")


def lines_state(before: dict[str, Any], move: str) -> dict[str, Any]:
    """The state after another move, each turn having its full time."""
    return {**before, "moves": f"{before['moves']} {move}", "wtime": 30_000, "btime": 30_000}


def test_lag_is_given_back_at_the_change_of_turn_up_to_five_seconds(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    table = TableOf(rival, housebot, color="white")
    table.play("e2e4", "e7e5")
    lines = housebot.game(table.id)
    lines.next()
    for lag, left_ms in (("1500", 291_500), ("60000", 286_500), ("x", 276_500), ("-3000", 266_500)):
        lichess.advance(10_000)
        rival.move(table.id, "g1f3" if left_ms in (291_500, 276_500) else "f3g1", lag=lag)
        assert lines.next_of("gameState")["wtime"] == left_ms
        housebot.move(table.id, "g8f6" if left_ms in (291_500, 276_500) else "f6g8")
        lines.next_of("gameState")
    rival.move(table.id, "d2d4", lag="4000")
    assert lines.next_of("gameState")["wtime"] == 266_500, "more than was used is not given back"


def test_elsewhere_lag_is_nobodys_business(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot, clock__increment=0, clock__limit=300)
    match.play("e2e4", "e7e5")
    lichess.advance(10_000)
    rival.move(match.id, "g1f3", lag="4000")
    assert housebot.game(match.id).next()["state"]["wtime"] == 290_000


@pytest.mark.parametrize(
    ("terms", "rated"),
    [
        ({"clock.limit": 300, "clock.increment": 0}, True),
        ({"clock.limit": 1200, "clock.increment": 5}, True),
        ({**NO_CLOCK, "turn.limit": 60}, True),
        ({"clock.limit": 240, "clock.increment": 0}, False),
        ({"clock.limit": 1260, "clock.increment": 0}, False),
        ({"clock.limit": 600, "clock.increment": 6}, False),
        ({**NO_CLOCK, "days": 3}, False),
    ],
)
def test_rated_tables_have_turn_time_or_lightning(
    housebot: Player, rival: Player, terms: dict[str, Any], rated: bool
) -> None:
    answer = housebot.post("/api/challenge/rival", json={"variant": "parlour", "rated": True, **terms})
    assert answer.status_code == (200 if rated else 400)
    if not rated:
        assert answer.json()["error"] == {"global": ["This game cannot be rated"]}
    assert housebot.post("/api/challenge/rival", json={"variant": "parlour", **terms}).status_code == 200


# Players


def test_colors_are_drawn_for_the_first_game_and_alternate_from_then_on(housebot: Player, rival: Player) -> None:
    seats = []
    for one, other in random.Random(7).choices([(housebot, rival), (rival, housebot)], k=6):
        table = TableOf(one, other, rated=True, color=random.Random(len(seats)).choice(["white", "black", "random"]))
        table.play(*FOOLS_MATE)
        seats.append(table.white.name)
    assert seats in (["housebot", "Rival"] * 3, ["Rival", "housebot"] * 3)


def test_the_first_color_is_a_matter_of_luck(lichess: LocalLichess, housebot: Player) -> None:
    guests = [Player(lichess, f"guest{number}", bot=False) for number in range(12)]
    assert {TableOf(housebot, guest).white is housebot for guest in guests} == {True, False}


def test_an_aborted_game_takes_nobodys_turn(housebot: Player, rival: Player) -> None:
    first = TableOf(housebot, rival, rated=True)
    first.play(*FOOLS_MATE)
    second = TableOf(housebot, rival, rated=True)
    second.white.command(second.id, "abort")
    assert TableOf(housebot, rival, rated=True).white is second.white is first.black


class Browser:
    """A guest before the page, at a table against `opponent`."""

    def __init__(self, lichess: LocalLichess, opponent: Player, **fields: object) -> None:
        self.url = lichess.url
        self.http = requests.Session()
        self.http.post(f"{self.url}/web/guest", timeout=5)
        assert SESSION_COOKIE in self.http.cookies
        terms = {"variant": "parlour", "color": "white", **TURNS, **fields}
        challenge = self.http.post(f"{self.url}/api/challenge/{opponent.name}", json=terms, timeout=5).json()
        self.watched = challenge.get("watch")
        self.id = challenge["id"]
        opponent.accept(self.id)

    def move(self, uci: str) -> None:
        assert self.http.post(f"{self.url}/api/board/game/{self.id}/move/{uci}", timeout=5).ok

    def look_away(self) -> None:
        assert self.http.post(f"{self.url}/web/game/{self.id}/look-away", timeout=5).ok


def test_who_looks_away_from_a_watched_game_may_find_it_annulled(lichess: LocalLichess, housebot: Player) -> None:
    browser = Browser(lichess, housebot, watch=True)
    assert browser.watched is True
    lines = housebot.game(browser.id)
    assert lines.next()["watch"] is True
    browser.look_away()
    browser.move("e2e4")
    housebot.move(browser.id, "e7e5")
    assert all("wlookedAway" not in lines.next() for _ in range(2)), "before both have moved nobody has to look"
    refused = housebot.command(browser.id, "annul")
    assert (refused.status_code, refused.json()) == (400, {"error": "This game cannot be annulled"})
    browser.look_away()
    assert lines.next()["wlookedAway"] is True
    assert housebot.command(browser.id, "annul").json() == {"ok": True}
    state = last_state(lines)
    assert (state["status"], state["reason"]) == ("aborted", "annulled") and "winner" not in state
    assert counts(housebot) == (0, 0, 0)


def test_a_move_lets_the_right_to_annul_pass(lichess: LocalLichess, housebot: Player) -> None:
    browser = Browser(lichess, housebot, watch=True)
    for uci, reply in (("e2e4", "e7e5"), ("g1f3", "b8c6")):
        browser.move(uci)
        if uci == "g1f3":
            browser.look_away()
        housebot.move(browser.id, reply)
    assert "wlookedAway" not in housebot.game(browser.id).next()["state"]
    assert housebot.command(browser.id, "annul").status_code == 400


def test_nobody_is_watched_on_the_api(housebot: Player, rival: Player) -> None:
    table = TableOf(rival, housebot, color="white", watch=True)
    table.play("e2e4", "e7e5")
    assert rival.post(f"/web/game/{table.id}/look-away").ok
    assert housebot.command(table.id, "annul").status_code == 400


def test_nobody_is_watched_unless_that_was_agreed(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    browser = Browser(lichess, housebot)
    assert browser.watched is None
    browser.move("e2e4")
    housebot.move(browser.id, "e7e5")
    browser.look_away()
    assert housebot.command(browser.id, "annul").status_code == 400
    refused = housebot.post("/api/challenge/rival", json={"variant": "atomic", "watch": True})
    assert refused.json()["error"] == {"watch": ["Invalid value"]}
