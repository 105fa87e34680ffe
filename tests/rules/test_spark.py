"""Spark Chess, sentence by sentence of its rules page."""

import itertools
import re

import pytest

from rules.errors import IllegalPosition
from rules.game import Game
from rules.move import Color, parse_square
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import SPARK
from tests.diagram import after, allows, draw, men, moves_of, targets

KING_CAPTURED = Reason.KING_CAPTURED


def board(fen: str) -> Position:
    return Position.from_fen(SPARK, fen)


# Board, pieces, goal


def test_the_start_is_that_of_chess_and_white_begins() -> None:
    start = Position.start(SPARK)
    assert start.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    assert len(start.legal_moves()) == 12


def test_a_king_may_move_to_and_stay_on_an_attacked_square() -> None:
    position = board("4r2k/8/8/8/8/8/8/3NK3 w - - 0 1")
    assert not position.in_check
    assert allows(position, "d1b2")
    assert allows(board("4r2k/8/8/8/8/8/8/3K4 w - - 0 1"), "d1e2")


def test_kings_may_stand_side_by_side() -> None:
    assert allows(board("8/8/3k4/8/3K4/8/8/R7 w - - 0 1"), "d4d5")


@pytest.mark.parametrize(
    ("fen", "move", "winner"),
    [
        ("8/8/8/3k4/4P3/8/8/4K3 w - - 0 1", "e4d5", Color.WHITE),
        ("8/8/8/3k4/4K3/8/8/8 b - - 0 1", "d5e4", Color.BLACK),
        ("3k4/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8r", Color.WHITE),
    ],
)
def test_any_man_the_king_included_wins_by_capturing_the_king(fen: str, move: str, winner: Color) -> None:
    position = after(board(fen), move)
    assert position.ending() == Outcome(Status.VARIANT_END, winner, KING_CAPTURED)
    assert position.legal_moves() == []


