"""Horde, sentence by sentence."""

import pytest

from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import HORDE
from tests.diagram import after, allows, targets


def board(fen: str) -> Position:
    return Position.from_fen(HORDE, fen)


def test_white_has_pawns_and_no_king_and_moves_first() -> None:
    start = Position.start(HORDE)
    assert start.king(Color.WHITE) is None
    assert (start.turn, len(start.legal_moves())) == (Color.WHITE, 8)


def test_white_is_never_in_check() -> None:
    assert not board("4k3/8/8/8/8/8/8/P3r3 w - - 0 1").in_check


def test_pawns_on_the_first_rank_may_step_two_squares() -> None:
    assert targets(board("4k3/8/8/8/8/8/8/P7 w - - 0 1"), "a1") == {"a2", "a3"}
    assert targets(board("4k3/8/8/8/8/p7/8/P7 w - - 0 1"), "a1") == {"a2"}
    assert targets(board("4k3/8/8/8/8/8/p7/P7 w - - 0 1"), "a1") == set()


def test_that_leaves_no_en_passant_target() -> None:
    assert after(board("4k3/8/8/8/8/1p6/8/2P5 w - - 0 1"), "c1c3").ep_square is None
    assert not allows(after(board("4k3/8/8/8/8/1p6/8/P7 w - - 0 1"), "a1a3"), "b3a2")


def test_from_the_second_rank_it_may_step_two_squares_again_and_be_taken_in_passing() -> None:
    position = after(board("4k3/8/8/8/1p6/8/8/P7 w - - 0 1"), "a1a2", "e8e7", "a2a4")
    assert allows(position, "b4a3")


def test_black_castles_and_is_mated_as_in_chess() -> None:
    assert allows(board("r3k2r/pppppppp/8/8/PPPPPPPP/8/8/8 b kq - 0 1"), "e8g8")
    assert board("k7/1Q6/2P5/8/8/8/8/8 b - - 0 1").ending() == Outcome(Status.MATE, Color.WHITE, Reason.CHECKMATE)


def test_black_wins_by_taking_every_white_man() -> None:
    position = after(board("4k3/8/8/8/8/1p6/P7/8 b - - 0 1"), "b3a2")
    assert position.ending() == Outcome(Status.VARIANT_END, Color.BLACK, Reason.HORDE_DESTROYED)


def test_stalemate_is_a_draw() -> None:
    position = after(board("4k3/8/p7/P7/8/8/8/8 b - - 0 1"), "e8e7")
    assert position.ending() == Outcome(Status.STALEMATE, None, Reason.STALEMATE)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/p7/P7/P7/8/2q5/8/7k b - - 0 1", False, False),  # a fortress
        ("8/2k5/3q4/8/8/8/1P6/8 w - - 0 1", False, True),  # one pawn
        ("8/2k5/3q4/8/8/3B4/4NB2/8 b - - 0 1", True, True),  # three minor pieces
        ("4k3/8/8/8/8/8/2R1B3/8 w - - 0 1", False, True),  # nobody hems the king in
    ],
)
def test_too_small_a_horde_cannot_win(fen: str, white: bool, black: bool) -> None:
    position = board(fen)
    assert (position.can_win(Color.WHITE), position.can_win(Color.BLACK)) == (white, black)
