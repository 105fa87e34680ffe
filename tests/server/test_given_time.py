"""Clocks that players agree on: time given, clocks set going, games annulled: section 4 of the contract."""
from __future__ import annotations

import pytest

from bot.server.app import LocalLichess
from tests.server.players import Match, Player


def test_time_is_given_to_the_opponent_and_told(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    assert housebot.post(f"/api/round/{match.id}/add-time/15").json() == {"ok": True}
    full, state = lines.next(), lines.next()
    assert full["state"]["wtime"] == 180_000
    assert (state["wtime"], state["btime"]) == (195_000, 180_000)
    match.play("e2e4", "e7e5")
    lichess.advance(10_000)
    rival.post(f"/api/round/{match.id}/add-time/60")
    assert [lines.next_of("gameState")["btime"] for _ in range(3)] == [180_000, 180_000, 240_000]


@pytest.mark.parametrize("seconds", ["4", "61", "0", "-15", "lots"])
def test_from_five_to_sixty_seconds_can_be_given(housebot: Player, rival: Player, seconds: str) -> None:
    match = Match(rival, housebot)
    refused = rival.post(f"/api/round/{match.id}/add-time/{seconds}")
    assert (refused.status_code, refused.json()) == (400, {"error": "From 5 to 60 seconds can be given"})


def test_some_games_allow_no_time_to_be_given(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    friend = Player(lichess, "friend", bot=False)
    without_clock = Match(rival, housebot, clock__limit=None, clock__increment=None)
    forbidden = Match(rival, friend, rules="noGiveTime", clock__limit=600)
    over = Match(rival, housebot)
    over.white.command(over.id, "abort")
    for match in (without_clock, forbidden, over):
        refused = rival.post(f"/api/round/{match.id}/add-time/15")
        assert (refused.status_code, refused.json()) == (400, {"error": "This game doesn't allow giving time"})
    assert friend.post(f"/api/round/{over.id}/add-time/15").status_code == 404


def test_giving_time_needs_challenge_write(lichess: LocalLichess, rival: Player) -> None:
    modest = Player(lichess, "modest", scopes=frozenset({"bot:play"}))
    match = Match(rival, modest)
    assert modest.post(f"/api/round/{match.id}/add-time/15").status_code == 403


def test_clocks_set_going_run_for_the_first_moves_too(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    match = Match(rival, housebot)
    tokens = {"token1": housebot.token, "token2": rival.token}
    lichess.advance(60_000)
    assert rival.http.post(f"{lichess.url}/api/challenge/{match.id}/start-clocks", params=tokens).json() == {"ok": True}
    lichess.advance(10_000)
    rival.move(match.id, "e2e4")
    lichess.advance(5_000)
    housebot.move(match.id, "e7e5")
    state = housebot.game(match.id).next()["state"]
    assert (state["wtime"], state["btime"]) == (172_000, 177_000)
    assert rival.http.post(f"{lichess.url}/api/challenge/{match.id}/start-clocks", params=tokens).status_code == 200


def test_a_clock_set_going_can_run_out_before_the_first_move(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    tokens = {"token1": rival.token, "token2": housebot.token}
    rival.post(f"/api/challenge/{match.id}/start-clocks", params=tokens)
    lichess.advance(180_000)
    last = lines.rest()[-1]
    assert (last["status"], last["winner"]) == ("outoftime", "black")


def test_clocks_are_set_going_with_the_tokens_of_both_players_only(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    match, fusebox = Match(rival, housebot), Player(lichess, "fusebox")
    modest = lichess.mint("housebot", scopes=frozenset({"bot:play"}))
    path = f"/api/challenge/{match.id}/start-clocks"
    for other in (fusebox.token, rival.token, modest, "lip_wrong", ""):
        assert rival.post(path, params={"token1": rival.token, "token2": other}).status_code == 400
    assert rival.post("/api/challenge/nosuchgm/start-clocks").status_code == 404


def test_with_the_opponents_token_a_game_is_annulled_after_moves(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    match.play("e2e4", "e7e5", "g1f3")
    path = f"/api/challenge/{match.id}/cancel"
    for wrong in ("lip_wrong", rival.token, Player(lichess, "fusebox").token):
        assert rival.post(path, params={"opponentToken": wrong}).status_code == 400
    assert rival.post(path, params={"opponentToken": housebot.token}).json() == {"ok": True}
    last = lines.rest()[-1]
    assert last["status"] == "aborted" and last["moves"] == "e2e4 e7e5 g1f3"
    assert rival.post(path, params={"opponentToken": housebot.token}).status_code == 400
