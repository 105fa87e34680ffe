"""Following and blocking, and what others see of it: section 7 of the contract."""
from __future__ import annotations

import pytest

from bot.server.app import LocalLichess
from tests.server.players import Player

SCOPES = frozenset({"follow:write", "challenge:write", "board:play"})


@pytest.fixture
def shy(lichess: LocalLichess) -> Player:
    return Player(lichess, "Shy", bot=False, scopes=SCOPES)


def test_the_profile_says_whom_the_caller_blocks(shy: Player, rival: Player) -> None:
    assert shy.post("/api/rel/block/rival").json() == {"ok": True}
    assert shy.get("/api/user/rival").json()["blocking"] is True
    assert rival.get("/api/user/shy").json()["blocking"] is False
    assert shy.post("/api/rel/unblock/Rival").json() == {"ok": True}
    assert shy.get("/api/user/rival").json()["blocking"] is False


def test_a_profile_says_nothing_of_the_kind_to_nobody_in_particular(lichess: LocalLichess, shy: Player) -> None:
    profile = shy.http.get(f"{lichess.url}/api/user/shy", headers={"Authorization": None}).json()
    assert profile["username"] == "Shy" and not {"blocking", "following", "followable"} & profile.keys()


def test_who_is_blocked_cannot_challenge(shy: Player, rival: Player) -> None:
    shy.post("/api/rel/block/rival")
    refused = rival.post("/api/challenge/shy", json={"clock.limit": 300, "clock.increment": 0})
    assert (refused.status_code, refused.json()) == (400, {"error": "Shy does not accept challenges from you"})
    shy.challenge(rival)
    shy.post("/api/rel/unblock/rival")
    rival.challenge(shy)


def test_who_is_followed_is_listed_and_seen_in_the_profile(lichess: LocalLichess, shy: Player, rival: Player) -> None:
    fusebox = Player(lichess, "fusebox")
    for name in ("rival", fusebox.name):
        shy.post(f"/api/rel/follow/{name}")
    assert shy.get("/api/user/rival").json()["following"] is True
    lines = shy.get("/api/rel/following")
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [line.split('"')[3] for line in lines.text.splitlines()] == ["rival", "fusebox"]
    shy.post("/api/rel/unfollow/rival")
    assert "rival" not in shy.get("/api/rel/following").text


def test_blocking_ends_following_and_the_other_way_round(shy: Player, rival: Player) -> None:
    shy.post("/api/rel/follow/rival"), shy.post("/api/rel/block/rival")
    profile = shy.get("/api/user/rival").json()
    assert (profile["following"], profile["blocking"]) == (False, True)
    shy.post("/api/rel/unfollow/rival")
    assert shy.get("/api/user/rival").json()["blocking"] is True
    shy.post("/api/rel/follow/rival")
    assert shy.get("/api/user/rival").json()["blocking"] is False


def test_it_needs_a_scope_another_person_and_a_known_word(shy: Player, rival: Player) -> None:
    assert rival.post("/api/rel/block/shy").status_code == 403
    assert shy.post("/api/rel/block/shy").status_code == 400
    assert shy.post("/api/rel/block/nobody").status_code == 404
    assert shy.post("/api/rel/adore/rival").status_code == 404
