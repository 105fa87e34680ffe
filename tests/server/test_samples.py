"""The recorded streams, reproduced by playing the same actions: line order, fields, moves and clocks are the same.

Ids, ratings and creation times are not compared; clocks may differ by a few hundredths, as the recording's do.
"""
from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from bot.server.app import LocalLichess
from bot.server.events import Room
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from rules.move import Color
from tests.server.players import Lines, Player, until
from tests.server.samples import Line, recorded

TOLERANCE_MS = 50


class Replay:
    """Plays what the lines of a recording tell, and reads our own lines beside them."""

    def __init__(self, lichess: LocalLichess, full: Line) -> None:
        self.lichess = lichess
        self.full = full
        self.players = {
            color: Player(lichess, full[color]["name"], bot=full[color]["title"] == "BOT")
            for color in ("white", "black")
        }
        self.reader = next(player for player in self.players.values() if player.name == "housebot")
        self.other = next(player for player in self.players.values() if player is not self.reader)
        self.id = self._start(full)
        self.seen = self.reader.game(self.id)
        self.opponent_reads = self.other.game(self.id)
        self.state: Line = full["state"]
        self.first = "black" if " b " in full["initialFen"] else "white"

    def _start(self, full: Line) -> str:
        clock = full.get("clock")
        terms = {
            "clock__limit": clock and clock["initial"] // 1000,
            "clock__increment": clock and clock["increment"] // 1000,
            "days": full.get("daysPerTurn"),
            "rated": full["rated"],
            "variant": full["variant"]["key"],
            "fen": None if full["initialFen"] == "startpos" else full["initialFen"],
        }
        challenge = self.players["white"].challenge(self.players["black"], **terms)
        self.players["black"].accept(challenge["id"])
        return str(challenge["id"])

    def turn(self) -> str:
        """Who is to move in the recording."""
        return ("white", "black")[(len(self.state["moves"].split()) + (self.first == "black")) % 2]

    def pass_time(self, after: Line) -> None:
        """Let the side to move think for as long as it did in the recording."""
        moved = after["moves"] != self.state["moves"]
        if "clock" not in self.full or (moved and len(self.state["moves"].split()) < 2):
            return
        side = self.turn()[0]
        earned = after[f"{side}inc"] if moved and after["status"] == "started" else 0
        used_ms = self.left(side) + earned - after[f"{side}time"]
        if used_ms > 0:
            self.lichess.advance(used_ms)

    def left(self, side: str) -> int:
        def ask(site: Any) -> int:
            color = Color.WHITE if side == "w" else Color.BLACK
            return int(site.tables[self.id].clock.left_ms(color, site.now_ms()))

        return self.lichess.call(ask)


def side_of(text: str) -> str:
    return text.split()[0].lower()


def act(replay: Replay, line: Line, following: Line | None) -> None:
    """Do what makes the server write this line, unless an earlier action has made it do so."""
    if line["type"] == "chatLine":
        say_or_offer(replay, line, following)
    elif line["type"] == "gameState":
        change_state(replay, line)
        replay.state = line
    elif line["gone"]:
        leave_or_wait(replay)
    else:
        replay.opponent_reads = replay.other.game(replay.id)


def say_or_offer(replay: Replay, line: Line, following: Line | None) -> None:
    name, text = line["username"], line["text"]
    speaker = next((player for player in replay.players.values() if player.name == name), None)
    if speaker is not None:
        speaker.command(replay.id, "chat", data={"room": line["room"], "text": text})
    elif name != "lichess":
        replay.lichess.call(lambda site: say_from_outside(site, replay.id, name, text))
    else:
        if following is not None and following["type"] == "gameState":
            replay.pass_time(following)
        for words, command in (
            ("offers draw", "draw/yes"),
            ("proposes takeback", "takeback/yes"),
            ("accepts takeback", "takeback/yes"),
        ):
            if text.endswith(words):
                replay.players[side_of(text)].command(replay.id, command)
        if text == "Draw offer accepted":
            replay.players["black" if replay.state.get("wdraw") else "white"].command(replay.id, "draw/yes")


def say_from_outside(site: Any, game_id: str, name: str, text: str) -> None:
    table = site.tables[game_id]
    with site.command(table):
        table.say(name, Room.SPECTATOR, text)


def change_state(replay: Replay, line: Line) -> None:
    before, after = replay.state["moves"].split(), line["moves"].split()
    if len(after) > len(before):
        replay.pass_time(line)
        replay.players[replay.turn()].move(replay.id, after[-1])
    elif line["status"] == "aborted" != replay.state["status"]:
        replay.other.command(replay.id, "abort")
    elif line["status"] == "resign":
        replay.pass_time(line)
        loser = "black" if line["winner"] == "white" else "white"
        replay.players[loser].command(replay.id, "resign")


