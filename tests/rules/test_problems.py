"""What the validator says: errors, which are refused everywhere, and oddities, which are played."""

import pytest

from rules import fen, variants
from rules.errors import IllegalPosition
from rules.fen import Setup
from rules.move import Color, Piece, Role, parse_square
from rules.position import Position
from rules.problems import ProblemCode, Severity, examine
from rules.variant import Variant
from rules.variants import (
    ANTICHESS,
    ATOMIC,
    CHESS960,
    CRAZYHOUSE,
    HORDE,
    RACING_KINGS,
    SPARK,
    STANDARD,
    THREE_CHECK,
)
from tests.diagram import names

P = ProblemCode


def found(text: str, variant: Variant = STANDARD) -> dict[ProblemCode, set[str]]:
    return {problem.code: names(list(problem.squares)) for problem in examine(fen.read(text, variant), variant)}


def errors(text: str, variant: Variant = STANDARD) -> set[ProblemCode]:
    return {problem.code for problem in examine(fen.read(text, variant), variant) if problem.is_error}


@pytest.mark.parametrize("variant", variants.ALL)
def test_nothing_is_wrong_with_the_usual_start(variant: Variant) -> None:
    assert found(variant.start_fen, variant) == {}


# Kings


@pytest.mark.parametrize("variant", [STANDARD, SPARK])
def test_each_side_has_one_king(variant: Variant) -> None:
    assert found("4k3/8/8/8/8/8/8/8 w - - 0 1", variant) == {P.NO_WHITE_KING: set()}
    assert found("8/8/8/8/8/8/8/4K3 w - - 0 1", variant) == {P.NO_BLACK_KING: set()}
    assert found("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", variant) == {P.MANY_WHITE_KINGS: {"a1", "e1"}}
    assert found("k3k3/8/8/8/8/8/8/4K3 w - - 0 1", variant) == {P.MANY_BLACK_KINGS: {"a8", "e8"}}


def test_everything_that_is_wrong_is_told_at_once() -> None:
    assert errors("P7/8/8/8/8/8/8/8 w - - 0 1") == {P.NO_WHITE_KING, P.NO_BLACK_KING, P.PAWN_ON_PROMOTION_RANK}


def test_in_atomic_the_king_of_the_side_to_move_may_have_exploded() -> None:
    assert found("8/8/8/8/8/8/3P4/4K3 b - - 0 1", ATOMIC) == {}
    assert found("8/8/8/8/8/8/3P4/4K3 w - - 0 1", ATOMIC) == {P.NO_BLACK_KING: set()}


# Pawns


def test_pawns_do_not_stand_on_the_end_ranks() -> None:
    assert found("P3k3/8/8/8/8/8/8/4K3 w - - 0 1") == {P.PAWN_ON_PROMOTION_RANK: {"a8"}}
    assert found("p3k3/8/8/8/8/8/8/4K3 w - - 0 1") == {P.PAWN_ON_FIRST_RANK: {"a8"}}
    assert found("4k3/8/8/8/8/8/8/Pp2K3 w - - 0 1") == {
        P.PAWN_ON_FIRST_RANK: {"a1"},
        P.PAWN_ON_PROMOTION_RANK: {"b1"},
    }


def test_in_spark_a_pawn_may_stand_on_its_own_first_rank() -> None:
    assert found("p3k3/8/8/8/8/8/8/P3K3 w - - 0 1", SPARK) == {}
    assert found("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", SPARK) == {P.PAWN_ON_PROMOTION_RANK: {"a8"}}


# Check


def test_the_side_that_is_not_to_move_is_not_in_check() -> None:
    assert found("4k3/8/8/8/8/8/8/4RK2 w - - 0 1") == {P.OPPOSITE_CHECK: {"e1"}}
    assert found("4k3/8/8/8/8/8/8/4RK2 b - - 0 1") == {}


def test_kings_side_by_side_attack_one_another() -> None:
    assert errors("8/8/8/3k4/3K4/8/8/8 w - - 0 1") == {P.OPPOSITE_CHECK}
    assert errors("8/8/8/3k4/3K4/8/8/8 w - - 0 1", ATOMIC) == set()


