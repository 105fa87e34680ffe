"""A daemon that dies at any moment, or is told to stop, loses no game and records none twice."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

from bot.records.database import Records
from bot.server.app import LocalLichess
from tests.incidents.house import Seat, eventually
from tests.incidents.processes import daemon, results
from tests.server.players import Player

BOT = "centella"


def seat(lichess: LocalLichess, name: str, **terms: object) -> Seat:
    return Seat(Player(lichess, name, bot=False), BOT, **terms)


def recorded(folder: Path) -> int:
    """How many records there are; quicker than asking the command."""
    with Records(folder / "data") as records:
        return len(records.ended_games())


def gone(lichess: LocalLichess) -> None:
    eventually(lambda: not lichess.call(lambda site: site.audience.online(BOT)), "the bot is offline")


def test_three_games_are_resumed_and_finished_after_a_kill(lichess: LocalLichess, tmp_path: Path) -> None:
    token = lichess.mint(BOT)
    with daemon(lichess, tmp_path, token) as first:
        games = [seat(lichess, name, variant=name) for name in ("standard", "crazyhouse", "parlour")]
        for game in games:
            game.move("e2e3")
        # quiet games, that no reply ends early: one awaits our move, one the opponent's, one was left in the middle
        first.signal(signal.SIGSTOP)
        games[0].player.move(games[0].id, "a2a3")
        first.kill()
    gone(lichess)
    games[1].player.move(games[1].id, "a2a3")
    with daemon(lichess, tmp_path, token):
        for game in games:
            game.read_until(4 if game is not games[2] else 2)
        games[2].move("a2a3")
        for game in games:
            assert game.move("h2h3")["status"] == "started"
            game.finish()
        eventually(lambda: recorded(tmp_path) == 3, "three results")
    rows = results(tmp_path)
    assert {row["game_id"] for row in rows} == {game.id for game in games}
    assert {row["plies"] for row in rows} == {6}
    assert {row["reason"] for row in rows} == {"resignation"}


@pytest.mark.parametrize("moment", ["before the end", "at the end", "after the end"])
def test_a_kill_round_the_end_of_a_game_leaves_one_result(
    lichess: LocalLichess, tmp_path: Path, moment: str
) -> None:
    token = lichess.mint(BOT)
    with daemon(lichess, tmp_path, token) as first:
        game = seat(lichess, "rival")
        game.move("e2e4")
        if moment == "before the end":
            first.kill()
            game.finish()
        elif moment == "at the end":
            game.command("resign")
            first.kill()
        else:
            game.finish()
            eventually(lambda: recorded(tmp_path) == 1, "the result is recorded")
            first.kill()
    gone(lichess)
    with daemon(lichess, tmp_path, token):
        eventually(lambda: recorded(tmp_path) == 1, "the result is recorded")
        other = seat(lichess, "other")
        other.move("e2e4")
        other.finish()
        eventually(lambda: recorded(tmp_path) == 2, "the next game is recorded")
    rows = {row["game_id"]: row for row in results(tmp_path, "--all")}
    assert rows.keys() == {game.id, other.id}
    assert (rows[game.id]["result"], rows[game.id]["reason"], rows[game.id]["plies"]) == ("0-1", "resignation", 2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_an_idle_daemon_in_good_order(
    lichess: LocalLichess, tmp_path: Path, number: signal.Signals
) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        bot.signal(number)
        assert bot.wait() == 0
        assert "Traceback" not in "".join(bot.lines)


def test_a_running_game_is_finished_before_the_stop_and_no_other_is_begun(
    lichess: LocalLichess, tmp_path: Path
) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT), shutdown={"finish_games_s": 30.0}) as bot:
        game = seat(lichess, "rival")
        game.move("e2e4")
        bot.signal(signal.SIGTERM)
        bot.says("stopping")
        late = Player(lichess, "late", bot=False)
        events = late.events()
        late.challenge(Player(lichess, BOT))
        assert events.next_of("challengeDeclined")["challenge"]["declineReasonKey"] == "later"
        game.move("a2a3")
        game.finish()
        assert bot.wait() == 0
    assert [row["game_id"] for row in results(tmp_path)] == [game.id]


def test_what_is_not_finished_in_time_is_left_and_resumed(lichess: LocalLichess, tmp_path: Path) -> None:
    token = lichess.mint(BOT)
    with daemon(lichess, tmp_path, token) as bot:
        game = seat(lichess, "rival")
        game.move("e2e4")
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 0
    assert results(tmp_path) == []
    with daemon(lichess, tmp_path, token):
        game.move("a2a3")
        game.finish()
        eventually(lambda: recorded(tmp_path) == 1, "the result is recorded")


def test_a_second_signal_ends_it_at_once(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT), shutdown={"finish_games_s": 600.0}) as bot:
        game = seat(lichess, "rival")
        game.move("e2e4")
        bot.signal(signal.SIGTERM)
        bot.says("stopping")
        threading.Event().wait(0.1)
        assert bot.running
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 1
