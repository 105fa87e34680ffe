"""Standard chess, sentence by sentence."""

import pickle

import pytest

from rules import uci
from rules.errors import IllegalMove
from rules.move import Color, Move, Role
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import STANDARD
from tests.diagram import after, allows, draw, men, moves_of, names, targets


def board(fen: str) -> Position:
    return Position.from_fen(STANDARD, fen)


# How men move


def test_a_knight_jumps_over_men_to_squares_that_its_own_side_leaves_free() -> None:
    assert targets(Position.start(STANDARD), "g1") == {"f3", "h3"}


@pytest.mark.parametrize(
    ("man", "reached"),
    [
        ("B", "b1 c2 e4 f5 g6 h7 a6 b5 c4 e2 f1"),
        ("R", "d1 d2 d4 d5 d6 d7 d8 a3 b3 c3 e3 f3 g3 h3"),
        ("Q", "b1 c2 e4 f5 g6 h7 a6 b5 c4 e2 f1 d1 d2 d4 d5 d6 d7 d8 a3 b3 c3 e3 f3 g3 h3"),
        ("N", "b2 b4 c1 c5 e1 e5 f2 f4"),
    ],
)
def test_a_piece_reaches_its_squares_on_a_board_that_is_nearly_empty(man: str, reached: str) -> None:
    assert targets(board(f"7k/8/8/8/8/3{man}4/8/7K w - - 0 1"), "d3") == set(reached.split())


def test_a_slider_stops_before_its_own_man_and_on_an_enemy() -> None:
    position = board("7k/8/3p4/8/8/3R1P2/8/7K w - - 0 1")
    assert targets(position, "d3") == {"d1", "d2", "d4", "d5", "d6", "a3", "b3", "c3", "e3"}


def test_a_king_steps_one_square_in_any_direction() -> None:
    assert targets(board("7k/8/8/8/8/3K4/8/8 w - - 0 1"), "d3") == {"c2", "c3", "c4", "d2", "d4", "e2", "e3", "e4"}


def test_a_king_does_not_step_onto_an_attacked_square() -> None:
    assert targets(board("7k/8/8/8/4r3/3K4/8/8 w - - 0 1"), "d3") == {"c2", "c3", "d2", "e4"}


def test_a_king_does_not_step_back_along_the_line_of_its_attacker() -> None:
    assert "d2" not in targets(board("3r3k/8/8/8/8/3K4/8/8 w - - 0 1"), "d3")


def test_kings_never_stand_side_by_side() -> None:
    assert targets(board("8/8/8/3k4/8/3K4/8/8 w - - 0 1"), "d3") == {"c2", "c3", "d2", "e2", "e3"}


# Pawns


def test_a_pawn_goes_one_square_or_from_its_first_place_two() -> None:
    assert targets(Position.start(STANDARD), "e2") == {"e3", "e4"}


def test_a_pawn_that_has_moved_goes_one_square() -> None:
    assert targets(after(Position.start(STANDARD), "e2e3", "a7a6"), "e3") == {"e4"}


@pytest.mark.parametrize(("blocker", "reached"), [("e3", set()), ("e4", {"e3"})])
def test_a_pawn_does_not_jump_over_a_man_nor_capture_straight_ahead(blocker: str, reached: set[str]) -> None:
    fen = {"e3": "4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", "e4": "4k3/8/8/8/4n3/8/4P3/K7 w - - 0 1"}[blocker]
    assert targets(board(fen), "e2") == reached


def test_a_pawn_captures_diagonally_forward_and_only_there() -> None:
    position = draw(
        STANDARD,
        """
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . p p n . .
        . . . n P n . .
        . . . n . n . .
        . . . . . . . .
        K . . . . . . .
        """,
    )
    assert targets(position, "e4") == {"d5", "f5"}


def test_black_pawns_go_down_the_board() -> None:
    assert targets(board("4k3/4p3/3P4/8/8/8/8/K7 b - - 0 1"), "e7") == {"e6", "e5", "d6"}


def test_a_pawn_that_reaches_the_last_rank_becomes_queen_rook_bishop_or_knight() -> None:
    position = board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert {move for move in moves_of(position) if move.startswith("a7")} == {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}
    assert men(after(position, "a7a8n")) == "Ka1 kh7 Na8"


@pytest.mark.parametrize("move", ["a7a8k", "a7a8p"])
def test_a_pawn_becomes_neither_king_nor_pawn(move: str) -> None:
    assert not allows(board("8/P6k/8/8/8/8/8/K7 w - - 0 1"), move)


def test_only_a_pawn_on_its_last_rank_promotes() -> None:
    assert not allows(board("8/8/P6k/8/8/8/8/K7 w - - 0 1"), "a6a7q")
    assert not allows(board("8/R7/7k/8/8/8/8/K7 w - - 0 1"), "a7a8q")


# En passant