def leave_or_wait(replay: Replay) -> None:
    color = Color.WHITE if replay.players["white"] is replay.other else Color.BLACK
    if replay.lichess.call(lambda site: site.tables[replay.id].presence.present(color)):
        replay.opponent_reads.close()
        until(lambda: not replay.lichess.call(lambda site: site.tables[replay.id].presence.present(color)))
    replay.lichess.advance(5_000)


def comparable(line: Line) -> Line:
    """A line without what may differ; the only title that we give is BOT."""
    line = json.loads(json.dumps(line))
    for key in ("id", "createdAt", "claimWinInSeconds"):
        line.pop(key, None)
    for color in ("white", "black"):
        if color in line:
            line[color].pop("rating"), line[color].pop("provisional", None)
            line[color]["title"] = "BOT" if line[color]["title"] == "BOT" else None
    state = line.get("state", line)
    for key in ("wtime", "btime"):
        state.pop(key, None)
    return line


def times(line: Line) -> list[int]:
    state = line.get("state", line)
    return [state[key] for key in ("wtime", "btime") if key in state]


def compare(ours: Line, theirs: Line) -> None:
    assert comparable(ours) == comparable(theirs)
    for own_ms, their_ms in zip(times(ours), times(theirs), strict=True):
        assert abs(own_ms - their_ms) <= TOLERANCE_MS, (ours, theirs)


def replay(lines: list[Line], settings: ServerSettings) -> Iterator[tuple[Line, Line]]:
    """Pairs of our line and the recorded one."""
    with LocalLichess(settings, timekeeper=ManualTime(), chance=random.Random(1)) as lichess:
        full = lines[0]
        running = Replay(lichess, full)
        yield running.seen.next(), full
        for line, following in zip(lines[1:], [*lines[2:], None], strict=True):
            act(running, line, following)
            yield running.seen.next(), line
        assert running.seen.rest() == []


@pytest.mark.parametrize(
    ("name", "rook_castling"),
    [
        ("blitz_takeback_draw_chat_gone", False),
        ("chess960_castling", False),
        ("crazyhouse_drops", False),
        ("atomic_variant_end", False),
        ("from_position_black_to_move", False),
        ("threefold_auto_draw", False),
        ("aborted_before_first_move", False),
        ("atomic_variant_end", True),
    ],
)
def test_a_recorded_game_is_reproduced(name: str, rook_castling: bool) -> None:
    for ours, theirs in replay(recorded(name), ServerSettings(port=0, rook_castling=rook_castling)):
        compare(ours, theirs)


def test_a_correspondence_game_of_two_connections_is_reproduced() -> None:
    lines = recorded("correspondence_two_connections")
    second = next(at for at, line in enumerate(lines) if at and line["type"] == "gameFull")
    settings = ServerSettings(port=0, rook_castling=True)
    with LocalLichess(settings, timekeeper=ManualTime()) as lichess:
        running = Replay(lichess, lines[0])
        assert comparable(running.seen.next()) == comparable(lines[0])
        for line in lines[1:second]:
            act(running, line, None)
            compare(running.seen.next(), line)
        change_state(running, lines[second]["state"])
        running.state = lines[second]["state"]
        lichess.advance(259_200_000 - lines[second]["state"]["btime"])
        running.seen = running.reader.game(running.id, **{"User-Agent": "second"})
        compare(running.seen.next(), lines[second])
        for line in lines[second + 1 :]:
            act(running, line, None)
            compare(running.seen.next(), line)


def test_a_kept_alive_challenge_is_reproduced() -> None:
    theirs, done = recorded("challenge_keepalive_accepted")
    with LocalLichess(ServerSettings(port=0), timekeeper=ManualTime()) as lichess:
        housebot, fusebox = Player(lichess, "housebot"), Player(lichess, "fusebox")
        streams = [housebot.events(), fusebox.events()]
        form = {"rated": "true", "clock.limit": "60", "clock.increment": "1", "keepAliveStream": "true"}
        lines = Lines(housebot.post("/api/challenge/fusebox", data=form, stream=True))
        ours = lines.next()
        fusebox.accept(ours["id"])
        assert lines.rest() == [done] and len(streams) == 2
    for challenge in (ours, theirs):
        for key in ("id", "url", "finalColor"):
            del challenge[key]
        for side in ("challenger", "destUser"):
            challenge[side].pop("rating"), challenge[side].pop("provisional", None)
    assert ours == theirs
