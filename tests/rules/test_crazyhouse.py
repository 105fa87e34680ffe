"""Crazyhouse, sentence by sentence."""

from rules import draws
from rules.game import Game
from rules.move import Color, Role
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.variants import CRAZYHOUSE
from tests.diagram import after, allows, men, moves_of


def board(fen: str) -> Position:
    return Position.from_fen(CRAZYHOUSE, fen)


EMPTY = "4k3/8/8/8/8/8/8/4K3"


def test_a_captured_man_goes_to_the_capturers_hand() -> None:
    position = after(board("4k3/8/8/3r4/4P3/8/8/4K3[] w - - 0 1"), "e4d5")
    assert position.pocket(Color.WHITE) == {Role.ROOK: 1}
    assert position.pocket(Color.BLACK) == {}


def test_it_is_dropped_on_any_empty_square_instead_of_a_move() -> None:
    position = board(f"{EMPTY}[N] w - - 0 1")
    drops = {move for move in moves_of(position) if move.startswith("N@")}
    assert len(drops) == 62
    dropped = after(position, "N@e4")
    assert men(dropped) == "Ke1 Ne4 ke8"
    assert dropped.pocket(Color.WHITE) == {}
    assert dropped.turn is Color.BLACK


def test_pawns_are_not_dropped_on_the_end_ranks() -> None:
    drops = {move[2:] for move in moves_of(board(f"{EMPTY}[P] w - - 0 1")) if move.startswith("P@")}
    assert len(drops) == 48
    assert not any(square[1] in "18" for square in drops)


def test_only_the_own_hand_is_dropped_from() -> None:
    assert not allows(board(f"{EMPTY}[n] w - - 0 1"), "N@e4")


def test_a_dropped_pawn_on_its_second_rank_may_step_twice() -> None:
    position = after(board(f"{EMPTY}[P] w - - 0 1"), "P@d2", "e8e7")
    assert allows(position, "d2d4")


def test_a_drop_may_give_check_and_mate() -> None:
    end = after(board("6k1/8/8/8/8/8/5PPP/6K1[Pr] b - - 0 1"), "R@a1").ending()
    assert end is not None
    assert (end.status, end.winner) == (Status.MATE, Color.BLACK)


def test_a_drop_may_parry_a_check() -> None:
    position = board("6k1/8/8/8/8/8/5PPP/r5K1[N] w - - 0 1")
    assert {move for move in moves_of(position) if move.startswith("N@")} == {f"N@{file}1" for file in "bcdef"}


def test_a_knights_check_is_parried_by_no_drop() -> None:
    position = board("4k3/8/8/8/8/1n6/8/K7[QRBNP] w - - 0 1")
    assert not any("@" in move for move in moves_of(position))


def test_a_promoted_man_goes_back_as_a_pawn() -> None:
    promoted = after(board("4k2r/6P1/8/8/8/8/8/4K3[] w - - 0 1"), "g7h8q")
    assert promoted.fen().startswith("4k2Q~/8")
    taken = after(board("4k2Q~/6r1/8/8/8/8/8/4K3[] b - - 0 1"), "e8d7", "h8g7", "d7e6")
    assert taken.pocket(Color.WHITE) == {Role.ROOK: 1}
    back = after(board("4k2r/8/8/8/8/8/8/4K2Q~[] b - - 0 1"), "h8h1")
    assert back.pocket(Color.BLACK) == {Role.PAWN: 1}
    plain = after(board("4k2r/8/8/8/8/8/8/4K2Q[] b - - 0 1"), "h8h1")
    assert plain.pocket(Color.BLACK) == {Role.QUEEN: 1}


def test_the_mark_moves_with_its_man() -> None:
    assert after(board("4k3/8/8/8/8/8/8/4K2Q~[] w - - 0 1"), "h1h7").fen().startswith("4k3/7Q~/")


def test_stalemate_needs_an_empty_hand() -> None:
    end = board("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1").ending()
    assert end is not None
    assert end.status is Status.STALEMATE
    assert board("7k/5Q2/6K1/8/8/8/8/8[p] b - - 0 1").ending() is None


def replay(fen: str | None, *moves: str) -> Game:
    return Game.replay(CRAZYHOUSE, draws.for_game(CRAZYHOUSE, with_bot=True), fen, moves)


def test_there_is_no_rule_of_quiet_plies_and_no_dead_material() -> None:
    assert replay(f"{EMPTY}[] w - - 500 300", "e1e2").outcome is None


def test_a_position_repeats_across_captures_and_drops() -> None:
    """A knight each is captured and put back in its place, the kings lose a move: the same men, the same hands."""
    cycle = ["f4d5", "d8d5", "N@f4", "d5d8", "e1e2", "N@d5", "e2f2", "e8e7", "f2e1", "e7e8"]
    once = replay("3rk3/8/8/3n4/5N2/8/8/4K3[] w - - 0 1", *cycle)
    assert (once.occurrences(), once.position.reversible_plies, once.outcome) == (2, 10, None)
    twice = replay("3rk3/8/8/3n4/5N2/8/8/4K3[] w - - 0 1", *cycle, *cycle)
    assert twice.outcome == Outcome(Status.DRAW, None, Reason.REPETITION)


def test_the_hands_are_part_of_a_position() -> None:
    start = board(f"{EMPTY}[Nn] w - - 0 1")
    assert start.key != board(f"{EMPTY}[N] w - - 0 1").key
    assert start.key != board(f"{EMPTY}[NNn] w - - 0 1").key
    dropped = after(board(f"{EMPTY}[Nn] w - - 0 1"), "N@c3", "N@c6")
    assert dropped.key == dropped.key_from_scratch()
