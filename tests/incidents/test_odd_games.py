"""Games that are not like the others: other starts, machines, odd clocks, and ends that nobody expects."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from rules import variants
from tests.incidents.house import BUSY_HOUSE, Seat, centella, eventually
from tests.incidents.replay import ReplayedGame, ReplayServer, replayed
from tests.server.players import Player

MOVES = "/api/bot/game/*/move/*"


@pytest.mark.parametrize("variant", [game.key for game in variants.ALL if game.lichess and not game.needs_fen])
def test_every_game_of_lichess_is_played_from_its_own_start(
    lichess: LocalLichess, rival: Player, tmp_path: Path, variant: str
) -> None:
    """In horde and racingKings "startpos" is the game's own start, not that of chess."""
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, variant=variant, color="black")
        game.read_until(1)
        assert game.plies == 1
        game.finish()
        (record,) = bot.ended(1)
        assert record.variant == variant


def test_chess960_from_the_ordinary_start_castles_as_king_takes_rook(tmp_path: Path) -> None:
    game = ReplayedGame("chess960_castling")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    moves = "g2g3 a7a6 f1g2 b7b6 g1h3 c7c6 h3g5 d7d6 g2d5 e7e6 d5c4 f7f6 g5h3 g7g6"
    state = {"type": "gameState", "moves": moves, "wtime": 60_000, "btime": 60_000, "status": "started"}
    castled = {**state, "moves": f"{moves} e1h1", "status": "resign", "winner": "white"}
    full = {**game.full, "initialFen": start, "state": state}
    game.full = full
    game.parts[:] = [[json.dumps(full), json.dumps(castled)]]
    site = ReplayServer([game], [game.start_event])
    with replayed(site, tmp_path) as (records, _):
        eventually(lambda: bool(records.ended_games()), "the castling is understood, and the game recorded")
        (record,) = records.ended_games()
    assert (record.variant, record.plies, record.initial_fen) == ("chess960", 15, start)


def test_a_machine_without_name_and_id_is_played(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        account = Player(lichess, bot.name)
        terms = {"level": 1, "color": "white", "clock.limit": 60, "clock.increment": 0}
        game_id = account.post("/api/challenge/ai", json=terms).json()["id"]
        eventually(lambda: lichess.call(lambda site: len(site.tables[game_id].game.moves) >= 4), "a few moves are made")
        account.command(game_id, "resign")
        (record,) = bot.ended(1)
        assert record.opponent == "Stockfish level 1"


def test_a_game_that_has_reached_its_greatest_length_is_a_draw(tmp_path: Path) -> None:
    """The move beyond is answered with 200, and not played."""
    with LocalLichess(replace(BUSY_HOUSE, game_limit_plies=3)) as lichess, centella(lichess, tmp_path) as bot:
        game = Seat(Player(lichess, "rival", bot=False), bot.name)
        game.move("e2e4")
        game.player.move(game.id, "a2a3")
        while game.state["status"] == "started":
            game.read()
        (record,) = bot.ended(1)
        assert (record.status, record.result, record.plies) == ("draw", "1/2-1/2", 3)


def test_a_clock_that_rises_is_no_trouble(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault(f"clock=600000@{bot.name}{MOVES}#1")
        game.move("a2a3")
        assert game.state["btime"] > 700_000
        game.move("h2h3")
        game.finish()
        bot.ended(1)


@pytest.mark.parametrize("zero", [0, 10])
def test_a_clock_at_zero_in_a_game_that_goes_on_is_moved_on_at_once(tmp_path: Path, zero: int) -> None:
    game = ReplayedGame("blitz_takeback_draw_chat_gone")
    lines = game.parts[0][:6]
    game.parts[:] = [[_with_clocks(line, zero) for line in lines], [_ended(lines[-2])]]
    site = ReplayServer([game], [game.start_event])
    with replayed(site, tmp_path, strength={"limits": {}, "hash_mb": 2}) as (records, _):
        eventually(lambda: bool(records.ended_games()), "the game goes on to its end")
    assert len(game.moves) == len(game.awaited) == 1


def _with_clocks(line: str, left_ms: int) -> str:
    message: dict[str, Any] = json.loads(line)
    state = message.get("state", message)
    if "btime" in state:
        state |= {"wtime": left_ms, "btime": left_ms}
    return json.dumps(message)


def _ended(state: str) -> str:
    message = json.loads(state)
    assert message["type"] == "gameState"
    full = ReplayedGame("blitz_takeback_draw_chat_gone").full
    return json.dumps({**full, "state": {**message, "status": "outoftime", "winner": "white"}})
