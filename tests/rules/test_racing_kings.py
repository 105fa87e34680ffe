"""Racing Kings, sentence by sentence."""

import pytest

from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import RACING_KINGS
from tests.diagram import after, allows


def board(fen: str) -> Position:
    return Position.from_fen(RACING_KINGS, fen)


WHITE_WON = Outcome(Status.VARIANT_END, Color.WHITE, Reason.RACE)
BLACK_WON = Outcome(Status.VARIANT_END, Color.BLACK, Reason.RACE)


def test_no_move_may_give_check() -> None:
    position = board("8/8/8/8/8/8/6k1/KR6 w - - 0 1")
    assert not allows(position, "b1b2")
    assert allows(position, "b1b3")
    assert not allows(board("8/8/8/8/R3N2k/8/8/K7 w - - 0 1"), "e4c3")  # uncovered


def test_nor_leave_the_own_king_in_check() -> None:
    assert not allows(board("8/8/8/8/8/8/1r5k/K7 w - - 0 1"), "a1a2")


def test_black_wins_by_arriving_first() -> None:
    assert after(board("8/1K4k1/8/8/8/8/8/8 b - - 0 1"), "g7g8").ending() == BLACK_WON


def test_when_white_arrives_black_has_one_more_move() -> None:
    arrived = after(board("8/1K4k1/8/8/8/8/8/8 w - - 0 1"), "b7b8")
    assert arrived.ending() is None
    assert after(arrived, "g7g8").ending() == Outcome(Status.DRAW, None, Reason.BOTH_RACED)
    assert after(arrived, "g7h6").ending() == WHITE_WON


@pytest.mark.parametrize(
    ("fen", "move"), [("8/1K6/6k1/8/8/8/8/8 w - - 0 1", "b7b8"), ("5nrb/1K4k1/8/8/8/8/8/8 w - - 0 1", "b7a8")]
)
def test_unless_no_move_of_black_arrives(fen: str, move: str) -> None:
    assert after(board(fen), move).ending() == WHITE_WON


def test_no_material_is_too_little() -> None:
    position = board("8/8/8/8/8/8/8/K6k w - - 0 1")
    assert position.can_win(Color.WHITE) and position.can_win(Color.BLACK)
