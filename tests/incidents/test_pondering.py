"""On the opponent's time: the expected reply, another one, a takeback, and the end of the game."""

from __future__ import annotations

import os
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import Seat, centella, eventually
from tests.server.players import Player

THINKING: dict[str, dict[str, Any]] = {
    "strength": {"limits": {}, "hash_mb": 2},
    "conduct": {"takebacks": {"bots": 1}},
    "timing": {"first_move_ms": 600, "overhead_ms": 10, "margin_ms": 10},
}
CLOCK = {"clock.limit": 30, "clock.increment": 0}
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def expected(caplog: pytest.LogCaptureFixture, game_id: str, count: int = 1) -> str:
    """The reply that the bot ponders on."""
    pattern = re.compile(rf"game {game_id}: ponders on (\w+)")

    def found() -> list[str]:
        return [match[1] for message in list(caplog.messages) if (match := pattern.match(message))]

    eventually(lambda: len(found()) >= count, "the bot ponders")
    return found()[-1]


def hits(caplog: pytest.LogCaptureFixture) -> int:
    """How many moves were thought about before it was the bot's turn."""
    return sum("before the opponent's move" in message for message in list(caplog.messages))


def searching() -> bool:
    """Whether anything thinks."""
    return any(thread.name.startswith(("pondering of", "search of")) for thread in threading.enumerate())


@pytest.fixture
def machine(lichess: LocalLichess) -> Player:
    """A bot, which may play fast games."""
    return Player(lichess, "machine")


def other_than(move: str) -> str:
    return next(text for text in ("a2a3", "h2h3", "b2b3") if text != move)


def test_the_expected_reply_finds_the_search_under_way(
    lichess: LocalLichess, machine: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **THINKING) as bot:
        game = Seat(machine, bot.name, **CLOCK)
        game.move("e2e4")
        game.move(expected(caplog, game.id))
        assert hits(caplog) == 1
        game.finish()
        bot.ended(1)


def test_another_reply_begins_anew(
    lichess: LocalLichess, machine: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **THINKING) as bot:
        game = Seat(machine, bot.name, **CLOCK)
        game.move("e2e4")
        assert game.move(other_than(expected(caplog, game.id)))["status"] == "started"
        assert hits(caplog) == 0
        # and it goes on so
        game.move(expected(caplog, game.id, 2))
        assert hits(caplog) == 1
        game.finish()
        bot.ended(1)


def test_the_end_of_the_game_ends_it(
    lichess: LocalLichess, machine: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **THINKING) as bot:
        game = Seat(machine, bot.name, **CLOCK)
        game.move("e2e4")
        expected(caplog, game.id)
        began = time.monotonic()
        game.finish()
        eventually(lambda: not searching(), "nothing thinks any more")
        assert time.monotonic() - began < 2
        bot.ended(1)


def test_a_takeback_on_the_opponents_time_ends_it(
    lichess: LocalLichess, machine: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **THINKING) as bot:
        game = Seat(machine, bot.name, **CLOCK)
        game.move("e2e4")
        expected(caplog, game.id)
        game.command("takeback/yes")
        game.read_until(0)
        eventually(lambda: not searching(), "nothing is pondered on")
        assert game.move("d2d4")["status"] == "started"
        game.finish()
        bot.ended(1)


def test_more_games_than_cores_do_not_ponder(
    lichess: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    accept = {"max_games": CORES + 1}
    with centella(lichess, tmp_path, accept=accept, **THINKING) as bot:
        rivals = [Player(lichess, f"rival{number}") for number in range(CORES + 1)]
        seats = [Seat(one, bot.name, **CLOCK) for one in rivals]
        for seat in seats:
            seat.move("e2e4")
        for seat in seats:
            seat.move("a2a3")
        assert not any(thread.name.startswith("pondering of") for thread in threading.enumerate())
        for seat in seats:
            seat.finish()
        bot.ended(CORES + 1)


def test_pondering_can_be_switched_off(
    lichess: LocalLichess, machine: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    silent = {**THINKING, "strength": {**THINKING["strength"], "ponder": False}}
    with centella(lichess, tmp_path, **silent) as bot:
        game = Seat(machine, bot.name, **CLOCK)
        game.move("e2e4")
        game.move("a2a3")
        assert not any("ponders on" in message for message in caplog.messages)
        game.finish()
        bot.ended(1)
