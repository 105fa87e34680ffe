"""Matches: between settings, with other programs, and what goes wrong in them."""

import sys
from pathlib import Path

import pytest

from bot.search.contest import Match, Played, Tally, openings, play_match, read_openings
from bot.search.players import Pace, PlayerFailed, player
from rules import variants
from rules.position import Position

UCI = f"{sys.executable} -m bot uci"
RESIGNED = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
SILENT = """
import sys
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("uciok", flush=True)
    if line.startswith("isready"):
        print("readyok", flush=True)
    if line.startswith("go"):
        {answer}
"""


def match(first: str, second: str, key: str = "standard", games: int = 2, **more) -> Match:
    settings = {"pace": Pace(nodes=200), "seed": 7, **more}
    return Match(first, second, variants.by_key(key), games, **settings)


def program(tmp_path: Path, answer: str) -> str:
    path = tmp_path / "engine.py"
    path.write_text(SILENT.format(answer=answer))
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("key", ["standard", "chess960", "atomic", "spark", "parlour"])
def test_two_settings_play_each_other(key: str) -> None:
    told: list[Tally] = []
    tally = play_match(match("centella", "centella:null_move=0,hash=1", key), told.append)
    assert tally.games == 2
    assert (tally.illegal, tally.forfeits) == (0, 0)
    assert [entry.games for entry in told] == [1, 2]


@pytest.mark.parametrize("key", ["standard", "chess960", "atomic", "spark", "parlour"])
def test_our_search_plays_a_program_that_speaks_uci(key: str) -> None:
    tally = play_match(match("centella", UCI, key, pace=Pace(nodes=100)), lambda tally: None)
    assert (tally.games, tally.illegal, tally.forfeits) == (2, 0, 0)


def test_a_match_by_the_clock() -> None:
    pace = Pace(base_ms=5000, increment_ms=100)
    tally = play_match(match("centella", UCI, pace=pace, openings=(RESIGNED,)), lambda tally: None)
    assert (tally.games, tally.forfeits) == (2, 0)


def test_a_clock_that_runs_out_loses() -> None:
    start = Position.start(variants.by_key("standard")).fen()
    hurried = match("centella", "centella", games=1, pace=Pace(base_ms=1), openings=(start,))
    assert play_match(hurried, lambda tally: None).forfeits == 1


def test_the_better_side_wins_with_both_colors() -> None:
    tally = play_match(match("centella", "centella", openings=(RESIGNED,)), lambda tally: None)
    assert (tally.wins, tally.losses) == (1, 1)


def test_an_illegal_move_loses_and_is_counted(tmp_path: Path) -> None:
    cheat = program(tmp_path, 'print("bestmove e2e5", flush=True)')
    tally = play_match(match("centella", cheat), lambda tally: None)
    assert (tally.wins, tally.illegal) == (2, 2)


def test_a_program_that_breaks_down_loses(tmp_path: Path) -> None:
    tally = play_match(match(program(tmp_path, "sys.exit(3)"), "centella", games=1), lambda tally: None)
    assert (tally.losses, tally.forfeits) == (1, 1)


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(PlayerFailed, match="no-such-engine"):
        play_match(match("centella", "no-such-engine"), lambda tally: None)


def test_an_empty_text_names_no_player() -> None:
    with pytest.raises(ValueError, match="a player is missing"):
        player("  ")


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(ValueError, match="courage"):
        play_match(match("centella", "centella:courage=3"), lambda tally: None)


def test_the_score_and_its_error() -> None:
    tally = Tally()
    for points in (1.0, 0.5, 0.5, 0.0, 1.0, 1.0):
        tally = tally.plus(Played(points, 40))
    assert (tally.wins, tally.draws, tally.losses) == (3, 2, 1)
    assert tally.percent == pytest.approx(66.67, abs=0.01)
    assert tally.error_percent == pytest.approx(29.8, abs=0.5)
    assert Tally(wins=4).error_percent == 0


def test_openings_are_read_without_comments_and_counts() -> None:
    lines = ["# a comment", "", "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 3", "8/8/8/8/8/8/8/K2k4 w - - 0 1"]
    assert read_openings(lines) == ("8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K2k4 w - - 0 1")


@pytest.mark.parametrize("key", ["standard", "atomic", "spark"])
def test_drawn_openings_are_the_same_for_the_same_seed(key: str) -> None:
    first, second = (openings(match("centella", "centella", key)) for _ in range(2))
    drawn = [next(first) for _ in range(3)]
    assert drawn == [next(second) for _ in range(3)]
    assert len(set(drawn)) == 3
    for fen in drawn:
        assert Position.from_fen(variants.by_key(key), fen).legal_moves()
