"""Players who leave the board: `opponentGone` and claims, sections 5 and 6 of the contract."""
from __future__ import annotations

import queue
import threading

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.material import far_behind
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from rules import variants
from rules.move import Color
from rules.position import Position
from tests.server.conftest import Serve
from tests.server.players import PATIENCE_S, Lines, Match, Player, until


def leave(lichess: LocalLichess, match: Match, lines: Lines, color: Color) -> None:
    """Close a stream, and wait until the server has seen it."""
    lines.close()
    until(lambda: not lichess.call(lambda site: site.tables[match.id].presence.present(color)))


def gone(seconds: int) -> dict[str, object]:
    return {"type": "opponentGone", "gone": True, "claimWinInSeconds": seconds}


def test_a_player_who_left_is_reported_every_five_seconds_until_back(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("e2e4", "e7e5")
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(4_999)
    for _ in range(3):
        staying.next()
    assert staying.nothing_yet()
    lichess.advance(1)
    assert staying.next() == gone(36)
    lichess.advance(5_000)
    assert staying.next_of("opponentGone") == gone(31)
    rival.game(match.id)
    assert staying.next_of("opponentGone") == {"type": "opponentGone", "gone": False}
    lichess.advance(60_000)
    rival.move(match.id, "g1f3")
    assert staying.next()["type"] == "gameState"


def test_victory_is_claimed_once_the_time_is_up_and_on_the_opponents_turn(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("e2e4", "e7e5")
    assert housebot.command(match.id, "claim-victory").status_code == 400
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(40_999)
    assert housebot.command(match.id, "claim-victory").status_code == 400
    lichess.advance(1)
    assert housebot.command(match.id, "claim-victory").json() == {"ok": True}
    last = staying.rest()[-1]
    assert (last["status"], last["winner"]) == ("timeout", "black")


def test_a_draw_is_claimed_the_same_way(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("e2e4", "e7e5")
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(41_000)
    housebot.command(match.id, "claim-draw")
    last = staying.rest()[-1]
    assert last["status"] == "timeout" and "winner" not in last


def test_who_cannot_win_gets_a_draw_for_a_claimed_victory(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot, fen="7k/8/8/8/8/8/P6K/8 w - - 0 1")
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("h2h3", "h8h7")
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(41_000)
    housebot.command(match.id, "claim-victory")
    last = staying.rest()[-1]
    assert last["status"] == "timeout" and "winner" not in last


def test_a_claim_on_the_own_turn_or_without_a_clock_does_nothing(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot)
    staying = housebot.game(match.id)
    match.play("e2e4", "e7e5", "g1f3")
    lichess.advance(41_000)
    assert housebot.command(match.id, "claim-victory").json() == {"ok": True}
    unlimited = Match(rival, housebot, clock__limit=None, clock__increment=None)
    unlimited.play("e2e4", "e7e5")
    assert housebot.command(unlimited.id, "claim-victory").json() == {"ok": True}
    playing = housebot.get("/api/account/playing").json()["nowPlaying"]
    assert {game["gameId"] for game in playing} == {match.id, unlimited.id}
    assert staying.next()["type"] == "gameFull"


def test_slower_games_have_longer_to_wait(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, clock__limit=600, clock__increment=0)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("e2e4", "e7e5")
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(5_000)
    assert staying.next_of("opponentGone") == gone(76)


def test_nothing_is_said_when_the_flag_will_fall_first(lichess: LocalLichess, housebot: Player) -> None:
    fast = Player(lichess, "fastbot")
    match = Match(fast, housebot, clock__limit=30, clock__increment=0)
    staying, leaving = housebot.game(match.id), fast.game(match.id)
    match.play("e2e4", "e7e5")
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(30_000)
    assert [line["type"] for line in staying.rest()] == ["gameFull", *["gameState"] * 3]


def test_before_both_have_moved_nobody_is_gone(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    staying = housebot.game(match.id)
    rival.move(match.id, "e2e4")
    lichess.advance(60_000)
    housebot.command(match.id, "abort")
    assert [line["type"] for line in staying.rest()] == ["gameFull", "gameState", *2 * ["gameState"]]


def test_a_game_that_is_left_before_it_has_begun_is_aborted_if_so_set(serve: Serve) -> None:
    lichess = serve(unbegun_ms=30_000)
    housebot, rival = Player(lichess, "housebot"), Player(lichess, "rival", bot=False)
    match = Match(rival, housebot)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    staying.next()
    lichess.advance(60_000)
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(29_999)
    assert not lichess.call(lambda site: site.tables[match.id].over), "who is there may take its time"
    lichess.advance(1)
    assert staying.next()["status"] == "aborted"


@pytest.mark.parametrize("moves", [["e2e4"], ["e2e4", "e7e5"]])
def test_a_game_that_is_left_by_who_need_not_move_goes_on(serve: Serve, moves: list[str]) -> None:
    lichess = serve(unbegun_ms=30_000)
    housebot, rival = Player(lichess, "housebot"), Player(lichess, "rival", bot=False)
    match = Match(rival, housebot)
    housebot.game(match.id)
    leaving = rival.game(match.id)
    match.play(*moves)
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(60_000)
    assert not lichess.call(lambda site: site.tables[match.id].over)


def test_who_moves_without_a_stream_is_not_gone_meanwhile(
    lichess: LocalLichess, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot)
    staying = housebot.game(match.id)
    match.play("e2e4", "e7e5")
    lichess.advance(40_000)
    match.play("g1f3", "b8c6")
    lichess.advance(1_000)
    assert housebot.command(match.id, "claim-victory").status_code == 400
    lichess.advance(40_000)
    assert housebot.command(match.id, "claim-victory").json() == {"ok": True}
    assert staying.rest()[-1]["status"] == "timeout"


QUEEN_UP = "k7/8/8/8/8/8/PPP5/K2Q4 w - - 0 1"


def test_who_is_far_behind_has_a_third_of_the_time(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(housebot, rival, fen=QUEEN_UP)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("d1d5", "a8a7", "a2a3")
    leave(lichess, match, leaving, Color.BLACK)
    lichess.advance(5_000)
    assert staying.next_of("opponentGone") == gone(10)
    lichess.advance(9_332)
    assert housebot.command(match.id, "claim-victory").status_code == 400
    lichess.advance(1)
    assert housebot.command(match.id, "claim-victory").json() == {"ok": True}
    assert staying.rest()[-1]["status"] == "timeout"


def test_who_is_far_ahead_has_all_of_it(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, fen=QUEEN_UP)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("d1d5", "a8a7")
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(5_000)
    assert staying.next_of("opponentGone") == gone(36)


@pytest.mark.parametrize(
    ("variant", "behind"),
    [("standard", True), ("atomic", True), ("crazyhouse", False), ("antichess", False), ("horde", False)],
)
def test_material_tells_nothing_in_antichess_crazyhouse_and_horde(variant: str, behind: bool) -> None:
    white = "P7/8" if variant == "horde" else "P7/4K3"
    fen = f"rnbqkbnr/pppppppp/8/8/8/8/{white} w - - 0 1"
    position = Position.from_fen(variants.by_key(variant), fen)
    assert far_behind(position, Color.WHITE) is behind
    assert not far_behind(position, Color.BLACK)


def test_who_walks_out_on_purpose_has_ten_seconds(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    staying, leaving = housebot.game(match.id), rival.game(match.id)
    match.play("e2e4", "e7e5")
    assert rival.post(f"/web/game/{match.id}/leave").json() == {"ok": True}
    leave(lichess, match, leaving, Color.WHITE)
    lichess.advance(5_000)
    assert staying.next_of("opponentGone") == gone(6)
    back = rival.game(match.id)
    assert staying.next_of("opponentGone")["gone"] is False
    leave(lichess, match, back, Color.WHITE)
    lichess.advance(5_000)
    assert staying.next_of("opponentGone") == gone(36)


def test_a_claim_is_answered_half_a_second_later_but_done_at_once() -> None:
    manual = ManualTime()
    with LocalLichess(ServerSettings(port=0), timekeeper=manual) as lichess:
        housebot, rival = Player(lichess, "housebot"), Player(lichess, "rival", bot=False)
        match = Match(rival, housebot)
        staying = housebot.game(match.id)
        match.play("e2e4", "e7e5")
        lichess.advance(41_000)
        answers: queue.Queue[requests.Response] = queue.Queue()
        threading.Thread(target=lambda: answers.put(housebot.command(match.id, "claim-victory"))).start()
        assert staying.rest()[-1]["status"] == "timeout"
        assert answers.empty()
        lichess.advance(500)
        assert answers.get(timeout=PATIENCE_S).json() == {"ok": True}
