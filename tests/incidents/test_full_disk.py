"""A disk that takes nothing any more: games go on, and nothing of them is lost."""

from __future__ import annotations

import logging
import resource
from pathlib import Path

import pytest

from bot.records.database import FILE_NAME
from bot.server.app import LocalLichess
from tests.bot.test_records import locked
from tests.incidents.house import Seat, centella, eventually
from tests.incidents.processes import daemon, results
from tests.incidents.test_operating import declined, told
from tests.server.players import Player

BOT = "centella"


def test_a_full_disk_stops_no_game_and_loses_none(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        game = Seat(Player(lichess, "rival", bot=False), BOT)
        game.move("e2e4")
        limits = resource.prlimit(bot.id, resource.RLIMIT_FSIZE)
        resource.prlimit(bot.id, resource.RLIMIT_FSIZE, (1, limits[1]))
        game.move("a2a3")
        game.finish()
        bot.says("centella.log: cannot be written: File too large")
        bot.says("no new games until it can")
        health = told(tmp_path, "health")
        assert not health.ok and "the database cannot be written" in health.text
        assert declined(Player(lichess, "late", bot=False)) == "later"
        assert results(tmp_path) == []
        resource.prlimit(bot.id, resource.RLIMIT_FSIZE, limits)
        bot.says("written again")
        assert told(tmp_path, "health").ok
        other = Seat(Player(lichess, "other", bot=False), BOT)
        other.move("e2e4")
        other.finish()
        eventually(lambda: len(results(tmp_path)) == 2, "both are recorded")
    assert "Traceback" not in "".join(bot.lines)
    assert sum("cannot be written" in line for line in bot.lines) == 2, "each is told once"


def test_a_database_that_another_program_has_locked_is_waited_for(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        with locked(tmp_path):
            game.finish()
            eventually(lambda: not bot.records.writable, "its end could not be recorded")
            assert bot.records.ended_games() == []
        assert [record.game_id for record in bot.ended(1)] == [game.id]
    assert bot.failure is None
    (told,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "database is locked" in told.getMessage() and not told.exc_info
    caplog.clear()


def test_a_database_that_is_lost_ends_the_bot_in_one_line(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        for file in (tmp_path / "data").glob(f"{FILE_NAME}*"):
            file.write_bytes(b"no database at all" * 1000)
        Player(lichess, "rival", bot=False).challenge(Player(lichess, BOT))
        assert bot.wait() == 1
    last = bot.lines[-1]
    assert last.startswith("centella: ") and f"{FILE_NAME}: cannot be used: " in last
    assert "Traceback" not in "".join(bot.lines)