def test_in_atomic_kings_side_by_side_hide_a_check() -> None:
    assert errors("8/8/8/3kK3/8/8/8/3R4 w - - 0 1", ATOMIC) == set()
    assert errors("8/8/8/3k1K2/8/8/8/3R4 w - - 0 1", ATOMIC) == {P.OPPOSITE_CHECK}


def test_in_spark_either_king_may_be_attacked() -> None:
    assert found("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", SPARK) == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("4r2k/8/8/8/1b5q/8/8/4K3 w - - 0 1", P.TOO_MANY_CHECKERS),
        ("7k/8/8/8/8/3n1n2/8/4K3 w - - 0 1", P.IMPOSSIBLE_CHECK),  # two knights
        ("7k/8/8/8/8/8/8/r3K2r w - - 0 1", P.IMPOSSIBLE_CHECK),  # from both ends of a line
    ],
)
def test_a_check_that_no_move_can_give_is_odd(text: str, code: ProblemCode) -> None:
    problems = examine(fen.read(text, STANDARD), STANDARD)
    assert [(problem.code, problem.severity) for problem in problems] == [(code, Severity.ODDITY)]


@pytest.mark.parametrize("text", ["4r2k/8/8/8/1b6/8/8/4K3 w - - 0 1", "4r2k/8/8/8/8/3n4/8/4K3 w - - 0 1"])
def test_a_check_that_a_slider_uncovers_is_not(text: str) -> None:
    assert found(text) == {}


def test_a_check_beside_an_en_passant_target_comes_from_the_double_step() -> None:
    assert found("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1") == {}  # the pawn checks
    assert found("8/2k5/8/8/3Pp3/8/7B/4K3 b - d3 0 1") == {P.IMPOSSIBLE_CHECK: {"h2"}}
    assert found("8/8/7k/8/3Pp3/8/8/2B1K3 b - d3 0 1") == {}  # uncovered by the pawn


def test_explosions_can_uncover_any_check() -> None:
    assert found("7k/8/8/8/8/8/8/r3K2r w - - 0 1", ATOMIC) == {}


# Castling


def test_a_right_to_castle_needs_its_king_and_rook() -> None:
    assert found("4k3/8/8/8/8/8/8/4K3 w K - 0 1") == {P.CASTLING_WITHOUT_ROOK: {"h1"}}
    assert found("4k3/8/8/8/8/8/8/4K2r w K - 0 1")[P.CASTLING_WITHOUT_ROOK] == {"h1"}
    assert found("4k3/8/8/8/8/8/4K3/7R w K - 0 1") == {P.CASTLING_WITHOUT_KING: {"h1"}}
    assert found("r3k3/8/8/8/8/8/8/4K3 w q - 0 1") == {}


def test_one_rook_a_side_castles() -> None:
    assert found("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", CHESS960) == {P.CASTLING_TWICE: {"g1", "h1"}}


def test_castling_from_other_squares_is_odd_outside_chess960() -> None:
    assert found("4k3/8/8/8/8/8/8/5KR1 w G - 0 1") == {P.UNUSUAL_CASTLING: {"f1", "g1"}}
    assert found("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", CHESS960) == {}


# En passant


def test_an_en_passant_target_has_just_been_passed_by_a_pawn() -> None:
    assert found("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1") == {}
    assert found("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1") == {P.EN_PASSANT_RANK: {"e3"}}
    assert found("4k3/8/8/8/8/8/8/4K3 b - e3 0 1") == {P.EN_PASSANT_WITHOUT_PAWN: {"e4"}}
    assert found("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1") == {P.EN_PASSANT_BLOCKED: {"e3"}}
    assert found("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1") == {P.EN_PASSANT_BLOCKED: {"e2"}}


# Numbers


def test_more_men_than_play_can_give_is_odd() -> None:
    assert P.MANY_PAWNS in found("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1")
    assert P.MANY_PIECES in found("4k3/8/8/8/8/Q7/PPPPPPPP/3QK3 w - - 0 1")
    assert found("4k3/8/8/8/8/Q7/1PPPPPPP/3QK3 w - - 0 1") == {}


# The other games


