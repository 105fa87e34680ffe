"""At the board: one search and one move for each position, whatever the opponent does meanwhile."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import BUSY_HOUSE, Seat, centella, eventually
from tests.server.players import Player

# thinks for a second or so, with no depth to stop it earlier
SLOW: dict[str, dict[str, Any]] = {
    "strength": {"limits": {}, "hash_mb": 2},
    "timing": {"unlimited_ms": 1200, "first_move_ms": 50},
}
NO_CLOCK = {"clock.limit": None, "clock.increment": None}


def thoughts(caplog: pytest.LogCaptureFixture, game_id: str) -> int:
    """How many searches have ended with a move."""
    return sum(f"game {game_id}: " in message and " depth " in message for message in caplog.messages)


def nothing_happens(game: Seat, seconds: float) -> bool:
    """Whether the stream stays silent for so long."""
    threading.Event().wait(seconds)
    return all(line in ("", None) for line in list(game.lines._lines.queue))


def test_a_takeback_while_the_bot_thinks_is_granted_and_the_search_dropped(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **SLOW) as bot:
        game = Seat(rival, bot.name, **NO_CLOCK)
        game.move("e2e4")
        rival.move(game.id, "d2d4")
        game.read_until(3)
        began = time.monotonic()
        game.command("takeback/yes")
        game.read_until(2)
        assert time.monotonic() - began < 0.7, "the takeback must not wait for the search"
        assert nothing_happens(game, 1.5), "the dropped search must not be played"
        assert thoughts(caplog, game.id) == 1
        assert len(game.move("a2a3")["moves"].split()) == 4
        assert thoughts(caplog, game.id) == 2
        game.finish()
        bot.ended(1)


def test_takebacks_beyond_the_configured_number_are_refused(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, conduct={"takebacks": {"humans": 1}}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.command("takeback/yes")
        game.read_until(0)
        game.move("d2d4")
        game.command("takeback/yes")
        while not game.state.get("wtakeback"):
            game.read()
        while game.state.get("wtakeback"):
            game.read()
        assert game.plies == 2
        game.finish()
        bot.ended(1)


def test_a_resignation_while_the_bot_thinks_ends_the_search(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **SLOW) as bot:
        game = Seat(rival, bot.name, **NO_CLOCK)
        game.move("e2e4")
        rival.move(game.id, "d2d4")
        game.read_until(3)
        began = time.monotonic()
        game.finish()
        (record,) = bot.ended(1)
        assert time.monotonic() - began < 0.7
        assert (record.result, record.reason, record.plies) == ("0-1", "resignation", 3)
        assert thoughts(caplog, game.id) == 1


def test_a_state_that_repeats_the_moves_starts_no_second_search(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, **SLOW) as bot:
        game = Seat(rival, bot.name, **NO_CLOCK)
        game.move("e2e4")
        rival.move(game.id, "d2d4")
        for answer in ("yes", "no", "yes"):
            game.command(f"draw/{answer}")
        lichess.break_streams("drop", "/api/bot/game/stream/*")
        game.read_until(4)
        assert thoughts(caplog, game.id) == 2
        game.finish()
        bot.ended(1)


def test_a_draw_offer_in_a_lively_game_is_not_taken(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.command("draw/yes")
        assert game.move("a2a3")["status"] == "started"
        game.finish()
        bot.ended(1)


BARE = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"


def test_a_draw_is_taken_by_a_side_that_cannot_win(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, variant="fromPosition", fen=BARE)
        game.move("e3e4")
        game.command("draw/yes")
        while game.state["status"] == "started":
            game.read()
        assert "winner" not in game.state
        (record,) = bot.ended(1)
        assert record.result == "1/2-1/2"


def test_a_bot_that_cannot_win_offers_no_draw_that_would_end_the_game(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    lone = "8/8/4k3/4p3/8/4K3/8/8 w - - 0 80"
    with centella(lichess, tmp_path, conduct={"draws": {"moves": 1, "from_move": 1, "score_cp": 2000}}) as bot:
        game = Seat(rival, bot.name, variant="fromPosition", fen=lone)
        game.move("e3e4")
        assert not game.state.get("bdraw")
        assert game.state["status"] == "started"
        game.finish()
        bot.ended(1)


def test_an_opponent_who_never_starts_is_not_waited_for(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, conduct={"abort_after": {"humans_s": 0.3, "bots_s": 60}}) as bot:
        game = Seat(rival, bot.name)
        assert game.read()["status"] == "aborted"
        (record,) = bot.ended(1)
        assert (record.result, record.status, record.counts) == ("*", "aborted", False)


def test_an_opponent_who_starts_in_time_is_left_in_peace(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, conduct={"abort_after": {"humans_s": 0.3, "bots_s": 60}}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        assert nothing_happens(game, 0.6)
        game.finish()
        bot.ended(1)


def test_an_opponent_who_has_gone_loses_by_claim(tmp_path: Path) -> None:
    impatient = replace(
        BUSY_HOUSE, gone_after_ms=50, gone_notice_ms=100, gone_claim_ms=300, gone_claim_least_ms=300
    )
    with LocalLichess(impatient) as lichess, centella(lichess, tmp_path) as bot:
        game = Seat(Player(lichess, "rival", bot=False), bot.name)
        game.move("e2e4")
        game.lines.close()
        (record,) = bot.ended(1)
        assert (record.result, record.status, record.reason) == ("0-1", "timeout", "abandonment")


def test_white_waits_when_the_position_has_black_to_move(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 8"
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, variant="fromPosition", fen=fen, color="black")
        assert nothing_happens(game, 0.3)
        assert len(game.move("e8h8")["moves"].split()) == 2
        game.finish()
        (record,) = bot.ended(1)
        assert record.initial_fen == fen


def test_a_chess960_game_is_played_from_its_own_start(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, variant="chess960", color="black")
        game.read_until(1)
        game.finish()
        (record,) = bot.ended(1)
        assert (record.variant, record.status) == ("chess960", "aborted")
        assert record.initial_fen == game.full["initialFen"]


def test_the_bot_mates_and_the_reason_is_recorded(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, variant="fromPosition", fen="k7/8/1K6/8/8/8/8/7R w - - 0 1", color="black")
        game.read_until(1)
        assert (game.state["status"], game.state["winner"]) == ("mate", "white")
        (record,) = bot.ended(1)
        assert (record.result, record.reason, record.color, record.plies) == ("1-0", "checkmate", "white", 1)


@pytest.mark.parametrize(("variant", "terms"), [("spark", {}), ("atomic", {}), ("parlour", {"turn.limit": 5})])
def test_every_kind_of_game_and_clock_is_played(
    lichess: LocalLichess, rival: Player, tmp_path: Path, variant: str, terms: dict[str, Any]
) -> None:
    clock = {} if not terms else NO_CLOCK
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, variant=variant, color="black", **clock, **terms)
        game.read_until(1)
        assert game.plies == 1
        game.finish()
        bot.ended(1)


def test_the_strength_of_a_game_changes_what_is_searched(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    games = {"atomic": {"depth": 3}, "spark": {"nodes": 777, "depth": 60}, "parlour": {"time_ms": 150, "depth": 60}}
    strength = {"limits": {"depth": 1}, "variants": {key: {"limits": limits} for key, limits in games.items()}}
    searched = {}
    with centella(lichess, tmp_path, strength=strength) as bot:
        for variant in ("standard", *games):
            caplog.clear()
            game = Seat(rival, bot.name, variant=variant, color="black")
            game.read_until(1)
            (thought,) = (message for message in caplog.messages if " depth " in message)
            found = re.search(r"depth (\d+), (\d+) nodes, (\d+) ms", thought)
            assert found is not None
            searched[variant] = tuple(int(group) for group in found.groups())
            game.finish()
        bot.ended(4)
    assert searched["standard"][0] == 1
    assert searched["atomic"][0] == 3
    assert 300 < searched["spark"][1] <= 777
    assert 3 < searched["parlour"][0] < 60
    # a move that is settled takes no less than three tenths of its time
    assert 40 <= searched["parlour"][2] < 400


def test_the_first_move_comes_soon_although_the_clock_stands(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, strength={"limits": {}, "hash_mb": 2}, timing={"first_move_ms": 300}) as bot:
        terms = {"clock.limit": 10_800, "clock.increment": 60}
        game = Seat(rival, bot.name, color="black", **terms)
        began = time.monotonic()
        game.read_until(1)
        assert time.monotonic() - began < 2
        game.finish()
        bot.ended(1)


def test_two_games_at_once_do_not_wait_for_each_other(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, **SLOW) as bot:
        slow = Seat(Player(lichess, "patient", bot=False), bot.name, **NO_CLOCK)
        quick = Seat(Player(lichess, "nervous", bot=False), bot.name, **{"clock.limit": 180, "clock.increment": 0})
        slow.player.move(slow.id, "e2e4")
        began = time.monotonic()
        quick.move("e2e4")
        assert time.monotonic() - began < 1.0
        slow.read_until(2)
        for game in (slow, quick):
            game.finish()
        bot.ended(2)
        eventually(lambda: not bot.records.open_games("test", bot.name), "no game is left open")
