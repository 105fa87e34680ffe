"""Arenas: joined, played with a place of their own, and left in good order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.config import Arena
from bot.server.app import LocalLichess
from bot.server.timekeeper import ManualTime
from tests.incidents.house import BUSY_HOUSE, Centella, Seat, centella, eventually
from tests.server.players import Lines, Player

SCOPES = frozenset({"bot:play", "challenge:read", "challenge:write", "tournament:write"})
FORM = {"clockTime": 3, "clockIncrement": 2, "minutes": 20, "conditions.bots": True, "rated": False}
QUIET = {"stall_timeout_s": 60.0, "reconcile_every_s": 60.0}


@pytest.fixture
def slow_house() -> Iterator[LocalLichess]:
    """A site whose time passes when the test says so."""
    settings = replace(BUSY_HOUSE, arena_pairing_ms=100)
    with LocalLichess(settings, timekeeper=ManualTime()) as server:
        yield server


def arena(lichess: LocalLichess, **fields: Any) -> str:
    """A new arena, which begins after a minute."""
    creator = Player(lichess, "boss", bot=False, scopes=SCOPES)
    response = creator.post("/api/tournament", json=FORM | {"waitMinutes": 1} | fields)
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def in_arena(lichess: LocalLichess, arena_id: str, name: str) -> bool:
    """Whether the player takes part and is not paused."""
    entrant = lichess.call(lambda site: site.arenas.get(arena_id).entrants.get(name))
    return entrant is not None and not entrant.paused


@contextmanager
def contestant(lichess: LocalLichess, folder: Path, *join: Any, **changes: Any) -> Iterator[Centella]:
    sections: dict[str, Any] = {
        "network": QUIET,
        "tournaments": {"join": join, "check_every_s": 0.05},
        "accept": {"max_games": 1, "queue": {"wait_s": 0.0}},
    }
    with centella(lichess, folder, scopes=SCOPES, **sections | changes) as bot:
        yield bot


def opponent(lichess: LocalLichess, arena_id: str) -> tuple[Player, Lines]:
    """Another bot in the arena."""
    player = Player(lichess, "fusebox", scopes=SCOPES)
    assert player.post(f"/api/tournament/{arena_id}/join").status_code == 200
    return player, player.events()


def test_an_arena_is_joined_and_played_with_a_place_of_its_own(slow_house: LocalLichess, tmp_path: Path) -> None:
    arena_id = arena(slow_house)
    with contestant(slow_house, tmp_path, f"https://lichess.org/tournament/{arena_id}") as bot:
        eventually(lambda: in_arena(slow_house, arena_id, bot.name), "it is joined")
        eventually(lambda: refused(slow_house, bot.name), "the place is kept, a minute before the start")
        fusebox, events = opponent(slow_house, arena_id)
        slow_house.advance(60_000)
        game = events.next_of("gameStart")["game"]
        assert game["tournamentId"] == arena_id
        lines = fusebox.game(game["id"])
        moves = lines.next_of("gameFull")["state"]["moves"]
        if game["color"] == "black":
            while not moves:
                moves = lines.next_of("gameState")["moves"]
        fusebox.move(game["id"], "e2e4" if game["color"] == "white" else "e7e5")
        while len(moves.split()) < 2:
            moves = lines.next_of("gameState")["moves"]
        fusebox.command(game["id"], "resign")
        (record,) = bot.ended(1)
        assert (record.game_id, record.reason) == (game["id"], "resignation")
        assert refused(slow_house, bot.name), "it still runs, and so does our place"


def refused(lichess: LocalLichess, bot: str) -> bool:
    """Whether somebody who asks just now is told later."""
    person = Player(lichess, "passerby", bot=False)
    events = person.events()
    challenge = person.challenge(Player(lichess, bot))
    answer = events.next_of("challengeDeclined", "gameStart")
    events.close()
    if answer["type"] == "gameStart":
        person.command(challenge["id"], "abort")
        lichess.call(lambda site: site.tables[challenge["id"]].over)
    return answer["type"] == "challengeDeclined"


def test_an_opponent_who_does_not_start_loses_and_the_arena_goes_on(
    slow_house: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Section 10: in arenas the site has a timer for the first move; there is nothing to abort."""
    arena_id = arena(slow_house)
    with contestant(
        slow_house, tmp_path, arena_id, conduct={"abort_after": {"humans_s": 0.1, "bots_s": 0.1}}
    ) as bot:
        eventually(lambda: in_arena(slow_house, arena_id, bot.name), "it is joined")
        fusebox, events = opponent(slow_house, arena_id)
        slow_house.advance(60_000)
        game = events.next_of("gameStart")["game"]
        if game["color"] == "black":
            lines = fusebox.game(game["id"])
            while not lines.next_of("gameFull", "gameState").get("moves"):
                pass
        slow_house.advance(40_000)
        (record,) = bot.ended(1)
        assert (record.status, record.reason) == ("noStart", "noStart")
        assert record.result == ("1-0" if record.color == "white" else "0-1")
        assert in_arena(slow_house, arena_id, bot.name)
        assert not any("abort" in line for line in caplog.messages)