def test_there_is_no_castling() -> None:
    assert not allows(board("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), "e1g1")


def test_a_pawn_goes_one_square_onto_an_empty_square() -> None:
    position = board("4k3/8/8/8/8/8/4P3/K7 w - - 0 1")
    assert targets(position, "e2") == {"e3"}
    assert targets(board("4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1"), "e2") == set()


def test_it_captures_one_square_diagonally_forward() -> None:
    assert targets(board("4k3/8/8/8/8/3n1n2/4P3/K7 w - - 0 1"), "e2") == {"e3", "d3", "f3"}


def test_a_pawn_that_captures_the_king_on_the_last_rank_promotes() -> None:
    captures = {move for move in moves_of(board("3k4/4P3/8/8/8/8/8/4K3 w - - 0 1")) if move.startswith("e7d8")}
    assert captures == {"e7d8q", "e7d8r", "e7d8b", "e7d8n"}


def test_a_white_pawn_on_the_first_rank_goes_one_square_like_any_other() -> None:
    assert targets(board("4k3/8/8/8/8/8/8/P3K3 w - - 0 1"), "a1") == {"a2"}
    assert targets(board("p3k3/8/8/8/8/8/8/4K3 b - - 0 1"), "a8") == {"a7"}


# Spark Moves


def test_the_pages_example_of_a_shift() -> None:
    position = draw(
        SPARK,
        """
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . B . . . P . .
        . . . R K . . .
        """,
    )
    assert allows(position, "f2d4")
    assert men(after(position, "f2d4")) == "Rd1 Ke1 Bb2 Pd4 ke8"


def test_one_defender_is_not_enough() -> None:
    assert not allows(board("4k3/8/8/8/8/8/5P2/3RK3 w - - 0 1"), "f2d4")


def test_two_defenders_are_enough_and_more_do_no_harm() -> None:
    assert allows(board("4k3/8/8/8/8/8/1B3P2/3RK3 w - - 0 1"), "f2d4")
    assert allows(board("4k3/8/4N3/8/8/8/1B3P2/3RK3 w - - 0 1"), "f2d4")


def test_pawns_never_count() -> None:
    assert not allows(board("4k3/8/8/8/8/2P5/5P2/3RK3 w - - 0 1"), "f2d4")


def test_the_king_counts() -> None:
    assert allows(board("4k3/8/8/8/8/4K3/5P2/3R4 w - - 0 1"), "f2d4")


def test_lines_stop_at_the_first_man() -> None:
    assert not allows(board("4k3/8/8/8/8/2n5/1B3P2/3RK3 w - - 0 1"), "f2d4")
    assert not allows(board("4k3/8/8/8/8/3R4/5P2/3RK3 w - - 0 1"), "f2d4")


def test_only_men_of_the_own_side_take_part() -> None:
    assert not allows(board("4k3/8/8/8/8/8/1b3P2/3RK3 w - - 0 1"), "f2d4")
    assert not allows(board("4k3/8/8/8/3n4/8/1B3P2/3RK3 w - - 0 1"), "f2d4")


def test_only_pawns_are_moved() -> None:
    assert not allows(board("4k3/8/8/8/8/8/1B6/3RK2N w - - 0 1"), "h1d4")


def test_a_swap_exchanges_a_pawn_and_a_piece() -> None:
    position = board("4k3/8/8/8/3N4/8/1B3P2/3RK3 w - - 0 1")
    assert allows(position, "f2d4")
    assert men(after(position, "f2d4")) == "Rd1 Ke1 Bb2 Nf2 Pd4 ke8"


def test_a_swap_needs_two_other_pieces() -> None:
    assert not allows(board("4k3/8/8/8/3N4/8/1B3P2/4K3 w - - 0 1"), "f2d4")


def test_a_swap_names_the_pawn_first() -> None:
    assert not allows(board("4k3/8/8/8/3N4/8/1B3P2/3RK3 w - - 0 1"), "d4f2")


def test_there_is_no_swap_of_two_pawns() -> None:
    assert not allows(board("4k3/8/8/8/3P4/8/1B3P2/3RK3 w - - 0 1"), "f2d4")


def test_the_king_may_be_swapped() -> None:
    position = board("4k3/8/8/8/8/4P3/3QR3/4K3 w - - 0 1")
    assert men(after(position, "e3e1")) == "Pe1 Qd2 Re2 Ke3 ke8"


def test_direction_and_distance_are_free() -> None:
    position = board("4k3/7P/8/8/8/8/1B6/3RK3 w - - 0 1")
    assert allows(position, "h7d4")
    assert allows(board("4k3/8/8/8/8/8/3P4/R3K2R w - - 0 1"), "d2f1")


def test_a_pawn_never_lands_on_its_promotion_rank() -> None:
    position = board("8/4k3/8/8/8/8/4P3/R2RK3 w - - 0 1")
    assert allows(position, "e2b1")
    assert not allows(board("8/4k3/8/8/8/8/4P3/2QRK3 w - - 0 1"), "e2c8")
    assert not any(
        move[3] == "8" for move in moves_of(board("1R1R4/4k3/8/8/8/8/4P3/4K3 w - - 0 1")) if move[:2] == "e2"
    )
    assert not any(move[3] == "1" for move in moves_of(board("4k3/4p3/8/8/8/8/8/K2r1r2 b - - 0 1")) if move[:2] == "e7")


def test_attacks_are_counted_in_the_position_before_the_move() -> None:
    assert allows(board("4k3/8/8/8/8/1B6/4P3/3RK3 w - - 0 1"), "e2d5")
    assert not allows(board("4k3/8/8/8/8/1B6/3P4/3RK3 w - - 0 1"), "d2d5")  # the pawn itself hides d5 from the rook


def test_a_shift_that_equals_a_push_is_the_push() -> None:
    position = board("4k3/8/8/8/8/2N1P3/8/1B2K3 w - - 0 1")
    assert len([move for move in position.legal_moves() if (move.origin, move.target) == (20, 28)]) == 1


def test_origin_and_target_name_one_move_but_for_the_promotion() -> None:
    for fen in (
        "2bpkb1r/r2pppqp/2n4n/4p3/2Qp1Pp1/5N2/PP1PP2P/RNBKPBPR w - - 0 16",
        "1q3Q1R/pB4P1/8/kp3b1P/8/8/8/3K4 w - - 0 1",
    ):
        moves = board(fen).legal_moves()
        assert len({(move.origin, move.target, move.promotion) for move in moves}) == len(moves)


# Draws


def game(fen: str | None, *moves: str) -> Game:
    return Game.replay(SPARK, SPARK.own_policy, fen, moves)


def reason(fen: str | None, *moves: str) -> Reason | None:
    outcome = game(fen, *moves).outcome
    return None if outcome is None else outcome.reason


def test_the_first_repetition_is_a_draw_the_start_included() -> None:
    assert reason(None, "g1f3", "g8f6", "f3g1", "f6g8") is Reason.REPETITION
    assert reason(None, "g1f3", "g8f6", "f3g1") is None


def test_pawn_moves_are_reversible() -> None:
    assert reason(None, "e2e3", "e7e6", "e3e2", "e6e7") is Reason.REPETITION


def test_a_position_is_placement_and_side_to_move() -> None:
    assert reason("6k1/5p2/8/8/8/8/2P5/R3K3 w - - 0 1", "e1d2", "g8h8", "d2e2", "h8g8", "e2e1") is None


def test_there_is_no_fifty_move_rule() -> None:
    assert reason("4k3/8/8/8/8/8/4P3/R3K3 w - - 4000 2100", "a1a2") is None


def test_two_bare_kings_are_a_draw_unless_a_kings_step_apart() -> None:
    assert reason("8/8/8/8/8/2k5/5p2/6K1 w - - 0 1", "g1f2") is Reason.BARE_KINGS
    assert reason("8/8/8/8/8/4k3/3p4/3K4 w - - 0 1", "d1d2") is None


def test_a_first_position_can_be_over_at_once() -> None:
    assert reason("8/8/8/3k4/8/3K4/8/8 w - - 0 1") is Reason.BARE_KINGS
    assert reason("8/8/8/3k4/3K4/8/8/8 w - - 0 1") is None


MINOR = Reason.KING_AND_MINOR


@pytest.mark.parametrize(
    ("fen", "expected", "because"),
    [
        ("8/8/3k4/8/8/8/8/KN6 b - - 0 1", MINOR, "all three conditions hold"),
        ("8/8/3k4/8/8/8/8/KN6 w - - 0 1", MINOR, "whose turn it is does not matter"),
        ("8/8/8/3k4/4K3/8/8/1N6 w - - 0 1", None, "the kings are adjacent"),
        ("8/8/8/3k4/8/2N5/8/K7 w - - 0 1", None, "the knight attacks the king"),
        ("8/1B6/8/3k4/8/8/8/K7 b - - 0 1", None, "the bishop attacks the king"),
        ("8/8/8/8/8/8/7k/1B4K1 w - - 0 1", None, "the kings are adjacent, and on the edge"),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", None, "a knight's corner"),
        ("8/6k1/8/8/8/8/8/KN6 w - - 0 1", None, "g7 is in both zones"),
        ("8/5k2/8/8/8/8/8/KN6 w - - 0 1", MINOR, "f7 is in no zone"),
        ("3k4/8/8/8/8/8/8/KN6 w - - 0 1", MINOR, "d8 is safe from a knight"),
        ("3k4/8/8/8/8/8/8/KB6 w - - 0 1", None, "d8 is an edge square: a bishop's zone"),
        ("8/8/8/3k3R/8/8/8/KN6 w - - 0 1", None, "a rook is left"),
        ("8/8/3k3P/8/8/8/8/KN6 w - - 0 1", None, "a pawn is left"),
        ("8/8/3k4/8/8/8/8/KNN5 w - - 0 1", None, "a second minor piece"),
        ("8/8/3k3n/8/8/8/8/KN6 w - - 0 1", None, "one each"),
    ],
)
def test_a_minor_piece_against_a_bare_king_is_a_draw_when_it_can_do_nothing_at_once(
    fen: str, expected: Reason | None, because: str
) -> None:
    assert reason(fen) is expected, because


SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]
BISHOP_ZONE = {square for square in SQUARES if square[0] in "ah" or square[1] in "18"} | {"b2", "g2", "b7", "g7"}
KNIGHT_ZONE = set(re.findall("..", "a1b1c1f1g1h1a8b8c8f8g8h8a2a3a6a7h2h3h6h7b2g2b7g7"))


@pytest.mark.parametrize(("letter", "zone"), [("B", BISHOP_ZONE), ("N", KNIGHT_ZONE)])
def test_the_danger_zones_are_those_of_the_page(letter: str, zone: set[str]) -> None:
    for square in SQUARES:
        ending = _minor_ending(square, letter).ending()
        assert ending == (None if square in zone else Outcome(Status.DRAW, None, MINOR)), square


def _minor_ending(bare: str, letter: str) -> Position:
    """A white king and minor piece that neither stand beside nor attack a bare black king on a square."""
    for king, minor in itertools.product(["a1", "h8", "a8", "h1", "d4"], ["d5", "e4", "c4", "f5", "a4"]):
        if len({bare, king, minor}) < 3:
            continue
        position = board(_placement({bare: "k", king: "K", minor: letter}) + " w - - 0 1")
        if not position.attackers(parse_square(bare), Color.WHITE):
            return position
    raise AssertionError(f"no board found for a king on {bare}")


def _placement(placed: dict[str, str]) -> str:
    ranks = ["".join(placed.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    return re.sub(r"\.+", lambda gap: str(len(gap.group())), "/".join(ranks))


def test_a_side_without_a_legal_move_draws_attacked_or_not() -> None:
    assert reason("4k3/8/8/1p6/8/1P6/BP6/KP6 b - - 0 1", "b5b4") is Reason.NO_MOVES


def test_a_spark_move_is_a_legal_move() -> None:
    assert reason("4k3/8/8/1p6/8/1P6/BPp5/KRP5 b - - 0 1", "b5b4") is None


def test_the_kings_capture_is_tested_before_the_material() -> None:
    assert reason("8/8/8/3k4/4K3/8/8/8 w - - 0 1", "e4d5") is KING_CAPTURED


# Positions


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
    ],
)
def test_a_board_has_one_king_a_side_and_no_pawn_that_should_have_promoted(fen: str) -> None:
    with pytest.raises(IllegalPosition):
        board(fen)


def test_there_is_no_other_limit_on_men_and_either_king_may_be_attacked() -> None:
    crowd = board("kqqqqqqq/qqqqqqqq/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/QQQQQQQQ/QQQQQQQK w - - 0 1")
    assert len(crowd.legal_moves()) > 100
    assert allows(board("4k3/8/8/8/8/8/8/4RK2 w - - 0 1"), "e1e8")


def test_a_position_after_the_kings_capture_can_be_written() -> None:
    assert after(board("8/8/8/3k4/4P3/8/8/4K3 w - - 0 1"), "e4d5").fen() == "8/8/8/3P4/8/8/8/4K3 b - - 0 1"
