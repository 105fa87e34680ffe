"""Three-check, sentence by sentence."""

import pytest

from rules import draws
from rules.game import Game
from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import THREE_CHECK
from tests.diagram import after


def board(fen: str) -> Position:
    return Position.from_fen(THREE_CHECK, fen)


WHITE_WON = Outcome(Status.VARIANT_END, Color.WHITE, Reason.THREE_CHECKS)


def test_a_check_is_counted_for_the_side_that_gives_it() -> None:
    position = after(board("4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1"), "a1a8")
    assert (position.checks(Color.WHITE), position.checks(Color.BLACK)) == (1, 0)
    assert position.fen().split()[4] == "2+3"


def test_a_move_without_check_is_not_counted() -> None:
    assert after(board("4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1"), "a1a7").checks(Color.WHITE) == 0


def test_the_third_check_wins_at_once() -> None:
    position = after(board("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1"), "a1a8")
    assert position.ending() == WHITE_WON
    assert position.legal_moves() == []
    assert after(board("4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1"), "a1a8").ending() is None


def test_a_double_check_counts_once() -> None:
    position = after(board("4k3/8/8/8/4N3/8/8/4RK2 w - - 2+3 0 1"), "e4f6")
    assert len(position.checkers()) == 2
    assert position.checks(Color.WHITE) == 2
    assert position.ending() is None


def test_castling_and_promotion_give_checks_too() -> None:
    assert after(board("5k2/8/8/8/8/8/8/4K2R w K - 1+3 0 1"), "e1g1").ending() == WHITE_WON
    assert after(board("4k3/1P6/8/8/8/8/8/4K3 w - - 1+3 0 1"), "b7b8q").ending() == WHITE_WON


def test_a_third_check_that_mates_is_mate() -> None:
    game = Game.start(THREE_CHECK, draws.for_game(THREE_CHECK, True), "6k1/5ppp/8/8/8/8/8/R3K3 w - - 1+3 0 1")
    game.play_uci("a1a8")
    assert game.outcome == Outcome(Status.MATE, Color.WHITE, Reason.CHECKMATE)


def test_the_counters_are_part_of_a_position() -> None:
    assert board("4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1").key != board("4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1").key


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/4k3/8/8/3K4/8/8 w - - 1+1 0 1", False, False),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 1+1 0 1", True, False),
    ],
)
def test_only_a_bare_king_cannot_win(fen: str, white: bool, black: bool) -> None:
    position = board(fen)
    assert (position.can_win(Color.WHITE), position.can_win(Color.BLACK)) == (white, black)
