"""Manners at the board, over HTTP: draws, claims, pace, and lines that are not lost twice."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import pytest

from bot.records.database import FILE_NAME
from bot.records.game import GameRecord
from bot.server.app import LocalLichess
from tests.incidents.house import BUSY_HOUSE, Centella, Seat, centella
from tests.server.players import Player

LOCKED = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 60"
NO_CLOCK = {"clock.limit": None, "clock.increment": None}


def test_behaviour_14_a_draw_is_offered_at_most_once_in_twenty_moves(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    draws = {"moves": 1, "from_move": 1, "score_cp": 3000}
    with centella(lichess, tmp_path, conduct={"draws": draws}) as bot:
        game = Seat(rival, bot.name, variant="fromPosition", fen=LOCKED)
        walk = ["e1f2", "f2g3", "g3h3", "h3g2", "g2f3", "f3e3", "e3d3", "d3c3"]
        for move in walk:
            game.move(move)
        chat = lichess.call(lambda site: [line.text for line in site.tables[game.id].chat])
        assert chat.count("Black offers draw") == 1
        game.finish()
        bot.ended(1)


def test_behaviour_14_no_draw_is_offered_when_better(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    draws = {"moves": 1, "from_move": 1, "score_cp": 3000}
    with centella(lichess, tmp_path, conduct={"draws": draws}) as bot:
        fen = LOCKED.replace("4k3/8", "3qk3/8")
        game = Seat(rival, bot.name, variant="fromPosition", fen=fen)
        game.move("e1f2")
        game.move("f2g3")
        chat = lichess.call(lambda site: [line.text for line in site.tables[game.id].chat])
        assert "Black offers draw" not in chat
        game.finish()
        bot.ended(1)


def test_trap_15_a_draw_flag_left_over_is_no_new_offer(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, conduct={"draws": {"moves": 1, "from_move": 60, "score_cp": 3000}}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.command("draw/yes")
        game.move("a2a3")
        game.move("a3a4")
        assert game.state["status"] == "started"
        game.finish()
        bot.ended(1)


def test_trap_21_a_draw_is_claimed_when_the_opponent_has_gone_and_we_cannot_win(tmp_path: Path) -> None:
    impatient = replace(
        BUSY_HOUSE, gone_after_ms=50, gone_notice_ms=100, gone_claim_ms=300, gone_claim_least_ms=300
    )
    with LocalLichess(impatient) as lichess, centella(lichess, tmp_path) as bot:
        player = Player(lichess, "rival", bot=False)
        game = Seat(player, bot.name, variant="fromPosition", fen="8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")
        game.move("e3e4")
        game.lines.close()
        (record,) = bot.ended(1)
        assert (record.result, record.status) == ("1/2-1/2", "timeout")


def test_trap_59_nobody_claims_where_the_challenge_forbids_it(tmp_path: Path) -> None:
    impatient = replace(
        BUSY_HOUSE, gone_after_ms=50, gone_notice_ms=100, gone_claim_ms=200, gone_claim_least_ms=200
    )
    with LocalLichess(impatient) as lichess:
        player = Player(lichess, "rival", bot=False)
        with centella(lichess, tmp_path) as bot:
            game = Seat(player, bot.name)
            game.move("e2e4")
        # the server lets nobody make a bot such a challenge; a tournament's game may still have the rule
        with sqlite3.connect(tmp_path / FILE_NAME) as journal:
            assert journal.execute("UPDATE journal SET rules = 'noClaimWin'").rowcount == 1
        with centella(lichess, tmp_path) as bot:
            game.lines.close()
            assert not threading.Event().wait(0.9), "time for several claims"
            player.command(game.id, "resign")
            (record,) = bot.ended(1)
            assert record.status == "resign"


def test_a_move_waits_as_long_as_was_asked_for_and_a_takeback_meanwhile_drops_it(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, timing={"least_ms": 500}) as bot:
        game = Seat(rival, bot.name)
        began = time.monotonic()
        game.move("e2e4")
        assert time.monotonic() - began >= 0.48
        rival.move(game.id, "d2d4")
        game.read_until(3)
        game.command("takeback/yes")
        game.read_until(2)
        began = time.monotonic()
        game.move("a2a3")
        assert time.monotonic() - began >= 0.48
        assert game.plies == 4
        game.finish()
        bot.ended(1)


def test_a_persons_pace_takes_time_and_never_the_clock(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, timing={"human_pace": True, "first_move_ms": 1000}) as bot:
        game = Seat(rival, bot.name, **{"clock.limit": 60, "clock.increment": 3})
        began = time.monotonic()
        game.move("e2e4")
        assert 0.2 <= time.monotonic() - began < 8
        game.finish()
        bot.ended(1)


LOST = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4 c5b4 c2c3 b4a5 d2d4 e5d4 e1g1 d7d6"


def lose_once(bot: Centella) -> None:
    """As if the line had been lost before."""
    bot.records.close_game(
        GameRecord(
            game_id="lostgame", url="", source="test", account=bot.name, variant="standard", rated=False, speed="blitz",
            color="black", opponent="rival", result="1-0", status="mate", reason="checkmate", plies=14,
            started_at="2026-01-01T00:00:00Z", ended_at="2026-01-01T00:10:00Z", moves=LOST,
        )
    )  # fmt: skip


def followed_plies(rival: Player, bot: Centella) -> int:
    """For how long the bot plays the lost line when its opponent does."""
    game, line = Seat(rival, bot.name), LOST.split()
    while game.plies < 12 and game.state["moves"].split() == line[: game.plies]:
        game.move(line[game.plies])
    followed = next(
        (ply for ply, pair in enumerate(zip(game.state["moves"].split(), line, strict=False)) if pair[0] != pair[1]), 99
    )
    game.finish()
    return followed


def test_behaviour_16_a_lost_line_is_left_by_ply_twelve_in_nine_tries_of_ten(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, sources=(the_lost_line(tmp_path),)) as bot:
        assert followed_plies(rival, bot) == 99, "what it plays by itself"
    with centella(lichess, tmp_path, name="loser", conduct={"variety": {"loss_cp": 150}}) as bot:
        lose_once(bot)
        left = [followed_plies(rival, bot) for _ in range(10)]
        assert sum(ply < 12 for ply in left) >= 9, left


def the_lost_line(folder: Path) -> dict[str, Any]:
    """A book that plays the line as it was lost."""
    board, entries = chess.Board(), []
    for text in LOST.split():
        move = board.parse_uci(text)
        raw = move.to_square | move.from_square << 6
        if board.turn is chess.BLACK:
            key = chess.polyglot.zobrist_hash(board)
            entries.append(chess.polyglot.ENTRY_STRUCT.pack(key, raw, 1, 0))
        board.push(move)
    (folder / "lost.bin").write_bytes(b"".join(sorted(entries)))
    return {"kind": "book", "files": (str(folder / "lost.bin"),)}


@pytest.mark.parametrize(("jump_ms", "moves"), [(-178_000, 3), (300_000, 2)])
def test_traps_42_and_43_a_clock_that_jumps_is_believed(
    lichess: LocalLichess, rival: Player, tmp_path: Path, jump_ms: int, moves: int
) -> None:
    strength = {"limits": {"time_ms": 300}, "hash_mb": 2}
    with centella(lichess, tmp_path, strength=strength, timing={"first_move_ms": 50}) as bot:
        game = Seat(rival, bot.name, **{"clock.limit": 180, "clock.increment": 0})
        game.move("e2e4")
        lichess.fault(f"clock={jump_ms}@{bot.name}/api/bot/game/*/move/*#1")
        for move in ("a2a3", "a3a4", "a4a5")[:moves]:
            game.move(move)
        assert (game.plies, game.state["status"]) == (2 + 2 * moves, "started")
        game.finish()
        bot.ended(1)


def test_trap_20_the_win_is_claimed_on_the_opponents_turn_only(tmp_path: Path) -> None:
    impatient = replace(
        BUSY_HOUSE, gone_after_ms=50, gone_notice_ms=100, gone_claim_ms=200, gone_claim_least_ms=200
    )
    strength = {"limits": {"time_ms": 800}, "hash_mb": 2}
    with LocalLichess(impatient) as lichess, centella(lichess, tmp_path, strength=strength) as bot:
        player = Player(lichess, "rival", bot=False)
        game = Seat(player, bot.name)
        game.move("e2e4")
        player.move(game.id, "d2d4")
        game.lines.close()
        (record,) = bot.ended(1)
        assert (record.result, record.status) == ("0-1", "timeout")
        assert record.plies == 4, "our move came first"


@pytest.mark.parametrize("fault", ["lag=250@/api/bot/game/*/move/*", "late=gameState:250@/api/bot/game/stream/*"])
def test_trap_62_what_a_move_costs_is_measured_by_the_clock_in_both_directions(
    lichess: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(Player(lichess, "fusebox"), bot.name, **{"clock.limit": 60, "clock.increment": 0})
        game.move("e2e4")
        lichess.fault(fault.replace("@", f"@{bot.name}"))
        for move in ("a2a3", "a3a4"):
            game.move(move)
        told = [re.search(r"has cost (\d+) ms", message) for message in caplog.messages]
        costs = [int(found[1]) for found in told if found is not None]
        assert len(costs) >= 1 and min(costs) >= 240, costs
        game.finish()
        bot.ended(1)


def test_trap_61_a_move_that_is_taken_but_not_played_ends_the_game_in_good_order(tmp_path: Path) -> None:
    with LocalLichess(replace(BUSY_HOUSE, game_limit_plies=7)) as lichess, centella(lichess, tmp_path) as bot:
        game = Seat(Player(lichess, "rival", bot=False), bot.name)
        for move in ("e2e4", "a2a3", "a3a4"):
            game.move(move)
        game.player.move(game.id, "a4a5")
        while game.state["status"] == "started":
            game.read()
        (record,) = bot.ended(1)
        assert (record.result, record.status, record.plies) == ("1/2-1/2", "draw", 7)


def test_trap_17_a_move_offers_a_draw_only_if_it_is_meant_to(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.command("draw/yes")
        rival.move(game.id, "d2d4")
        game.read_until(4)
        chat = lichess.call(lambda site: [line.text for line in site.tables[game.id].chat])
        assert "Black offers draw" not in chat and game.state["status"] == "started"
        game.finish()
        bot.ended(1)
