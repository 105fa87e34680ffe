"""Atomic chess, sentence by sentence."""

import pytest

from rules import draws, uci
from rules.game import Game
from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import ATOMIC
from tests.diagram import after, allows, draw, men, names, targets


def board(fen: str) -> Position:
    return Position.from_fen(ATOMIC, fen)


# Explosions


def test_a_capture_removes_both_men_and_every_man_but_pawns_around() -> None:
    position = draw(
        ATOMIC,
        """
        . . . . . . . k
        . n . . . . . .
        p q p . . . . .
        P . P . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        K . . . . . . .
        """,
    )
    assert men(after(position, "a5b6")) == "Ka1 Pc5 pa6 pc6 kh8"
    assert names(position.captured_by(uci.read(position, "a5b6"))) == {"b6", "b7"}


def test_the_men_of_the_capturing_side_go_too() -> None:
    assert men(after(board("7k/8/2R5/1p6/B1N5/8/8/K7 w - - 0 1"), "a4b5")) == "Ka1 kh8"


def test_men_two_squares_away_stay() -> None:
    assert men(after(board("7k/8/2R5/1p1N4/B7/1N6/8/K7 w - - 0 1"), "a4b5")) == "Ka1 Nb3 Nd5 kh8"


def test_en_passant_explodes_where_the_capturing_pawn_lands() -> None:
    position = after(board("7k/3p4/2b5/4P3/4N3/8/8/K7 b - - 0 1"), "d7d5")
    assert men(after(position, "e5d6")) == "Ka1 Ne4 kh8"


def test_a_promotion_that_captures_leaves_nothing_there() -> None:
    assert men(after(board("1r5k/P7/8/8/8/8/8/K7 w - - 0 1"), "a7b8q")) == "Ka1 kh8"


def test_a_move_that_captures_nothing_explodes_nothing() -> None:
    assert men(after(board("7k/8/1n6/8/8/8/8/KR6 w - - 0 1"), "b1b5")) == "Ka1 Rb5 nb6 kh8"


# The own king


def test_a_capture_beside_the_own_king_is_illegal() -> None:
    assert not allows(board("6k1/8/8/8/8/8/1n5R/K7 w - - 0 1"), "h2b2")
    assert allows(board("6k1/8/8/8/8/8/2n4R/K7 w - - 0 1"), "h2c2")


def test_so_it_is_where_the_other_king_would_explode_as_well() -> None:
    assert not allows(board("1R6/8/8/8/8/8/1n6/K1k5 w - - 0 1"), "b8b2")
    assert allows(board("1R6/8/8/8/8/K7/8/1nk5 w - - 0 1"), "b8b1")


def test_a_king_never_captures() -> None:
    assert "b2" not in targets(board("7k/8/8/8/8/8/1n6/K7 w - - 0 1"), "a1")


def test_the_pages_example_in_which_three_captures_would_take_the_own_king() -> None:
    position = draw(
        ATOMIC,
        """
        R . . q K . . .
        . . . r . . . .
        . . . . . . . .
        . . . . . . . .
        B . . . . . . .
        . . . . . . . .
        . . . . . . . k
        . . . R . . . .
        """,
    )
    assert not any(allows(position, move) for move in ("a4d7", "d1d7", "a8d8"))


# The other king


def test_exploding_the_enemy_king_wins_at_once() -> None:
    position = after(board("4k3/4p3/8/8/8/8/8/4RK2 w - - 0 1"), "e1e7")
    assert position.ending() == Outcome(Status.VARIANT_END, Color.WHITE, Reason.KING_EXPLODED)
    assert position.legal_moves() == []


def test_whatever_checks_stand_on_the_board() -> None:
    checked = board("4k3/3p4/8/8/4r3/8/8/3QK3 w - - 0 1")
    assert checked.in_check
    assert allows(checked, "d1d7")


def test_otherwise_a_check_is_answered() -> None:
    checked = board("4k3/8/3p4/8/4r3/8/8/3QK3 w - - 0 1")
    assert not allows(checked, "d1d6")
    assert allows(checked, "d1e2")


def test_a_position_without_the_movers_king_is_over_and_can_be_loaded() -> None:
    position = board("8/8/8/8/8/8/3P4/4K3 b - - 0 1")
    assert position.ending() == Outcome(Status.VARIANT_END, Color.WHITE, Reason.KING_EXPLODED)


# Kings side by side


def test_kings_may_stand_side_by_side() -> None:
    assert allows(board("8/8/8/3k4/8/3K4/8/8 w - - 0 1"), "d3d4")


def test_kings_side_by_side_are_not_in_check() -> None:
    position = board("8/8/8/3kK3/8/8/8/3RR3 b - - 0 1")
    assert not position.in_check
    assert allows(position, "d5d4")


def test_a_king_does_not_step_away_from_the_other_into_check() -> None:
    touching = board("8/8/8/3kK3/8/8/8/2R1R3 b - - 0 1")
    assert not allows(touching, "d5c6")
    assert allows(touching, "d5e4") is allows(touching, "d5d4") is True


def test_a_man_that_would_be_pinned_moves_freely_while_the_kings_touch() -> None:
    assert allows(board("4r3/8/8/8/8/4Bk2/4K3/8 w - - 0 1"), "e3d4")
    assert not allows(board("4r3/7k/8/8/8/4B3/4K3/8 w - - 0 1"), "e3d4")


# Castling


def test_the_right_to_castle_goes_with_an_exploded_rook() -> None:
    position = after(board("r3k2r/pppppppp/8/8/8/5b2/PPPPPPPP/R3K2R b KQkq - 0 1"), "f3g2")
    assert position.fen().split()[2] == "Qkq"


def test_castling_beside_the_enemy_king_passes_attacked_squares() -> None:
    assert allows(board("8/8/8/8/8/5r2/6k1/R3K2R w KQ - 0 1"), "e1g1")
    assert not allows(board("6k1/8/8/8/8/5r2/8/R3K2R w KQ - 0 1"), "e1g1")


# Mate, stalemate and dead positions


def test_mate_and_stalemate_are_as_in_chess() -> None:
    mate = after(board("1k6/8/8/8/8/8/PP5r/K7 b - - 0 1"), "h2h1")
    assert mate.ending() == Outcome(Status.MATE, Color.BLACK, Reason.CHECKMATE)
    stalemate = board("k7/1R6/8/8/8/8/8/5K2 b - - 0 1")
    assert stalemate.ending() == Outcome(Status.STALEMATE, None, Reason.STALEMATE)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", False, False),
        ("8/8/4k3/8/8/3K4/8/R7 w - - 0 1", False, False),
        ("8/8/4k3/8/8/3K4/8/Q7 w - - 0 1", True, False),
        ("8/8/4k3/8/8/3K4/N1N5/8 b - - 0 1", False, False),
        ("8/8/4k3/8/8/3K4/N1N1N3/8 b - - 0 1", True, False),
        ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", True, False),
    ],
)
def test_material_that_cannot_explode_a_king_cannot_win(fen: str, white: bool, black: bool) -> None:
    position = board(fen)
    assert (position.can_win(Color.WHITE), position.can_win(Color.BLACK)) == (white, black)


def test_the_game_is_drawn_when_neither_side_can_win() -> None:
    game = Game.start(ATOMIC, draws.for_game(ATOMIC, with_bot=True), "8/1n6/8/8/8/8/k7/2K1b2R w - - 0 1")
    game.play_uci("h1e1")
    assert game.outcome == Outcome(Status.DRAW, None, Reason.DEAD_MATERIAL)
