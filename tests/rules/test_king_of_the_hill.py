"""King of the Hill, sentence by sentence."""

import pytest

from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import KING_OF_THE_HILL
from tests.diagram import after, allows


def board(fen: str) -> Position:
    return Position.from_fen(KING_OF_THE_HILL, fen)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("7k/8/8/8/8/3K4/8/8 w - - 0 1", "d3d4"),
        ("7k/8/8/8/8/3K4/8/8 w - - 0 1", "d3e4"),
        ("7k/8/3K4/8/8/8/8/8 w - - 0 1", "d6d5"),
        ("7k/8/3K4/8/8/8/8/8 w - - 0 1", "d6e5"),
    ],
)
def test_a_king_on_one_of_the_four_middle_squares_wins(fen: str, move: str) -> None:
    position = after(board(fen), move)
    assert position.ending() == Outcome(Status.VARIANT_END, Color.WHITE, Reason.KING_ON_HILL)
    assert position.legal_moves() == []


def test_a_king_beside_the_hill_does_not() -> None:
    assert after(board("7k/8/8/8/8/3K4/8/8 w - - 0 1"), "d3c4").ending() is None


def test_no_other_man_wins_there() -> None:
    assert after(board("7k/8/8/8/8/3Q4/8/K7 w - - 0 1"), "d3d4").ending() is None


def test_the_king_does_not_go_there_through_check() -> None:
    assert not allows(board("3r3k/8/8/8/8/2K5/8/8 w - - 0 1"), "c3d4")


def test_mate_wins_as_in_chess() -> None:
    position = after(board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "a1a8")
    assert position.ending() == Outcome(Status.MATE, Color.WHITE, Reason.CHECKMATE)


def test_no_material_is_too_little() -> None:
    position = board("7k/8/8/8/8/8/8/K7 w - - 0 1")
    assert position.can_win(Color.WHITE) and position.can_win(Color.BLACK)
