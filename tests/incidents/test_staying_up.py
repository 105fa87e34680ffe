"""The network at its worst: nothing is lost, nothing is played twice, and no game is left alone."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.daemon import DaemonStopped
from bot.server.app import LocalLichess
from bot.transport import Unauthorized
from tests.incidents.house import BUSY_HOUSE, Seat, centella, eventually
from tests.server.players import Player

GAME_STREAMS = "/api/bot/game/stream/*"
EVENTS = "/api/stream/event"
MOVES = "/api/bot/game/*/move/*"


def begun(caplog: pytest.LogCaptureFixture, game_id: str) -> int:
    """How many sessions have begun to play a game."""
    return sum(f"game {game_id}: Standard" in message for message in caplog.messages)


def test_a_game_start_told_twice_is_one_game(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lichess.fault(f"duplicate=gameStart@{EVENTS}")
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.break_streams("drop", EVENTS)
        game.move("a2a3")
        game.finish()
        bot.ended(1)
        assert begun(caplog, game.id) == 1


def test_a_swallowed_game_start_is_found_among_the_running_games(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    lichess.fault(f"swallow=gameStart@{EVENTS}")
    with centella(lichess, tmp_path, network={"reconcile_every_s": 0.5}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


@pytest.mark.parametrize("kind", ["drop", "end", "freeze"])
def test_a_broken_game_stream_is_not_the_end_of_the_game(
    lichess: LocalLichess, rival: Player, tmp_path: Path, kind: str
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        assert lichess.break_streams(kind, GAME_STREAMS) == 1
        began = time.monotonic()
        game.move("a2a3")
        assert time.monotonic() - began < 5
        game.move("h2h3")
        assert game.finish()["moves"].count(" ") == 5
        bot.ended(1)


@pytest.mark.parametrize("kind", ["drop", "freeze"])
def test_a_broken_event_stream_is_opened_again(
    lichess: LocalLichess, rival: Player, tmp_path: Path, kind: str
) -> None:
    with centella(lichess, tmp_path) as bot:
        lichess.break_streams(kind, EVENTS)
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


def test_an_orderly_end_of_the_event_stream_is_not_the_end_of_the_daemon(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path) as bot:
        lichess.break_streams("end", EVENTS)
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


def test_a_move_whose_answer_is_lost_is_played_once(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        lichess.fault(f"lose@{MOVES}#2")
        for uci in ("e2e4", "a2a3", "h2h3"):
            game.move(uci)
        assert game.plies == 6
        game.finish()
        bot.ended(1)


def test_a_move_whose_answer_is_slow_is_played_once_and_the_next_one_is_not_held_up(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, network={"move_timeout_s": 5.0}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault(f"delay=3000@{MOVES}#1")
        began = time.monotonic()
        game.move("a2a3")
        game.move("h2h3")
        assert time.monotonic() - began < 2, "the stream showed the move: there was nothing to wait for"
        game.finish()
        bot.ended(1)


@pytest.mark.parametrize("fault", ["limit=60", "status=502", "status=503", "status=500"])
def test_a_move_that_could_not_be_taken_is_sent_again_soon(
    lichess: LocalLichess, rival: Player, tmp_path: Path, fault: str
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        lichess.fault(f"{fault}@{MOVES}#2")
        began = time.monotonic()
        game.move("e2e4")
        assert time.monotonic() - began < 2.5
        game.move("a2a3")
        game.finish()
        bot.ended(1)


def test_a_move_that_nobody_thinks_about_is_found_among_the_running_games(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, network={"reconcile_every_s": 0.5, "stall_timeout_s": 60.0}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.break_streams("freeze", GAME_STREAMS)
        game.move("a2a3")
        game.finish()
        bot.ended(1)


def test_a_swallowed_move_of_the_opponent_is_looked_up_before_the_clock_runs_out(
    lichess: LocalLichess, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, network={"news_least_s": 0.3}) as bot:
        game = Seat(Player(lichess, "machine"), bot.name, **{"clock.limit": 0, "clock.increment": 3})
        game.move("e2e4")
        lichess.fault(f"swallow=gameState@{bot.name}{GAME_STREAMS}#1")
        began = time.monotonic()
        game.move("a2a3")
        assert time.monotonic() - began < 2
        game.finish()
        bot.ended(1)


def test_an_opponent_who_thinks_in_a_fast_game_is_left_to_think(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, network={"news_least_s": 0.2}) as bot:
        game = Seat(Player(lichess, "machine"), bot.name, **{"clock.limit": 0, "clock.increment": 3})
        game.move("e2e4")
        asked = bot.counted("requests", kind="other", outcome="ok")
        eventually(lambda: bot.counted("requests", kind="other", outcome="ok") >= asked + 2, "it looks for news")
        assert bot.counted("stream_openings", stream="game") == 1
        game.move("a2a3")
        game.finish()
        bot.ended(1)


@pytest.mark.parametrize("fault", ["limit=60", "status=503"])
def test_a_swallowed_move_is_found_also_while_the_list_of_games_is_not_to_be_had(
    lichess: LocalLichess, tmp_path: Path, fault: str
) -> None:
    with centella(lichess, tmp_path, network={"news_least_s": 0.3}) as bot:
        game = Seat(Player(lichess, "machine"), bot.name, **{"clock.limit": 0, "clock.increment": 3})
        game.move("e2e4")
        lichess.fault(f"{fault}@{bot.name}/api/account/playing")
        lichess.fault(f"swallow=gameState@{bot.name}{GAME_STREAMS}#1")
        began = time.monotonic()
        game.move("a2a3")
        assert time.monotonic() - began < 2.5
        game.finish()
        bot.ended(1)


def test_a_stream_that_has_lost_its_beginning_is_read_anew(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path) as bot:
        lichess.fault(f"swallow=gameFull@{bot.name}{GAME_STREAMS}#2")
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


def test_a_limit_on_other_calls_does_not_hold_up_moves(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        lichess.fault("limit=60@/api/account/playing")
        lichess.break_streams("drop", EVENTS)
        began = time.monotonic()
        for uci in ("e2e4", "a2a3", "h2h3"):
            game.move(uci)
        assert time.monotonic() - began < 3
        game.finish()
        bot.ended(1)


def test_an_own_move_that_the_stream_does_not_show_is_looked_up_not_repeated(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    lichess.fault(f"swallow=gameState@{GAME_STREAMS}#1")
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, color="black")
        game.read_until(1)
        streams = lichess.call(lambda site: site.audience.readers(game.id))
        # the opponent waits: only looking it up can show the bot that its move was played
        eventually(lambda: lichess.call(lambda site: site.audience.readers(game.id)) != streams, "a new stream")
        game.move("a7a6")
        game.finish()
        (record,) = bot.ended(1)
        assert record.plies == 3


def test_an_end_told_twice_is_recorded_once(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    lichess.fault(f"duplicate=final@{GAME_STREAMS}")
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        (record,) = bot.ended(1)
        assert (record.result, record.reason, record.color) == ("0-1", "resignation", "black")


def test_a_game_that_ends_while_the_stream_is_down_is_recorded(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault(f"status=503@{GAME_STREAMS}#4")
        lichess.break_streams("drop", GAME_STREAMS)
        game.finish()
        bot.ended(1)


def test_running_games_that_cannot_be_listed_are_no_trouble(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    lichess.fault("status=502@/api/account/playing#3")
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


def test_a_game_that_the_site_has_forgotten_frees_its_place(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, accept={"max_games": 1}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault(f"status=404@/api/bot/game/stream/{game.id}")
        lichess.fault(f"status=404@/game/export/{game.id}")
        lichess.break_streams("drop", GAME_STREAMS)
        (record,) = bot.ended(1)
        assert (record.status, record.counts) == ("unknownFinish", False)
        other = Seat(Player(lichess, "other", bot=False), bot.name)
        other.move("e2e4")


def test_two_daemons_on_one_account_do_not_fight_for_ever(lichess: LocalLichess, tmp_path: Path) -> None:
    slow = {"kick_window_s": 5.0}
    with (
        centella(lichess, tmp_path / "one", network=slow) as first,
        centella(lichess, tmp_path / "two", network=slow) as second,
    ):
        eventually(lambda: first.failure is not None or second.failure is not None, "one of them gives up")
        stopped = first if first.failure is not None else second
        assert isinstance(stopped.failure, DaemonStopped)
        assert "another program" in str(stopped.failure)


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_is_no_longer_good_stops_the_daemon(lichess: LocalLichess, tmp_path: Path, status: int) -> None:
    with centella(lichess, tmp_path) as bot:
        lichess.fault(f"status={status}@{EVENTS}")
        lichess.break_streams("drop", EVENTS)
        bot.join()
        assert isinstance(bot.failure, Unauthorized)


def test_a_token_revoked_in_the_middle_of_a_game_stops_the_daemon(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault(f"status=401@{MOVES}")
        rival.move(game.id, "a2a3")
        bot.join()
        assert isinstance(bot.failure, Unauthorized)
        assert [entry.game_id for entry in bot.records.open_games("test", bot.name)] == [game.id]


def test_a_server_that_goes_away_and_comes_back_is_found_again(tmp_path: Path) -> None:
    with LocalLichess(BUSY_HOUSE, chance=random.Random(3)) as first:
        address = replace(BUSY_HOUSE, port=first.settings.port)
        with ExitStack() as houses:
            bot = houses.enter_context(centella(first, tmp_path))
            lost = Seat(Player(first, "rival", bot=False), bot.name)
            lost.move("e2e4")
            first.stop()
            # the same chance makes the same token; from then on, other games
            chance = random.Random(3)
            second = houses.enter_context(LocalLichess(address, chance=chance))
            second.mint(bot.name)
            chance.seed(4)
            online = partial(second.call, lambda site: site.audience.online(bot.name))
            eventually(online, "the bot is back")
            game = Seat(Player(second, "rival", bot=False), bot.name)
            game.move("e2e4")
            game.finish()
            statuses = {record.game_id: record.status for record in bot.ended(2)}
            assert statuses == {lost.id: "unknownFinish", game.id: "resign"}
            bot.stop()
