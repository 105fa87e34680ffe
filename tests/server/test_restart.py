"""What a restart of the server leaves as it was, beside the games between two players."""
from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from tests.server.players import Match, Player

SCOPES = frozenset({"board:play", "bot:play", "challenge:read", "challenge:write", "follow:write", "follow:read"})


class House:
    """A server on a folder, which can be brought down and up again."""

    def __init__(self, folder: Path) -> None:
        self._settings = ServerSettings(port=0, data=folder, claim_answer_ms=0, ai_game_move_ms=0)
        self.lichess = self._start()
        self.rival = Player(self.lichess, "rival", bot=False, scopes=SCOPES)
        self.housebot = Player(self.lichess, "housebot", scopes=SCOPES)

    def _start(self) -> LocalLichess:
        return LocalLichess(self._settings, timekeeper=ManualTime(), chance=random.Random())

    def restart(self) -> None:
        self.lichess.stop()
        self.lichess = self._start()
        for player in (self.rival, self.housebot):
            player.lichess = self.lichess


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.lichess.stop()


def test_whom_somebody_follows_or_blocks(house: House) -> None:
    Player(house.lichess, "fusebox")
    house.rival.post("/api/rel/follow/fusebox"), house.rival.post("/api/rel/block/housebot")
    house.housebot.post("/api/rel/follow/rival"), house.housebot.post("/api/rel/unfollow/rival")
    house.restart()
    assert '"fusebox"' in house.rival.get("/api/rel/following").text
    assert house.rival.get("/api/user/housebot").json()["blocking"] is True
    assert house.housebot.get("/api/user/rival").json()["following"] is False


def test_nobody_is_followed_who_has_been_deleted(house: House) -> None:
    Player(house.lichess, "fusebox")
    house.rival.post("/api/rel/follow/fusebox")
    house.lichess.call(lambda site: site.store.accounts.drop_user("fusebox"))
    house.restart()
    assert house.rival.get("/api/rel/following").text == ""


def test_an_open_challenge_with_one_player_who_has_taken_it_up(house: House) -> None:
    challenge_id = house.rival.post("/api/challenge/open", data={"name": "Anybody?"}).json()["id"]
    house.rival.post(f"/api/challenge/{challenge_id}/accept", params={"color": "black"})
    house.restart()
    assert house.rival.get(f"/api/challenge/{challenge_id}/show").json()["name"] == "Anybody?"
    house.housebot.accept(challenge_id)
    assert house.housebot.game(challenge_id).next()["white"]["id"] == "housebot"


def test_an_open_challenge_still_expires(house: House) -> None:
    challenge_id = house.rival.post("/api/challenge/open").json()["id"]
    house.restart()
    house.lichess.advance(86_400_000)
    assert house.housebot.post(f"/api/challenge/{challenge_id}/accept").status_code == 404


def test_a_machine_still_owes_its_move(house: House) -> None:
    form = {"level": 6, "color": "white"}
    game_id = house.rival.post("/api/challenge/ai", json=form).json()["id"]
    house.rival.move(game_id, "e2e4")
    house.restart()
    lines = house.rival.game(game_id)
    state = lines.next()["state"]
    if state["moves"] == "e2e4":
        state = lines.next()
    assert state["moves"].startswith("e2e4 ")


def test_an_offered_rematch_and_the_one_that_was_played(house: House) -> None:
    match = Match(house.rival, house.housebot)
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    rematch_id = house.rival.post(f"/web/game/{match.id}/rematch").json()["id"]
    house.restart()
    house.housebot.accept(rematch_id)
    house.restart()
    assert house.housebot.game(match.id).next()["state"]["rematch"] == rematch_id
    assert house.rival.post(f"/web/game/{match.id}/rematch").status_code == 400
