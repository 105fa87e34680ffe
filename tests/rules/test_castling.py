"""Castling, in standard chess and in Chess960, sentence by sentence."""

import pytest

from rules import uci
from rules.move import MoveKind
from rules.position import Position
from rules.variants import CHESS960, FROM_POSITION, STANDARD
from tests.diagram import after, allows, men

OPEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def board(fen: str) -> Position:
    return Position.from_fen(STANDARD, fen)


def shuffled(fen: str) -> Position:
    return Position.from_fen(CHESS960, fen)


def castlings(position: Position) -> set[str]:
    """The castling moves, as king takes rook."""
    moves = position.legal_moves()
    return {uci.write(position, move, True) for move in moves if move.kind is MoveKind.CASTLE}


def test_the_king_goes_two_squares_and_the_rook_to_its_other_side() -> None:
    assert men(after(board(OPEN), "e1g1")) == "Ra1 Rf1 Kg1 ra8 ke8 rh8"
    assert men(after(board(OPEN), "e1c1")) == "Kc1 Rd1 Rh1 ra8 ke8 rh8"
    assert men(after(board(OPEN), "e1e2", "e8c8")) == "Ra1 Rh1 Ke2 kc8 rd8 rh8"


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        (["e1e2", "a8b8", "e2e1", "b8a8"], set()),
        (["h1g1", "a8b8", "g1h1", "b8a8"], {"e1a1"}),
        (["a1b1", "e8e7", "b1a1", "e7e8"], {"e1h1"}),
    ],
)
def test_neither_the_king_nor_the_rook_has_moved(moves: list[str], left: set[str]) -> None:
    assert castlings(after(board(OPEN), *moves)) == left


def test_the_right_is_lost_with_the_rook_that_is_captured() -> None:
    position = after(board("r3k2r/8/8/8/8/8/6n1/R3K2R w Qkq - 0 1"), "e1e2", "g2f4", "e2e1", "f4d3", "e1f1", "d3b2")
    assert position.fen().split()[2] == "kq"
    captured = after(board("r3k2r/8/8/8/8/1n6/8/R3K2R b KQkq - 0 1"), "b3a1")
    assert captured.fen().split()[2] == "Kkq"


def test_a_rook_from_elsewhere_does_not_bring_the_right_back() -> None:
    position = after(board("r3k2r/8/8/8/8/1n6/7R/R3K3 b Qkq - 0 1"), "b3a1", "h2h1", "a1b3")
    assert castlings(position) == set()


def test_the_squares_between_king_and_rook_are_empty() -> None:
    assert castlings(board("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1")) == set()
    assert castlings(board("4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1")) == {"e1a1"}


@pytest.mark.parametrize(
    ("fen", "left"),
    [
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", set()),  # in check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", {"e1a1"}),  # through f1
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", {"e1a1"}),  # into g1
        ("4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1", {"e1h1"}),  # through d1
        ("4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1", {"e1h1"}),  # into c1
    ],
)
def test_the_king_goes_neither_out_of_nor_through_nor_into_check(fen: str, left: set[str]) -> None:
    assert castlings(board(fen)) == left


@pytest.mark.parametrize("file", ["1r6", "r7"])
def test_an_attack_on_the_rook_or_on_b1_does_not_matter(file: str) -> None:
    assert castlings(board(f"4k3/8/8/8/{file}/8/8/R3K3 w Q - 0 1")) == {"e1a1"}


def test_without_the_right_there_is_no_castling() -> None:
    assert castlings(board("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1")) == set()


def test_both_forms_mean_the_same_castling_in_every_game() -> None:
    for variant in (STANDARD, CHESS960, FROM_POSITION):
        position = Position.from_fen(variant, OPEN)
        assert uci.read(position, "e1g1") == uci.read(position, "e1h1")
        assert uci.read(position, "e1c1") == uci.read(position, "e1a1")


# Chess960


def test_wherever_they_stood_king_and_rook_end_on_the_usual_squares() -> None:
    assert men(after(shuffled("4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1"), "c1g1")) == "Rb1 Rf1 Kg1 ke8"
    assert men(after(shuffled("4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1"), "c1b1")) == "Kc1 Rd1 Rg1 ke8"


def test_king_and_rook_may_change_places() -> None:
    assert men(after(shuffled("5k2/8/8/8/8/8/8/5KR1 w G - 0 1"), "f1g1")) == "Rf1 Kg1 kf8"


def test_the_king_may_stay_where_it_is() -> None:
    assert men(after(shuffled("4k3/8/8/8/8/8/8/6KR w K - 0 1"), "g1h1")) == "Rf1 Kg1 ke8"


def test_only_king_and_rook_may_stand_on_the_squares_that_either_crosses() -> None:
    assert castlings(shuffled("4k3/8/8/8/8/8/8/1RK1N1R1 w KQ - 0 1")) == {"c1b1"}
    assert castlings(shuffled("4k3/8/8/8/8/8/8/R2NK3 w Q - 0 1")) == set()
    assert castlings(shuffled("4k3/8/8/8/8/8/8/1K3NR1 w K - 0 1")) == set()


def test_every_square_that_the_king_crosses_is_safe() -> None:
    assert castlings(shuffled("4k3/8/8/5r2/8/8/8/1K4R1 w K - 0 1")) == set()
    assert castlings(shuffled("4k3/8/8/7r/8/8/8/1K4R1 w K - 0 1")) == {"b1g1"}


def test_a_rook_that_shields_its_king_on_the_first_rank_may_not_leave_it_bare() -> None:
    assert castlings(shuffled("4k3/8/8/8/8/8/8/r1RK4 w Q - 0 1")) == set()


def test_an_inner_rook_may_castle_past_nothing_and_the_outer_one_keeps_its_place() -> None:
    position = shuffled("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1")
    assert castlings(position) == {"e1b1"}
    assert men(after(position, "e1b1")) == "Ra1 Kc1 Rd1 ke8"


def test_a_kings_step_is_no_castling_unless_it_takes_the_rook() -> None:
    position = shuffled("4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    assert uci.read(position, "f1g1").kind is MoveKind.NORMAL
    assert uci.read(position, "f1h1").kind is MoveKind.CASTLE


def test_castling_may_give_check_and_mate() -> None:
    assert after(shuffled("2rkr3/2p1p3/8/8/8/8/8/RK6 w A - 0 1"), "b1a1").ending() is not None
    assert not allows(shuffled("2rkr3/2p1p3/8/8/8/8/8/RK6 w - - 0 1"), "b1a1")
