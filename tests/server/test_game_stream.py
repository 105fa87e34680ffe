"""The stream of a game: section 5 of the contract."""
from __future__ import annotations

import asyncio

import pytest

from bot import wire
from bot.server.app import LocalLichess
from bot.server.streams import Stream
from bot.server.timekeeper import ManualTime
from tests.server.players import KEEP_ALIVE, Match, Player


def test_the_first_line_is_the_whole_game(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot, rated=True)
    lines = housebot.game(match.id)
    full = lines.next()
    assert full == {
        "id": match.id,
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "speed": "blitz", "perf": {"name": "Blitz"}, "rated": True, "createdAt": 1_790_000_000_000,
        "white": {"id": "rival", "name": "Rival", "title": None, "rating": 1500, "provisional": True},
        "black": {"id": "housebot", "name": "housebot", "title": "BOT", "rating": 1500, "provisional": True},
        "initialFen": "startpos", "clock": {"initial": 180_000, "increment": 2_000}, "type": "gameFull",
        "state": {
            "type": "gameState", "moves": "", "wtime": 180_000, "btime": 180_000,
            "winc": 2_000, "binc": 2_000, "status": "started",
        },
    }
    assert list(full)[-1] == "state" and wire.read(wire.GameFull, full).clock is not None


def test_a_blank_line_never_comes_first_and_then_every_seven_seconds(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    lines = housebot.game(Match(rival, housebot).id)
    lichess.advance(6_999)
    first = lines.raw()
    assert first and first.startswith('{"id"')
    assert lines.nothing_yet()
    lichess.advance(1)
    assert lines.raw() == KEEP_ALIVE


def test_every_move_is_told_to_both_the_own_one_too(housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot)
    readers = [rival.game(match.id), housebot.game(match.id)]
    for lines in readers:
        assert lines.next()["type"] == "gameFull"
    match.play("e2e4", "e7e5")
    for lines in readers:
        assert [lines.next()["moves"] for _ in range(2)] == ["e2e4", "e2e4 e7e5"]


def test_a_new_connection_replays_nothing_but_tells_everything(housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot)
    match.play("e2e4", "e7e5", "g1f3")
    housebot.command(match.id, "chat", data={"room": "player", "text": "hello"})
    lines = housebot.game(match.id)
    assert lines.next()["state"]["moves"] == "e2e4 e7e5 g1f3"
    assert lines.nothing_yet()


def test_the_last_state_ends_the_stream(housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    last = lines.rest()[-1]
    assert (last["status"], last["winner"]) == ("mate", "black")
    assert "reason" not in last and not lines.broken
    late = housebot.game(match.id).rest()
    assert len(late) == 1 and late[0]["state"] == last


def test_a_second_stream_of_the_same_program_ends_the_first(housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot)
    one, other = housebot.game(match.id), housebot.game(match.id, **{"User-Agent": "another program"})
    again = housebot.game(match.id)
    assert [line["type"] for line in one.rest()] == ["gameFull"]
    match.play("e2e4")
    for lines in (other, again):
        assert [lines.next()["type"] for _ in range(2)] == ["gameFull", "gameState"]


def test_a_slow_reader_loses_the_oldest_lines_but_sees_the_latest() -> None:
    async def read() -> list[bytes]:
        stream = Stream(ManualTime(), keep_alive_ms=7_000, limit=32)
        for number in range(50):
            stream.push(b"%d\n" % number)
        stream.finish()
        lines = []
        while (line := await stream.next_line()) is not None:
            lines.append(line)
        return lines

    assert asyncio.run(read()) == [b"%d\n" % number for number in range(18, 50)]


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/api/bot/game/stream/nosuchgm", 404, "No such game"),
        ("/api/bot/game/stream/{other}", 404, "Not your game"),
        ("/api/board/game/stream/{own}", 403, "Missing scope"),
    ],
)
def test_a_stream_that_cannot_be_had_is_refused_before_it_begins(
    lichess: LocalLichess, housebot: Player, rival: Player, path: str, status: int, error: str
) -> None:
    own, other = Match(rival, housebot), Match(rival, Player(lichess, "fusebox"))
    refused = housebot.get(path.format(own=own.id, other=other.id))
    assert (refused.status_code, refused.json()) == (status, {"error": error})


def test_people_and_bots_have_an_api_each(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    scopes = frozenset({"bot:play", "board:play", "challenge:write"})
    both = Player(lichess, "bothbot", scopes=scopes)
    person = Player(lichess, "bothperson", bot=False, scopes=scopes)
    match = Match(person, both)
    as_bot = person.post(f"/api/bot/game/{match.id}/resign")
    assert as_bot.status_code == 400 and "botAccountUpgrade" in as_bot.json()["error"]
    as_person = both.post(f"/api/board/game/{match.id}/resign")
    assert as_person.status_code == 400 and "Bot" in as_person.json()["error"]


def test_a_bullet_game_is_not_for_the_board_api(housebot: Player, rival: Player) -> None:
    match = Match(rival, housebot, clock__limit=60, clock__increment=0)
    assert rival.get(f"/api/board/game/stream/{match.id}").status_code == 400
    housebot.game(match.id).next()
