"""Chat in games: answered in its room, never in the way of a move, and nothing from bot to bot."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import Seat, centella, eventually
from tests.server.players import Lines, Player

CHAT = "/api/bot/game/*/chat"
QUICK_CHAT = {"pause_s": 0.02}


def say(seat: Seat, text: str, room: str = "player") -> None:
    answer = seat.player.command(seat.id, "chat", data={"room": room, "text": text})
    assert answer.status_code == 200, answer.text


def said_by(lines: Lines, name: str, count: int) -> list[tuple[str, str]]:
    """The next lines of somebody, with their rooms."""
    found: list[tuple[str, str]] = []
    while len(found) < count:
        line = lines.next_of("chatLine")
        if line["username"] == name:
            found.append((line["room"], line["text"]))
    return found


def spoken(lichess: LocalLichess, game: Seat) -> list[tuple[str, str]]:
    """Everything said in a game, with the rooms."""
    return lichess.call(lambda site: [(line.room.value, line.text) for line in site.tables[game.id].chat])


def test_trap_54_commands_are_answered_in_the_room_they_came_from(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, chat=QUICK_CHAT) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        say(game, "!queue")
        ((room, text),) = said_by(game.lines, bot.name, 1)
        assert (room, text) == ("player", "1 of 4 games are running, no challenge waits.")
        say(game, "nice weather")
        say(game, "!eval")
        assert said_by(game.lines, bot.name, 1) == [("player", "No evaluation while the game is on.")]
        game.finish()
        bot.ended(1)


def test_greetings_go_to_both_rooms_once_and_goodbyes_after_the_end(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    chat = QUICK_CHAT | {
        "greeting": "Hello {opponent}", "goodbye": "Thanks, {opponent}", "greeting_spectators": "{me} at {variant}",
    }  # fmt: skip
    with centella(lichess, tmp_path, chat=chat) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.break_streams("drop", "/api/bot/game/stream/*")
        game.move("a2a3")
        game.finish()
        bot.ended(1)
        eventually(lambda: ("player", "Thanks, rival") in spoken(lichess, game), "the goodbye is said")
        lines = spoken(lichess, game)
        assert lines.count(("player", "Hello rival")) == 1
        assert lines.count(("spectator", f"{bot.name} at Standard")) == 1


def test_trap_22_nothing_is_said_after_an_aborted_game(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, chat=QUICK_CHAT | {"goodbye": "Thanks"}) as bot:
        game = Seat(rival, bot.name)
        game.command("abort")
        bot.ended(1)
        assert spoken(lichess, game) == []


def test_behaviour_28_bots_do_not_talk_to_each_other(
    lichess: LocalLichess, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, chat=QUICK_CHAT | {"greeting": "Hello", "goodbye": "Bye"}) as bot:
        game = Seat(Player(lichess, "fusebox"), bot.name)
        game.move("e2e4")
        say(game, "!help")
        game.move("a2a3")
        game.finish()
        bot.ended(1)
        assert spoken(lichess, game) == [("player", "!help")]


@pytest.mark.parametrize(
    "fault", ["status=500", "status=400", "limit=60", "empty=429", "refuse", "lag=2000", "lose"]
)
def test_behaviour_17_trouble_with_chat_delays_no_move(
    lichess: LocalLichess, rival: Player, tmp_path: Path, fault: str
) -> None:
    lichess.fault(f"{fault}@{CHAT}")
    with centella(lichess, tmp_path, chat=QUICK_CHAT | {"greeting": "Hello"}) as bot:
        game = Seat(rival, bot.name)
        began = time.monotonic()
        for move in ("e2e4", "a2a3", "a3a4"):
            rival.command(game.id, "chat", data={"room": "player", "text": "!help"})
            game.move(move)
        assert game.plies == 6
        if fault.startswith("lag"):
            assert time.monotonic() - began < 1.9, "chat takes longer than that"
        game.finish()
        bot.ended(1)


def test_at_most_one_line_a_second_is_said_whatever_is_asked(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, chat={"pause_s": 30}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        for _ in range(5):
            say(game, "!help")
        game.move("a2a3")
        game.finish()
        bot.ended(1)
        said = [text for _, text in spoken(lichess, game)]
        assert len(said) - said.count("!help") <= 1


def test_behaviour_27_a_level_is_chosen_in_casual_games_and_never_in_rated_ones(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    strength: dict[str, Any] = {"limits": {"depth": 3}, "levels": {"easy": {"depth": 1}}}
    depths = {}
    with centella(lichess, tmp_path, strength=strength, chat=QUICK_CHAT) as bot:
        for rated in (False, True):
            game = Seat(rival, bot.name, rated=rated)
            game.move("e2e4")
            say(game, "!level easy")
            if not rated:
                assert said_by(game.lines, bot.name, 1) == [("player", "Level easy from the next move on.")]
            say(game, "!name")
            said_by(game.lines, bot.name, 1)
            game.move("a2a3")
            thoughts = [message for message in caplog.messages if f"game {game.id}: " in message and "depth" in message]
            found = [re.search(r"depth (\d+)", thought) for thought in thoughts]
            depths[rated] = [int(match[1]) for match in found if match is not None]
            game.finish()
        bot.ended(2)
    assert depths == {False: [3, 1], True: [3, 3]}
