"""A game followed through its stream: whatever a state has to do with the one before, the whole list counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.following import FollowedGame, NotOurGame
from bot.timing import DayClock, NoClock, RunningClock, TurnClock
from bot.wire import GameFull, GameState, read
from rules.errors import RulesError
from rules.outcome import Reason

EVENTS = Path(__file__).parents[1] / "conformance" / "events"


def full(**changes: Any) -> GameFull:
    state = {"type": "gameState", "moves": "", "wtime": 60_000, "btime": 50_000, "winc": 1000, "binc": 1000}
    value = {
        "id": "abcdefgh", "variant": {"key": "standard"}, "clock": {"initial": 60_000, "increment": 1000},
        "white": {"id": "rival", "name": "rival"}, "black": {"id": "housebot", "name": "housebot"},
        "state": state | {"status": "started"},
    }  # fmt: skip
    return read(GameFull, value | changes)


def state(moves: str, **changes: Any) -> GameState:
    value = {"moves": moves, "wtime": 60_000, "btime": 50_000, "winc": 1000, "binc": 1000, "status": "started"}
    return read(GameState, value | changes)


def followed(moves: str = "", **changes: Any) -> FollowedGame:
    game = FollowedGame(full(**changes), "HouseBot")
    game.update(state(moves))
    return game


def test_trap_5_a_reconnect_may_jump_forwards_and_backwards() -> None:
    game = followed("e2e4")
    assert game.our_turn
    game.update(state("e2e4 e7e5 g1f3 b8c6 f1c4"))
    assert game.our_turn and game.plies == 5
    change = game.update(state("e2e4 e7e5 g1f3"))
    assert change.moved and game.our_turn and game.plies == 3
    game.update(state("d2d4"))
    assert game.game.position.fen().startswith("rnbqkbnr/pppppppp/8/8/3P4")


def test_traps_11_and_12_the_own_move_and_repeated_states_are_no_news() -> None:
    game = followed("e2e4")
    assert not game.update(state("e2e4", btime=49_000)).moved
    assert game.update(state("e2e4 e7e5")).moved
    assert not game.our_turn


def test_trap_15_an_offer_is_new_once_and_gone_with_our_move() -> None:
    game = followed("e2e4")
    assert game.update(state("e2e4", wdraw=True)).draw_offered and game.draw_pending
    assert not game.update(state("e2e4", wdraw=True)).draw_offered and game.draw_pending
    assert not game.update(state("e2e4 e7e5", wdraw=True)).draw_offered
    assert not game.draw_pending, "moving has refused it, though the flag stays"
    assert not game.update(state("e2e4 e7e5 g1f3", wdraw=True)).draw_offered
    game.update(state("e2e4 e7e5 g1f3"))
    assert game.update(state("e2e4 e7e5 g1f3", wdraw=True)).draw_offered, "a second offer"


def test_an_offer_of_our_own_is_not_the_opponents() -> None:
    game = followed("e2e4")
    assert not game.update(state("e2e4", bdraw=True, btakeback=True)).draw_offered
    assert not game.update(state("e2e4", bdraw=True, btakeback=True)).takeback_asked


def test_traps_18_and_19_the_third_repetition_ends_a_bots_game_by_itself() -> None:
    there_and_back = "g1f3 g8f6 f3g1 f6g8"
    game = followed(there_and_back)
    assert game.game.outcome is None
    game.update(state(f"{there_and_back} {there_and_back}"))
    assert game.game.outcome is not None and game.game.outcome.reason is Reason.REPETITION


def test_trap_25_the_side_to_move_is_told_by_the_position_not_by_parity() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert followed("", initialFen=fen).our_turn
    assert not followed("e8e7", initialFen=fen).our_turn


@pytest.mark.parametrize("castling", ["e1g1", "e1h1"])
def test_trap_26_castling_is_read_in_both_forms(castling: str) -> None:
    game = followed(f"e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 {castling}")
    assert game.game.position.fen().startswith("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1")


@pytest.mark.parametrize("key", ["horde", "racingKings"])
def test_trap_27_startpos_is_the_variants_own_start(key: str) -> None:
    game = followed("", variant={"key": key})
    assert game.game.position.fen() != followed().game.position.fen()


def test_trap_28_chess960_from_the_usual_start_castles_king_takes_rook() -> None:
    game = followed("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1", variant={"key": "chess960"})
    move = next(move for move in game.game.position.legal_moves() if game.write(move) == "e8h8")
    assert game.write(move) == "e8h8"


def test_trap_29_every_kind_of_clock_is_told_apart() -> None:
    assert followed("e2e4").clock == RunningClock(50_000, 1000, 0)
    assert followed("e2e4 e7e5 g1f3").clock == RunningClock(50_000, 1000, 1)
    assert followed("", clock=None, daysPerTurn=3).clock == DayClock(50_000)
    assert followed("", clock=None).clock == NoClock()
    assert followed("", clock=None, secondsPerTurn=30).clock == TurnClock(50_000)


def test_trap_60_a_machine_without_a_name_is_called_by_its_level() -> None:
    game = followed("", white={"aiLevel": 3})
    assert game.opponent.shown_name == "Stockfish level 3" and game.opponent.is_machine
    assert followed("", white={}).opponent.shown_name == "Anonymous"


def test_what_is_not_our_game_or_not_by_our_rules_is_an_error() -> None:
    with pytest.raises(NotOurGame):
        FollowedGame(full(), "somebody")
    with pytest.raises(RulesError):
        followed("e2e5")
    with pytest.raises(RulesError):
        followed("", variant={"key": "bughouse"})


def test_a_game_that_is_lent_is_replaced_not_changed() -> None:
    game = followed("e2e4")
    lent = game.lend()
    before = lent.position
    game.update(state("e2e4 e7e5"))
    assert lent.position is before and game.game is not lent
    game.give_back()
    kept = game.game
    game.update(state("e2e4 e7e5 g1f3"))
    assert game.game is kept


@pytest.mark.parametrize("path", sorted(EVENTS.glob("*.ndjson")), ids=lambda path: path.stem)
def test_recorded_streams_are_followed_to_their_end(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    games = [line for line in lines if line.get("type") == "gameFull"]
    for first in games:
        color = "white" if first["white"].get("id") == "housebot" else "black"
        if first[color].get("id") != "housebot":
            continue
        game = FollowedGame(read(GameFull, first), "housebot")
        game.update(game.full.state)
        for line in lines:
            if line.get("type") == "gameState":
                game.update(read(GameState, line))
                assert game.plies == len(line["moves"].split())
