"""Clocks: section 10 of the contract."""
from __future__ import annotations

import pytest

from bot.server.app import LocalLichess
from bot.server.clock import CountdownClock, TurnClock
from rules.move import Color
from tests.server.players import Match, Player

WHITE, BLACK = Color.WHITE, Color.BLACK


def test_the_first_two_plies_cost_and_earn_nothing(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    lines.next()
    for uci, player, wait_ms, left in (
        ("e2e4", rival, 90_000, (180_000, 180_000)),
        ("e7e5", housebot, 30_000, (180_000, 180_000)),
        ("g1f3", rival, 1_237, (180_770, 180_000)),
        ("b8c6", housebot, 3_000, (180_770, 179_000)),
    ):
        lichess.advance(wait_ms)
        player.move(match.id, uci)
        state = lines.next_of("gameState")
        assert (state["wtime"], state["btime"]) == left
    lichess.advance(5_000)
    assert housebot.game(match.id, **{"User-Agent": "late"}).next()["state"]["wtime"] == 175_770


def test_the_move_that_ends_the_game_earns_nothing(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("f2f3", "e7e5", "g2g4")
    lines = rival.game(match.id)
    lichess.advance(1_000)
    housebot.move(match.id, "d8h4")
    assert lines.rest()[-1]["btime"] == 179_000


def test_a_flag_falls_by_itself(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, clock__limit=180, clock__increment=0)
    match.play("e2e4", "e7e5")
    lichess.advance(179_999)
    lines = housebot.game(match.id)
    assert lines.next()["state"]["status"] == "started"
    lichess.advance(1)
    last = lines.rest()[-1]
    assert (last["status"], last["winner"], last["wtime"]) == ("outoftime", "black", 0)


def test_a_move_after_the_flag_is_too_late(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("e2e4", "e7e5")
    lichess.advance(200_000)
    refused = rival.command(match.id, "move/g1f3")
    assert (refused.status_code, refused.json()) == (400, {"error": "Not your turn, or game already over"})


def test_no_flag_falls_before_both_have_moved(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    rival.move(match.id, "e2e4")
    lichess.advance(3_600_000)
    housebot.move(match.id, "e7e5")


def test_a_flag_against_a_bare_king_is_a_draw(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, fen="7k/8/8/8/8/8/P6K/8 w - - 0 1")
    match.play("h2h3", "h8h7")
    lines = housebot.game(match.id)
    lichess.advance(180_000)
    last = lines.rest()[-1]
    assert last.get("state", last)["status"] == "outoftime" and "winner" not in last.get("state", last)


def test_a_flag_with_the_opponents_draw_offer_open_is_a_draw(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot)
    match.play("e2e4", "e7e5")
    housebot.command(match.id, "draw/yes")
    lines = housebot.game(match.id)
    lichess.advance(180_000)
    last = lines.rest()[-1]
    assert last["status"] == "draw" and "winner" not in last


def test_correspondence_counts_each_move_from_its_start_in_whole_seconds(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot, days=3, clock__limit=None, clock__increment=None)
    lichess.advance(4_300)
    full = housebot.game(match.id).next()
    assert full["daysPerTurn"] == 3 and "clock" not in full
    assert (full["state"]["wtime"], full["state"]["btime"], full["state"]["winc"]) == (259_195_000, 259_200_000, 0)
    match.play("e2e4")
    lichess.advance(3 * 86_400_000)
    late = housebot.game(match.id).rest()
    assert (late[0]["state"]["status"], late[0]["state"]["winner"]) == ("outoftime", "white")


def test_without_a_clock_there_is_endless_time(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, clock__limit=None, clock__increment=None)
    lichess.advance(40 * 86_400_000)
    full = housebot.game(match.id).next()
    assert "clock" not in full and "daysPerTurn" not in full
    assert full["state"]["wtime"] == full["state"]["btime"] == 2_147_483_647
    assert "secondsLeft" not in housebot.get("/api/account/playing").json()["nowPlaying"][0]


@pytest.mark.parametrize(
    ("limit_cs", "increment_cs", "expected_ms"), [(0, 100, 3_000), (0, 500, 5_000), (1500, 0, 15_000)]
)
def test_a_clock_starts_with_three_seconds_at_least(limit_cs: int, increment_cs: int, expected_ms: int) -> None:
    assert CountdownClock(limit_cs, increment_cs, WHITE).left_ms(WHITE, 0) == expected_ms


def test_a_takeback_restores_the_accepter_and_costs_the_proposer() -> None:
    clock = CountdownClock(6_000, 0, WHITE)
    for color, now_ms in ((WHITE, 0), (BLACK, 0), (WHITE, 3_000), (BLACK, 8_000)):
        clock.moved(color, now_ms, earns=True)
    clock.rewind(WHITE, 10_000)
    clock.rewind(BLACK, 10_000)
    assert (clock.left_ms(WHITE, 10_000), clock.left_ms(BLACK, 10_000)) == (57_000, 60_000)
    assert clock.left_ms(WHITE, 11_000) == 56_000
    assert clock.after_each_ply_cs(WHITE) == [6_000, 6_000]


def test_a_clock_taken_back_to_the_start_stands_still_again() -> None:
    clock = CountdownClock(6_000, 0, WHITE)
    clock.moved(WHITE, 0, earns=True)
    clock.moved(BLACK, 0, earns=True)
    clock.rewind(WHITE, 5_000)
    assert clock.flag_at_ms() is None and clock.left_ms(BLACK, 90_000) == 60_000


def test_a_clock_of_turns_gives_each_turn_the_whole_time_and_stops_with_the_game() -> None:
    clock = TurnClock(30_000, 10, WHITE, 0)
    assert (clock.left_ms(WHITE, 12_345), clock.left_ms(BLACK, 12_345)) == (17_650, 30_000)
    clock.moved(WHITE, 20_000, earns=True)
    assert clock.flag_at_ms() == 50_000
    clock.stop(26_000)
    assert (clock.left_ms(BLACK, 99_000), clock.flag_at_ms()) == (24_000, None)
