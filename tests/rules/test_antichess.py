"""Antichess, sentence by sentence."""

import pytest

from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import ANTICHESS
from tests.diagram import after, allows, moves_of


def board(fen: str) -> Position:
    return Position.from_fen(ANTICHESS, fen)


def test_who_can_capture_must() -> None:
    assert moves_of(board("8/8/8/3p4/4P3/8/8/R7 w - - 0 1")) == {"e4d5"}
    assert len(moves_of(board("8/8/8/8/3pP3/8/8/R7 w - - 0 1"))) > 1


def test_which_capture_is_free() -> None:
    assert moves_of(board("8/8/8/3p1p2/4P3/8/8/8 w - - 0 1")) == {"e4d5", "e4f5"}


def test_en_passant_is_a_capture_that_must_be_made() -> None:
    assert moves_of(after(board("8/8/8/8/1p6/8/P7/R7 w - - 0 1"), "a2a4")) == {"b4a3"}


def test_the_king_is_a_man_like_any_other() -> None:
    position = board("8/8/8/8/4r3/8/P7/4K3 w - - 0 1")
    assert not position.in_check
    assert allows(position, "a2a3")
    assert allows(board("8/8/8/3k4/4K3/8/8/8 w - - 0 1"), "e4d5")


def test_pawns_promote_to_king_as_well() -> None:
    promotions = moves_of(board("8/P7/8/8/8/8/8/7k w - - 0 1"))
    assert promotions == {"a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7a8k"}


def test_there_is_no_castling() -> None:
    assert not allows(board("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), "e1g1")


def test_who_has_lost_all_men_wins() -> None:
    end = after(board("8/8/8/8/8/1p6/P7/8 w - - 0 1"), "a2b3").ending()
    assert end == Outcome(Status.VARIANT_END, Color.BLACK, Reason.ALL_LOST)


def test_who_cannot_move_wins() -> None:
    end = after(board("8/p7/P7/8/8/8/8/6R1 w - - 0 1"), "g1g2").ending()
    assert end is not None
    assert (end.winner, end.status) == (Color.BLACK, Status.VARIANT_END)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/8/3b4/8/8/8/B1B5 w - - 0 1", False, False),  # bishops that never meet
        ("8/8/8/3b4/8/8/8/5B2 w - - 0 1", True, True),
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", True, True),
    ],
)
def test_bishops_that_never_meet_win_nothing(fen: str, white: bool, black: bool) -> None:
    position = board(fen)
    assert (position.can_win(Color.WHITE), position.can_win(Color.BLACK)) == (white, black)
