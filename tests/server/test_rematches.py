"""Rematches: they appear as challenges with `rematchOf`, sections 3 to 5 of the contract."""
from __future__ import annotations

from typing import Any

import pytest
import requests

from bot.server.app import LocalLichess
from tests.server.players import Match, Player


def finished(white: Player, black: Player, **fields: object) -> Match:
    match = Match(white, black, **fields)
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    return match


def offer(player: Player, game_id: str) -> requests.Response:
    return player.post(f"/web/game/{game_id}/rematch")


def offered(player: Player, game_id: str) -> dict[str, Any]:
    response = offer(player, game_id)
    assert response.status_code == 200, response.text
    challenge: dict[str, Any] = response.json()
    return challenge


def test_an_offer_reaches_both_as_a_challenge_with_colors_swapped(housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot, rated=True)
    events = [housebot.events(), rival.events()]
    challenge = offered(rival, match.id)
    assert (challenge["color"], challenge["finalColor"], challenge["rematchOf"]) == ("black", "black", match.id)
    assert (challenge["rated"], challenge["timeControl"]["show"]) == (True, "3+2")
    for lines in events:
        event = lines.next()
        assert (event["type"], event["challenge"]["id"]) == ("challenge", challenge["id"])
        assert event["compat"] == {"bot": True, "board": True}


def test_accepting_begins_the_game_and_is_told_by_the_finished_one(housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot)
    challenge = offered(rival, match.id)
    assert "rematch" not in housebot.game(match.id).next()["state"]
    housebot.accept(challenge["id"])
    assert housebot.game(match.id).next()["state"]["rematch"] == challenge["id"]
    full = housebot.game(challenge["id"]).next()
    assert (full["white"]["id"], full["black"]["id"]) == ("housebot", "rival")
    assert offer(rival, match.id).status_code == 400


def test_offering_back_accepts(housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot)
    challenge = offered(rival, match.id)
    assert offered(rival, match.id)["id"] == challenge["id"]
    assert offered(housebot, match.id) == {"id": challenge["id"]}
    assert housebot.game(challenge["id"]).next()["type"] == "gameFull"


def test_a_declined_offer_is_told_like_any_other(housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot)
    events = rival.events()
    challenge = offered(rival, match.id)
    housebot.post(f"/api/challenge/{challenge['id']}/decline", data={"reason": "later"})
    declined = events.next_of("challengeDeclined")["challenge"]
    assert (declined["rematchOf"], declined["declineReasonKey"]) == (match.id, "later")


def test_an_offer_taken_back_is_still_called_created(housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot)
    events = housebot.events()
    challenge = offered(rival, match.id)
    rival.post(f"/api/challenge/{challenge['id']}/cancel")
    cancelled = events.next_of("challengeCanceled")
    assert cancelled["challenge"] == challenge and cancelled["compat"]["bot"] is True


def test_after_ten_seconds_the_opponent_has_left(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot)
    lichess.advance(10_000)
    in_time = offered(rival, match.id)
    housebot.post(f"/api/challenge/{in_time['id']}/decline")
    lichess.advance(1)
    late = offer(rival, match.id)
    assert (late.status_code, late.json()) == (400, {"error": "Your opponent has left the board"})


def test_an_aborted_game_can_be_played_again_but_not_a_running_one(housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot)
    assert offer(rival, match.id).status_code == 400
    rival.command(match.id, "abort")
    assert offer(rival, match.id).status_code == 200


def test_the_rules_may_forbid_it(lichess: LocalLichess, rival: Player) -> None:
    match = finished(rival, Player(lichess, "friend", bot=False), rules="noRematch", clock__limit=600)
    assert offer(rival, match.id).json() == {"error": "This game allows no rematch"}


def test_only_the_players_may_ask_for_it(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    match = finished(rival, housebot)
    assert offer(Player(lichess, "fusebox"), match.id).status_code == 404


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_chess960_start_is_played_twice(
    lichess: LocalLichess, housebot: Player, rival: Player, repeats: int
) -> None:
    match = Match(rival, housebot, variant="chess960")
    start, game_id = housebot.game(match.id).next()["initialFen"], match.id
    for _ in range(repeats):
        housebot.command(game_id, "abort")
        game_id = offered(rival, game_id)["id"]
        housebot.accept(game_id)
    assert (housebot.game(game_id).next()["initialFen"] == start) is (repeats == 1)
