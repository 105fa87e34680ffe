"""Players who leave the board: `opponentGone` and claims, sections 5 and 6 of the contract."""
from __future__ import annotations

from bot.server.app import LocalLichess
from rules.move import Color
from tests.server.players import Lines, Match, Player, until


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
    assert [line["type"] for line in staying.rest()] == ["gameFull", "gameState", "gameState"]


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
