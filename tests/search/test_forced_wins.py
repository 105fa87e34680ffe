"""Captures of the king in Spark Chess that nothing but attacks force are found at once, and at their true distance."""

import pytest

from rules.position import Position
from tests.search.thinking import game, think

# Made by bench/forced_wins.py, whose solver shares nothing with the search.
PUZZLES = (
    ("1k6/RP1p4/1R2p3/2Bppp2/8/3P1K1P/2P2P2/8 w - - 0 1", 5),
    ("6kr/1Q1b1ppp/3B2pp/R2p4/B2P1p2/8/4PP2/1P1K3R w - - 0 1", 5),
    ("8/p3Kpk1/8/3Pp2r/8/8/2q5/8 b - - 0 1", 5),
    ("8/8/4rp2/2P3k1/5r2/3P4/1P3p2/2P2K2 b - - 0 1", 7),
    ("4k3/1R6/2p1B3/6rN/5R2/2P1KP2/4P3/8 w - - 0 1", 7),
    ("3r4/pk1P1pbp/p2Qp2n/5p2/B7/P2P3R/1PP1N3/RK2P3 w - - 0 1", 7),
    ("4QB2/8/8/5N1K/8/5Q2/8/2k5 w - - 0 1", 7),
    ("p7/3R4/7r/4K3/1PP1pp2/5qk1/2PP4/5q2 b - - 0 1", 9),
    ("8/8/4Qp2/2P1p1k1/5r2/8/1P1Pr3/2P3K1 b - - 0 1", 11),
    ("1k5r/p2Q1pbp/p3p2n/5p2/B5p1/3P4/PPP1P3/RK1PP1NR w - - 0 1", 11),
)


@pytest.mark.parametrize(("fen", "plies"), PUZZLES)
def test_a_win_by_attacks_on_the_king_is_found_at_its_distance(fen: str, plies: int) -> None:
    assert think(game("spark", fen), nodes=400_000).win_in == (plies + 1) // 2


@pytest.mark.parametrize(("fen", "plies"), PUZZLES)
def test_the_line_attacks_with_every_move_and_ends_with_the_capture_at_hand(fen: str, plies: int) -> None:
    played = game("spark", fen)
    position: Position = played.position
    line = think(played, nodes=400_000).pv
    for ply, move in enumerate(line):
        position = position.play(move)
        assert ply % 2 or position.checkers()
    assert len(line) == plies - 1
    assert position.threatens_win()


def test_looking_for_wins_keeps_to_the_number_of_nodes() -> None:
    fen = "1p6/4k3/4b3/P6r/R7/2KP1P2/1Q2PP2/3q3q b - - 0 1"
    first, second = (think(game("spark", fen), nodes=20_000) for _ in range(2))
    assert first.nodes == 20_000
    assert (first.move, first.score_cp, first.depth) == (second.move, second.score_cp, second.depth)