@pytest.mark.parametrize("trouble", ["people only", "unknown", "password"])
def test_an_arena_that_cannot_be_joined_is_given_up_and_holds_no_place(
    slow_house: LocalLichess, tmp_path: Path, trouble: str, caplog: pytest.LogCaptureFixture
) -> None:
    fields = {"people only": {"conditions.bots": False}, "password": {"password": "sesame"}}.get(trouble, {})
    arena_id = arena(slow_house, **fields) if trouble != "unknown" else "nosuch12"
    with contestant(slow_house, tmp_path, arena_id) as bot:
        eventually(lambda: any(f"arena {arena_id}: " in line for line in caplog.messages), "it says why")
        rival = Seat(Player(slow_house, "rival", bot=False), bot.name)
        rival.move("e2e4")


def test_a_password_is_told_to_the_arena_and_to_nobody_else(
    slow_house: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    arena_id = arena(slow_house, password="sesame")
    entry = Arena.model_validate({"id": arena_id, "password": "sesame"}, strict=False)
    with contestant(slow_house, tmp_path, entry.model_dump()) as bot:
        eventually(lambda: in_arena(slow_house, arena_id, bot.name), "it is joined")
    assert not any("sesame" in line for line in caplog.messages)


def test_a_token_without_the_scope_loses_the_arena_only(
    slow_house: LocalLichess, rival_of_slow_house: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    arena_id = arena(slow_house)
    settings = {"join": (arena_id,), "check_every_s": 0.05}
    with centella(slow_house, tmp_path, network=QUIET, tournaments=settings) as bot:
        eventually(lambda: any("cannot be joined" in line for line in caplog.messages), "it says why")
        Seat(rival_of_slow_house, bot.name).move("e2e4")


@pytest.fixture
def rival_of_slow_house(slow_house: LocalLichess) -> Player:
    return Player(slow_house, "rival", bot=False)


def test_who_stops_leaves_the_arena_first(slow_house: LocalLichess, tmp_path: Path) -> None:
    """Trap 63: nobody shall be paired with a bot that is gone."""
    arena_id = arena(slow_house)
    with contestant(slow_house, tmp_path, arena_id) as bot:
        eventually(lambda: in_arena(slow_house, arena_id, bot.name), "it is joined")
        slow_house.advance(60_000)
    assert not in_arena(slow_house, arena_id, "centella")


def test_an_arena_that_is_still_being_joined_is_left_too(lichess: LocalLichess, tmp_path: Path) -> None:
    # in a house whose time passes by itself: the answer comes while the bot is stopping
    arena_id = arena(lichess)
    lichess.fault("delay=700@/api/tournament/*/join")
    with contestant(lichess, tmp_path, arena_id) as bot:
        eventually(lambda: in_arena(lichess, arena_id, bot.name), "it is joined")
    assert not in_arena(lichess, arena_id, "centella")


def test_an_arena_is_left_and_joined_again_on_request(slow_house: LocalLichess, tmp_path: Path) -> None:
    arena_id = arena(slow_house)
    with contestant(slow_house, tmp_path, arena_id) as bot:
        eventually(lambda: in_arena(slow_house, arena_id, bot.name), "it is joined")
        bot.daemon.post(lambda: bot.daemon.arenas.leave(arena_id))
        eventually(lambda: not in_arena(slow_house, arena_id, bot.name), "it is left")
        bot.daemon.post(lambda: bot.daemon.arenas.join(Arena(id=arena_id)))
        eventually(lambda: in_arena(slow_house, arena_id, bot.name), "it is joined again")
