"""Forced wins are found at their true distance, in every game."""

import pytest

from bot.search.thinker import Thinker
from tests.search.thinking import best, game, think


@pytest.mark.parametrize(
    ("key", "fen", "moves", "moves_to_win"),
    [
        ("standard", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        ("standard", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1", 1),
        ("standard", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "b1b7 a2a7", 2),
        ("standard", "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", "b3b8", 2),
        ("standard", "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "d5f6", 2),
        ("standard", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "d6d1", 3),
        ("chess960", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        ("fromPosition", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "b1b7 a2a7", 2),
        ("parlour", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "b1b7 a2a7", 2),
        ("atomic", "4k3/3n4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7", 1),
        ("atomic", "rnbqkbnr/1pppp1pp/p4p2/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 3", "g5f7", 2),
        ("atomic", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "b1b7 a2a7", 2),
        ("spark", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8", 1),
        ("spark", "4k2r/8/8/8/8/8/8/4K2r b - - 0 1", "h1e1", 1),
        ("spark", "7k/6pp/8/8/8/8/R7/1R4K1 w - - 0 1", "b1b8", 2),
    ],
)
def test_a_forced_win_is_seen(key: str, fen: str, moves: str, moves_to_win: int) -> None:
    assert think(game(key, fen), depth=9).win_in == moves_to_win
    assert best(key, fen, depth=9) in moves.split()


@pytest.mark.parametrize(
    ("key", "fen", "moves_to_loss"),
    [
        ("standard", "7k/1R6/8/8/8/8/R7/6K1 b - - 0 1", -1),
        ("atomic", "7k/1R6/8/8/8/8/R7/6K1 b - - 0 1", -1),
        ("spark", "7k/8/8/8/8/8/r7/1r4K1 w - - 0 1", -1),
    ],
)
def test_losses_are_counted_as_negative_wins(key: str, fen: str, moves_to_loss: int) -> None:
    assert think(game(key, fen), depth=7).win_in == moves_to_loss


def test_the_shortest_mate_is_preferred() -> None:
    # The pawn could promote and mate later as well.
    assert think(game("standard", "k7/7P/1K6/8/8/8/8/4R3 w - - 0 1"), depth=8).win_in == 1


def test_the_principal_variation_can_be_played() -> None:
    played = game("standard")
    thought = think(played, depth=9)
    position = played.position
    for move in thought.pv:
        position = position.play(move)
    assert thought.pv[0] == thought.move
    assert thought.ponder == thought.pv[1]
    assert len(thought.pv) >= 5


@pytest.mark.parametrize(
    "fen",
    [
        "2B5/4k3/8/8/5K2/8/5N2/8 w - - 0 1",  # a bishop of the light squares
        "8/8/8/8/4k3/8/8/1NB1K3 w - - 0 1",  # and one of the dark ones
    ],
)
def test_bishop_and_knight_mate_before_the_quiet_plies_run_out(fen: str) -> None:
    played, minds = game("standard", fen), (Thinker(4), Thinker(4))
    while played.outcome is None:
        played.play(think(played, minds[played.turn], nodes=100_000).move)
    assert played.outcome.winner == 0


def test_compulsory_captures_are_played_out_before_a_position_is_judged() -> None:
    """The rook offers itself, and no other move has a score that one ply could prove."""
    assert think(game("antichess", "r7/8/8/8/8/8/8/1R6 w - - 0 1"), depth=1).win_in == 1
    assert think(game("antichess", "r7/8/8/8/8/8/1N6/1R6 w - - 0 1"), depth=1).win_in is None
