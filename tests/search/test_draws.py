"""Draws are known by the running game: its history, its policy, and what stalemate means in it."""

import pytest

from bot.search.thinker import Thinker
from rules import draws, uci, variants
from rules.game import Game
from tests.search.thinking import best, game, think

ROOK_UP = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
# Both go there and back: the positions of the way out stand twice after it.
SHUFFLE = "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8"


def test_the_side_that_is_ahead_avoids_what_the_other_could_repeat() -> None:
    # b1a1 would let Black bring back the first position for the third time.
    played = game("standard", ROOK_UP, SHUFFLE)
    thought = think(played, depth=8)
    assert uci.write(played.position, thought.move, False) != "b1a1"
    assert thought.score_cp > 300


def test_the_side_that_is_behind_seeks_the_third_occurrence() -> None:
    played = game("standard", ROOK_UP, SHUFFLE + " b1a1")
    thought = think(played, depth=8)
    assert uci.write(played.position, thought.move, False) == "f8g8"
    assert abs(thought.score_cp) <= 12


def test_perpetual_check_saves_a_lost_position() -> None:
    assert abs(think(game("standard", "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32"), depth=12).score_cp) <= 12


def test_stalemate_is_not_a_win() -> None:
    # g6f7 and g6g7's neighbours leave no move: the mate is found instead.
    assert best("standard", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", depth=4) == "g6g7"
    # The queen must not take the last squares of a king that is not attacked.
    played = game("standard", "k7/2Q5/8/8/8/8/8/K7 w - - 0 1")
    played.play(think(played, depth=6).move)
    assert played.outcome is None


@pytest.mark.parametrize(
    ("key", "halfmoves", "drawn"),
    [("standard", 96, True), ("standard", 40, False), ("parlour", 46, True), ("atomic", 97, True)],
)
def test_quiet_plies_run_out(key: str, halfmoves: int, drawn: bool) -> None:
    thought = think(game(key, f"8/8/4k3/8/8/8/8/QK6 w - - {halfmoves} 120"), depth=8)
    assert (abs(thought.score_cp) <= 100) is drawn


def test_a_pawn_move_keeps_the_game_alive() -> None:
    assert best("standard", "4k3/8/8/8/8/8/1P6/QK6 w - - 97 120", depth=8) in ("b2b3", "b2b4")
    assert best("parlour", "4k3/8/8/8/8/8/1P6/QK6 w - - 47 120", depth=8) in ("b2b3", "b2b4")


def test_dead_material_is_worth_nothing() -> None:
    # All that is left to do is to take the pawn, and a bishop does not win.
    assert abs(think(game("standard", "7k/8/8/8/8/8/2p5/2K1B3 w - - 0 1"), depth=8).score_cp) <= 12


def test_repetition_ends_nothing_in_the_parlour() -> None:
    moves = "g1f3 g8f6 f3g1 f6g8 " * 3
    played = game("parlour", None, moves)
    assert played.outcome is None
    assert think(played, depth=6).score_cp > -50


def test_in_spark_the_first_repetition_saves_a_king_that_hangs() -> None:
    """White, who could have captured the king at once, lets Black bring back the first position: a draw."""
    hanging = "n6k/8/8/8/8/8/7Q/K5R1 w - - 0 1"
    assert think(game("spark", hanging, "a1b1"), depth=4).win_in == -1
    played = game("spark", hanging, "a1b1 a8b6 b1a1")
    thought = think(played, depth=4)
    assert uci.write(played.position, thought.move, False) == "b6a8"
    assert abs(thought.score_cp) <= 12


def test_in_spark_a_repetition_deeper_in_the_tree_is_found_though_the_king_hangs() -> None:
    played = game("spark", "n6k/8/8/8/8/8/7Q/K5R1 w - - 0 1", "a1b1 a8b6")
    # White may win at once, and does.
    assert think(played, depth=4).win_in == 1


def test_the_table_does_not_carry_a_repetition_to_another_history() -> None:
    """A value found while a repetition was near must not stay in the table for a game without that history."""
    thinker = Thinker(4)
    shuffled = game("standard", ROOK_UP, SHUFFLE + " b1a1 f8g8")
    think(shuffled, thinker, depth=10)
    fresh = game("standard", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 8 5")
    assert think(fresh, thinker, depth=10).score_cp > 300


def test_games_that_share_a_table_do_not_disturb_each_other() -> None:
    thinker = Thinker(4)
    fen = "4k3/3n4/8/8/8/8/8/3RK3 w - - 0 1"
    think(game("standard", fen), thinker, depth=8)
    assert think(game("atomic", fen), thinker, depth=3).win_in == 1
    assert think(game("standard", fen), thinker, depth=3).win_in is None


def test_policies_that_share_a_table_do_not_disturb_each_other() -> None:
    thinker = Thinker(4)
    variant = variants.by_key("standard")
    fen = "8/8/4k3/8/8/8/8/QK6 w - - 49 120"
    parlour = game("parlour", fen)
    assert think(parlour, thinker, depth=6).score_cp == 0
    standard = Game.start(variant, draws.for_game(variant, with_bot=True), fen)
    assert think(standard, thinker, depth=6).score_cp > 500