def test_captured_men_change_hands_so_that_their_number_never_grows() -> None:
    assert found("4k3/8/8/8/8/8/8/4K3[PPPPPPPPPPPPPPPPqqqqqqqqqqqqqq] w - - 0 1", CRAZYHOUSE) == {}
    crowd = found("4k3/8/8/8/8/8/8/4K3[PPPPPPPPPPPPPPPPqqqqqqqqqqqqqqq] w - - 0 1", CRAZYHOUSE)
    assert crowd == {P.MANY_MEN_WITH_POCKETS: set()}


def test_in_antichess_kings_are_men_like_others() -> None:
    assert found("8/8/8/8/8/8/8/RK4KK b - - 0 1", ANTICHESS) == {}
    assert found("8/8/8/8/8/8/8/8 w - - 0 1", ANTICHESS) == {P.NO_MEN: set()}


def test_the_horde_has_no_king_and_may_stand_on_its_first_rank() -> None:
    assert found("4k3/8/8/8/8/8/8/PPPPPPPP w - - 0 1", HORDE) == {}
    assert found("4k3/8/8/8/8/8/8/4K3 w - - 0 1", HORDE) == {P.MANY_WHITE_KINGS: {"e1"}}
    assert found("8/8/8/8/8/8/8/PPPPPPPP w - - 0 1", HORDE) == {P.NO_BLACK_KING: set()}
    assert found("p3k3/8/8/8/8/8/8/P7 w - - 0 1", HORDE) == {P.PAWN_ON_FIRST_RANK: {"a8"}}


def test_racing_kings_knows_neither_pawns_nor_check() -> None:
    assert found("8/8/8/8/8/8/P7/K6k w - - 0 1", RACING_KINGS) == {P.PAWNS_NOT_PLAYED: {"a2"}}
    assert found("8/8/8/8/8/8/8/K2r3k w - - 0 1", RACING_KINGS) == {P.FORBIDDEN_CHECK: {"d1"}}
    assert found("8/8/8/8/8/8/8/K2r3k b - - 0 1", RACING_KINGS) == {P.OPPOSITE_CHECK: {"d1"}}
    assert found("K6k/8/8/8/8/8/8/3r4 w - - 0 1", RACING_KINGS) == {}


def test_the_third_check_ends_the_game_with_the_other_side_to_move() -> None:
    assert found("4k3/8/8/8/8/8/8/4K3 b - - 0+2 0 1", THREE_CHECK) == {}
    assert found("4k3/8/8/8/8/8/8/4K3 w - - 0+2 0 1", THREE_CHECK) == {P.CHECKS_OF_MOVER: set()}
    assert errors("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +3+3", THREE_CHECK) == {P.CHECKS_OF_BOTH}


# Boards made by hand


def test_a_board_may_be_made_without_a_text() -> None:
    kings = {parse_square("e1"): Piece(Role.KING, Color.WHITE), parse_square("e8"): Piece(Role.KING, Color.BLACK)}
    assert examine(Setup(kings), STANDARD) == ()
    stray = Setup(kings, castling=frozenset({parse_square("e4")}))
    assert [problem.code for problem in examine(stray, CHESS960)] == [P.CASTLING_WITHOUT_ROOK]


def test_kings_are_never_in_hand() -> None:
    kings = {parse_square("e1"): Piece(Role.KING, Color.WHITE), parse_square("e8"): Piece(Role.KING, Color.BLACK)}
    assert [p.code for p in examine(Setup(kings, pockets=({Role.KING: 1}, {})), CRAZYHOUSE)] == [P.KING_IN_POCKET]


# What follows from them


def test_errors_refuse_a_position_and_name_the_squares() -> None:
    with pytest.raises(IllegalPosition, match=r"pawn on its promotion rank \(a8\)") as caught:
        Position.from_fen(STANDARD, "P3k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert [problem.code for problem in caught.value.problems] == [P.PAWN_ON_PROMOTION_RANK]


def test_oddities_do_not() -> None:
    position = Position.from_fen(STANDARD, "4r2k/8/8/8/1b5q/8/8/4K3 w - - 0 1")
    assert position.perft(2) > 0
