"""Sources of moves at the board: what they know is played, and what they do wrong costs no move."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from bot.server.app import LocalLichess
from tests.bot.loopback import Exchange, loopback
from tests.bot.test_book_source import written
from tests.bot.test_program_sources import ENGINE, gone, heard
from tests.incidents.house import Seat, centella, eventually, quick_config
from tests.incidents.processes import process, written_config
from tests.server.players import Player

TABLES = Path(__file__).parents[1] / "conformance" / "tables"
BOT_IS_WHITE = {"color": "black"}
HABITS = """
import threading
over = threading.Event()

def raises(position, clock):
    raise ValueError("no idea")

def illegal(position, clock):
    return "a1a8"

def odd(position, clock):
    return 7

def slow(position, clock):
    over.wait(20)
    return None
"""


@pytest.fixture
def habits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an author's functions that behave badly."""
    (tmp_path / "habits.py").write_text(HABITS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "habits", raising=False)
    yield tmp_path
    sys.modules["habits"].over.set()


def function(folder: Path, name: str, **terms: Any) -> dict[str, Any]:
    return {"kind": "function", "target": f"habits:{name}", "folder": str(folder), **terms}


def played_by(caplog: pytest.LogCaptureFixture, game: Seat) -> list[str]:
    """What each of the bot's moves came from."""
    start = f"game {game.id}: "
    lines = [message for message in caplog.messages if message.startswith(start)]
    return [
        "search" if " depth " in line else line.rpartition("source ")[2]
        for line in lines
        if " depth " in line or ", source " in line
    ]


