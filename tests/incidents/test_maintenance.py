"""The site is down, limited, or answers as somebody else: nothing is lost, nothing is hammered, and little is said."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import Seat, centella, eventually
from tests.server.players import Player

EVENTS = "/api/stream/event"
GAME_STREAMS = "/api/bot/game/stream/*"
MOVES = "/api/bot/game/*/move/*"
EVERYTHING = "/*"


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What an operator reads in the log, without the finer things."""
    ours = (record for record in caplog.records if record.name.startswith("bot.") and record.levelno >= logging.INFO)
    return [record.getMessage() for record in ours]


@pytest.mark.parametrize("fault", ["status=503", "empty=502", "refuse", "status=200"])
def test_a_site_that_is_down_for_a_while_is_told_of_once(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    network = {"reconcile_every_s": 0.1, "reopen_most_s": 0.1, "game_reopen_most_s": 0.1, "event_opens": 1000}
    with centella(lichess, tmp_path, network=network) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault(f"{fault}@{bot.name}{EVERYTHING}")
        rival.move(game.id, "a2a3")
        game.read_until(3)
        caplog.clear()
        for path in (EVENTS, GAME_STREAMS):
            lichess.break_streams("drop", path)
        threading.Event().wait(1.5)
        during = told(caplog)
        lichess.clear_faults()
        game.read_until(4)
        assert game.move("h2h3")["status"] == "started", "the game goes on where it was"
        eventually(lambda: "event stream: open again" in told(caplog), "its end is told")
        game.finish()
        bot.ended(1)
    assert 1 <= len(during) <= 6, during
    assert not any("token" in line for line in during), "network trouble is not called a bad token"


def test_an_event_stream_that_breaks_again_and_again_is_not_opened_more_often_than_allowed(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, network={"event_opens": 5, "reconcile_every_s": 0.3}) as bot:
        game = Seat(rival, bot.name)
        lichess.fault(f"drop=0@{EVENTS}")
        lichess.break_streams("drop", EVENTS)
        game.move("e2e4")
        threading.Event().wait(1.5)
        assert game.move("a2a3")["status"] == "started", "running games are played on meanwhile"
        endings = [line for line in caplog.messages if line.startswith("event stream: ended")]
        assert len(endings) == 5
        game.finish()
        bot.ended(1)


@pytest.mark.parametrize("fault", ["empty=429", "empty=502", "status=200", "refuse", "status=504"])
def test_a_move_that_meets_a_strange_answer_is_sent_again_soon(
    lichess: LocalLichess, rival: Player, tmp_path: Path, fault: str
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        lichess.fault(f"{fault}@{MOVES}#2")
        began = time.monotonic()
        game.move("e2e4")
        assert time.monotonic() - began < 2.5
        game.finish()
        bot.ended(1)


def test_a_limit_on_one_games_move_stops_no_other_game(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        limited = Seat(Player(lichess, "limited", bot=False), bot.name)
        other = Seat(Player(lichess, "other", bot=False), bot.name)
        lichess.fault(f"limit=60@/api/bot/game/{limited.id}/move/*")
        limited.player.move(limited.id, "e2e4")
        for uci in ("e2e4", "a2a3", "h2h3"):
            assert other.move(uci)["status"] == "started"
        assert limited.read_until(1)["status"] == "started"
        lichess.clear_faults()
        limited.read_until(2)
        assert limited.plies == 2
        # to resign is to ask for something else than a move: the opponents do it
        for game in (limited, other):
            game.finish()
        bot.ended(2)


def test_a_slow_errand_of_one_game_delays_no_move_of_another(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, network={"request_timeout_s": 5.0}) as bot:
        slow = Seat(Player(lichess, "slow", bot=False), bot.name)
        quick = Seat(Player(lichess, "quick", bot=False), bot.name)
        slow.move("e2e4")
        lichess.fault("delay=2000@/api/bot/game/*/takeback/*")
        slow.command("takeback/yes")
        began = time.monotonic()
        for uci in ("e2e4", "a2a3", "h2h3"):
            quick.move(uci)
        assert time.monotonic() - began < 1.2
        for game in (slow, quick):
            game.finish()
        bot.ended(2)