def test_a_pawn_that_has_just_gone_two_squares_is_captured_on_the_square_it_passed() -> None:
    position = after(board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d7d5")
    assert targets(position, "e5") == {"e6", "d6"}
    assert men(after(position, "e5d6")) == "Ke1 Pd6 ke8"


def test_en_passant_is_the_immediate_reply_or_nothing() -> None:
    position = after(board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d7d5", "e1e2", "e8e7")
    assert not allows(position, "e5d6")


def test_a_pawn_that_has_gone_one_square_is_not_captured_in_passing() -> None:
    position = after(board("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1"), "d6d5")
    assert not allows(position, "e5d6")


def test_en_passant_is_not_played_when_it_uncovers_the_king_on_its_rank() -> None:
    assert not allows(board("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"), "e4d3")


def test_en_passant_parries_the_check_of_the_pawn_it_captures() -> None:
    assert allows(board("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"), "e4d3")


def test_the_target_stands_in_the_position_only_when_a_legal_capture_exists() -> None:
    start = Position.start(STANDARD)
    assert after(start, "e2e4").ep_square is None
    assert after(start, "e2e4", "a7a6", "e4e5", "d7d5").fen().split()[3] == "d6"
    pinned = after(board("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"), "d2d4")
    assert pinned.ep_square is None


# Check


def test_a_check_is_parried_by_capture_block_or_flight_and_nothing_else() -> None:
    position = draw(
        STANDARD,
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . B
        . . N . . . . .
        . . . . . P . .
        . . . R K B . .
        """,
    )
    assert position.in_check
    assert names(position.checkers()) == {"e8"}
    assert moves_of(position) == {"e1d2", "c3e2", "c3e4", "f1e2", "h4e7"}


def test_out_of_a_double_check_only_the_king_moves() -> None:
    position = board("4r2k/8/8/8/7b/2N5/3N4/3RK3 w - - 0 1")
    assert len(position.checkers()) == 2
    assert {move[:2] for move in moves_of(position)} == {"e1"}


def test_a_pinned_man_moves_along_its_line_and_not_off_it() -> None:
    position = board("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1")
    assert targets(position, "e2") == {"e3", "e4", "e5", "e6", "e7", "e8"}
    assert targets(board("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1"), "e2") == set()


def test_a_man_that_blocks_for_its_own_side_is_not_pinned() -> None:
    assert targets(board("4R3/7k/8/8/8/8/4N3/4K3 w - - 0 1"), "e2") != set()


# Ends


def test_mate_is_a_check_without_an_answer() -> None:
    position = board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert position.legal_moves() == []
    assert position.ending() == Outcome(Status.MATE, Color.WHITE, Reason.CHECKMATE)


def test_a_check_with_an_answer_is_no_mate() -> None:
    assert board("R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 1").ending() is None


def test_no_move_without_a_check_is_stalemate() -> None:
    position = board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert position.ending() == Outcome(Status.STALEMATE, None, Reason.STALEMATE)


def test_one_move_without_a_check_is_no_stalemate() -> None:
    assert board("7k/5Q2/6K1/8/8/p7/8/8 b - - 0 1").ending() is None


# The position as a value


def test_counters_follow_the_moves() -> None:
    start = Position.start(STANDARD)
    assert (start.halfmoves, start.fullmove, start.turn) == (0, 1, Color.WHITE)
    knights = after(start, "g1f3", "b8c6")
    assert (knights.halfmoves, knights.fullmove, knights.reversible_plies) == (2, 2, 2)
    pawn = after(knights, "e2e4")
    assert (pawn.halfmoves, pawn.fullmove, pawn.reversible_plies) == (0, 2, 0)
    capture = after(pawn, "c6d4", "f3d4")
    assert (capture.halfmoves, capture.fullmove, capture.turn) == (0, 3, Color.BLACK)


def test_the_repetition_window_does_not_depend_on_the_clock_of_the_fen() -> None:
    assert board("4k3/8/8/8/8/8/8/R3K3 w - - 40 60").reversible_plies == 0


def test_playing_makes_another_position_and_leaves_the_old_one() -> None:
    start = Position.start(STANDARD)
    played = start.play(uci.read(start, "e2e4"))
    assert start == Position.start(STANDARD)
    assert played != start
    assert played.piece_at(28) == (Role.PAWN, Color.WHITE)
    assert start.piece_at(28) is None


def test_equal_positions_are_equal_however_they_were_reached() -> None:
    start = Position.start(STANDARD)
    one = after(start, "g1f3", "g8f6", "b1c3", "b8c6")
    other = after(start, "b1c3", "b8c6", "g1f3", "g8f6")
    assert one == other
    assert hash(one) == hash(other)
    assert one != after(start, "g1f3", "g8f6", "b1c3", "b8a6")


def test_a_position_survives_pickling() -> None:
    position = after(Position.start(STANDARD), "e2e4", "c7c5")
    assert pickle.loads(pickle.dumps(position)) == position


def test_a_move_that_is_not_legal_is_refused() -> None:
    start = Position.start(STANDARD)
    with pytest.raises(IllegalMove):
        start.play(Move.build(Role.PAWN, 12, 36))
    assert not start.is_legal(Move.build(Role.QUEEN, 12, 20))


def test_a_capture_names_the_square_that_it_empties() -> None:
    position = after(board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d7d5")
    assert names(position.captured_by(uci.read(position, "e5d6"))) == {"d5"}
    assert position.is_capture(uci.read(position, "e5d6"))
    assert not position.is_capture(uci.read(position, "e5e6"))