def test_a_book_is_played_while_it_lasts_and_then_the_search(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book = {"kind": "book", "files": (str(TABLES / "polyglot" / "lasker-trap.bin"),), "colors": ("black",)}
    with centella(lichess, tmp_path, sources=(book,)) as bot:
        game = Seat(rival, bot.name)
        for move in ("d2d4", "c2c4", "d4e5"):
            game.move(move)
        assert game.state["moves"] == "d2d4 d7d5 c2c4 e7e5 d4e5 d5d4"
        game.move("a2a3")
        assert game.plies == 8
        assert played_by(caplog, game) == ["0 (book)"] * 3 + ["search"]
        game.finish()
        bot.ended(1)


def test_the_order_of_sources_and_their_games_are_the_operators(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sources = tuple(
        {"kind": "book", "files": (written(tmp_path, chess.Board(), {move: 1}, f"{move}.bin"),), **terms}
        for move, terms in (("c2c4", {"variants": ("atomic",)}), ("d2d4", {}), ("e2e4", {}))
    )
    first = {}
    with centella(lichess, tmp_path, sources=sources) as bot:
        for variant in ("standard", "atomic", "spark"):
            game = Seat(rival, bot.name, variant=variant, **BOT_IS_WHITE)
            game.read_until(1)
            first[variant] = (game.state["moves"], *played_by(caplog, game))
            game.finish()
        bot.ended(3)
    assert first["standard"] == ("d2d4", "1 (book)")
    assert first["atomic"] == ("c2c4", "0 (book)")
    assert first["spark"][1] == "search"


def test_a_new_configuration_leaves_running_games_their_sources(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book = {"kind": "book", "files": (str(TABLES / "polyglot" / "lasker-trap.bin"),), "colors": ("black",)}
    with centella(lichess, tmp_path, sources=(book,)) as bot:
        # the bot has begun it, but not heard a word of it yet
        lichess.fault(f"delay=600@{bot.name}/api/bot/game/stream/*")
        begun = Seat(rival, bot.name)
        eventually(lambda: len(bot.daemon.status().games) == 1, "the bot knows of the game")
        assert bot.reload(quick_config()) == ()
        begun.move("d2d4")
        assert bot.reload(quick_config()) == ()
        begun.move("c2c4")
        assert played_by(caplog, begun) == ["0 (book)"] * 2
        lichess.clear_faults()
        fresh = Seat(Player(lichess, "other", bot=False), bot.name)
        fresh.move("d2d4")
        assert played_by(caplog, fresh) == ["search"]
        begun.finish()
        fresh.finish()
        bot.ended(2)


@pytest.mark.parametrize("habit", ["raises", "illegal", "odd", "slow"])
def test_a_source_with_a_bad_habit_costs_no_move_and_is_told_once(
    lichess: LocalLichess, rival: Player, habits: Path, caplog: pytest.LogCaptureFixture, habit: str
) -> None:
    source = function(habits, habit, timeout_ms=60, failures=2, rest_s=60)
    with centella(lichess, habits / "data", sources=(source,)) as bot:
        game = Seat(rival, bot.name)
        for move in ("e2e4", "a2a3", "a3a4", "a4a5"):
            game.move(move)
        assert game.plies == 8
        assert played_by(caplog, game) == ["search"] * 4
        game.finish()
        bot.ended(1)
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert sum(message.startswith("source 0 (function)") for message in told) == 1
    assert sum("source 0 (function): " in message for message in caplog.messages) == 2, "then it is left alone"


def test_a_game_that_ends_while_a_source_is_slow_does_not_wait_for_it(
    lichess: LocalLichess, rival: Player, habits: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = function(habits, "slow", timeout_ms=15_000)
    timing = {"first_move_ms": 50, "unlimited_ms": 10_000}
    with centella(lichess, habits / "data", sources=(source,), timing=timing) as bot:
        game = Seat(rival, bot.name, **{"clock.limit": None, "clock.increment": None, "color": "white"})
        rival.move(game.id, "e2e4")
        game.read_until(1)
        began = time.monotonic()
        rival.command(game.id, "resign")
        bot.ended(1)
        assert time.monotonic() - began < 4
        assert not any("search" in record.getMessage() for record in caplog.records if record.levelno > logging.INFO)


def test_a_slow_source_does_not_flag_in_a_quick_game(
    lichess: LocalLichess, habits: Path
) -> None:
    source = function(habits, "slow", timeout_ms=20_000, failures=100)
    with centella(lichess, habits / "data", sources=(source,)) as bot:
        game = Seat(Player(lichess, "fusebox"), bot.name, **{"clock.limit": 30, "clock.increment": 0})
        for move in ("e2e4", "d2d4", "g1f3"):
            game.move(move)
        assert (game.plies, game.state["status"]) == (6, "started")
        assert game.state["btime"] > 15_000
        game.finish()
        bot.ended(1)


@pytest.fixture
def fake_program(tmp_path: Path) -> str:
    """The start of a command that runs a fake program."""
    (tmp_path / "engine.py").write_text(ENGINE, encoding="utf-8")
    return f"{sys.executable} {tmp_path / 'engine.py'}"


@pytest.mark.parametrize("habit", ["dies", "hangs", "cheats", "gives up"])
def test_another_program_that_fails_is_replaced_by_our_search(
    lichess: LocalLichess, tmp_path: Path, fake_program: str, habit: str, caplog: pytest.LogCaptureFixture
) -> None:
    source = {"kind": "engine", "command": f"{fake_program} '{habit}' {tmp_path / 'heard'}", "timeout_ms": 100}
    with centella(lichess, tmp_path, sources=(source,), timing={"first_move_ms": 300}) as bot:
        game = Seat(Player(lichess, "fusebox"), bot.name, **{"clock.limit": 30, "clock.increment": 0})
        for move in ("e2e4", "a2a3"):
            game.move(move)
        assert game.plies == 4
        assert played_by(caplog, game) == ["search"] * 2
        game.finish()
        bot.ended(1)


def test_another_program_plays_for_us_and_leaves_with_the_game(
    lichess: LocalLichess, rival: Player, tmp_path: Path, fake_program: str, caplog: pytest.LogCaptureFixture
) -> None:
    source = {"kind": "engine", "command": f"{fake_program} plays {tmp_path / 'heard'}", "speeds": ("blitz",)}
    with centella(lichess, tmp_path, sources=(source,)) as bot:
        game = Seat(rival, bot.name, **BOT_IS_WHITE)
        game.read_until(1)
        assert game.state["moves"] == "e2e4"
        assert played_by(caplog, game) == ["0 (engine)"]
        (pid,) = (int(line.split()[1]) for line in heard(tmp_path) if line.startswith("pid"))
        game.finish()
        eventually(lambda: gone(pid), "the program has left")
        slow = Seat(rival, bot.name, **BOT_IS_WHITE, **{"clock.limit": 3600})
        slow.read_until(1)
        assert played_by(caplog, slow) == ["search"], "it is for blitz"
        slow.finish()
        bot.ended(2)


def test_a_site_elsewhere_is_asked_without_the_token_and_its_move_played(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    def answer(exchange: Exchange) -> None:
        exchange.reply_json({"moves": [{"uci": "b2b4", "white": 100, "draws": 0, "black": 0}]})

    with loopback(answer) as web:
        source = {"kind": "explorer", "url": web.url}
        with centella(lichess, tmp_path, sources=(source,)) as bot:
            game = Seat(rival, bot.name, **BOT_IS_WHITE)
            game.read_until(1)
            assert game.state["moves"] == "b2b4"
            game.finish()
            bot.ended(1)
        assert web.requests[0].headers["Authorization"] is None


def test_a_draw_that_a_table_knows_is_accepted_at_once(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    source = {"kind": "syzygy", "folders": (str(TABLES / "syzygy"),)}
    with centella(lichess, tmp_path, sources=(source,)) as bot:
        game = Seat(rival, bot.name, variant="fromPosition", fen="8/8/4k3/8/4P3/8/4K3/8 b - - 0 1", color="black")
        # the bot has the pawn, and can win only if the opponent errs
        for move in ("e6e5", "e5e6"):
            game.move(move)
            if game.state["status"] != "started":
                break
        game.command("draw/yes")
        while game.state["status"] == "started":
            game.read()
        assert "winner" not in game.state
        (record,) = bot.ended(1)
        assert record.result == "1/2-1/2"


def test_a_table_of_the_configuration_that_is_not_there_is_one_clear_line(
    lichess: LocalLichess, tmp_path: Path
) -> None:
    config = written_config(
        tmp_path, lichess.url, sources=({"kind": "book", "files": (str(tmp_path / "missing.bin"),)},)
    )
    token = lichess.mint("centella")
    with process(tmp_path, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=token) as started:
        assert started.wait() == 2
        assert "sources.0 (book): " in "".join(started.lines)
        assert "Traceback" not in "".join(started.lines)


def test_threads_and_sources_are_gone_after_the_stop(lichess: LocalLichess, rival: Player, habits: Path) -> None:
    before = threading.active_count()
    with centella(lichess, habits / "data", sources=(function(habits, "raises"),)) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)
    eventually(lambda: threading.active_count() <= before + 2, "no thread is left behind")
