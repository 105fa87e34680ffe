"""Parlour chess: the moves of standard chess, and its own ways to end a game."""

import pytest

from rules import draws
from rules.game import Game
from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import PARLOUR, STANDARD
from tests.diagram import moves_of


def game(fen: str | None, *moves: str) -> Game:
    return Game.replay(PARLOUR, draws.for_game(PARLOUR, with_bot=True), fen, moves)


def reason(fen: str | None, *moves: str) -> Reason | None:
    outcome = game(fen, *moves).outcome
    return None if outcome is None else outcome.reason


def test_the_moves_are_those_of_standard_chess() -> None:
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    assert moves_of(Position.from_fen(PARLOUR, fen)) == moves_of(Position.from_fen(STANDARD, fen))


def test_its_policy_is_its_own_whoever_plays() -> None:
    policies = {draws.for_game(PARLOUR, bot, engine).name for bot in (True, False) for engine in (True, False)}
    assert policies == {"parlour"}


def test_fifty_plies_over_both_players_without_pawn_move_or_capture_are_a_draw() -> None:
    assert reason("8/8/4k3/8/8/3QK3/8/7r w - - 49 80", "d3e2") is Reason.QUIET_PLIES
    assert reason("8/8/4k3/8/8/3QK3/8/7r w - - 48 80", "d3e2") is None


def test_stalemate_is_a_draw() -> None:
    assert reason("7k/8/8/6K1/8/8/8/5Q2 w - - 0 90", "f1f7") is Reason.STALEMATE


@pytest.mark.parametrize(
    "men",
    ["K v k", "KN v k", "KB v k", "K v kn", "KB v kb", "KNN v k", "K v knn", "KN v kn", "KB v kn", "KN v kb"],
)
def test_the_table_of_dead_material(men: str) -> None:
    assert reason(_board(men)) is Reason.DEAD_MATERIAL


@pytest.mark.parametrize(
    "men",
    ["KBB v k", "KBN v k", "KNN v kn", "KNN v kb", "KBB v kb", "KP v k", "KR v k", "KQ v k", "KN v kp", "KNNN v k"],
)
def test_any_other_material_is_played_on(men: str) -> None:
    assert reason(_board(men)) is None


def _board(men: str) -> str:
    """A board on which these men stand apart from one another."""
    white, black = (side.strip() for side in men.split("v"))
    return f"8/{_rank(black)}/8/8/8/8/{_rank(white)}/8 w - - 0 1"


def _rank(letters: str) -> str:
    """Men on every other square of a rank."""
    text = "1".join(letters)
    return text + (str(8 - len(text)) if len(text) < 8 else "")


def test_bishops_of_any_color_are_dead() -> None:
    same, other = "8/8/4k1b1/8/8/8/4K1B1/8 w - - 0 1", "8/8/4k1b1/8/8/8/4KB2/8 w - - 0 1"
    assert reason(same) is reason(other) is Reason.DEAD_MATERIAL


def test_repetition_ends_nothing() -> None:
    assert reason(None, *["g1f3", "g8f6", "f3g1", "f6g8"] * 4) is None


def test_mate_comes_before_the_fifty_plies() -> None:
    mated = game("7k/8/6K1/8/8/8/8/5Q2 w - - 49 90", "f1f8").outcome
    assert mated == Outcome(Status.MATE, Color.WHITE, Reason.CHECKMATE)


def test_stalemate_comes_before_dead_material_and_that_before_the_fifty_plies() -> None:
    assert reason("8/8/8/8/8/1k1P4/4b3/K7 b - - 0 1", "e2d3") is Reason.STALEMATE
    assert reason("4k3/8/8/8/8/8/4n3/4K3 w - - 50 80") is Reason.DEAD_MATERIAL
    assert reason("4k3/8/8/8/8/4q3/8/4K3 w - - 50 80") is Reason.QUIET_PLIES
