"""Solving positions: reading EPD for all games, and telling who found what and when."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.search.epd import EpdError, read_puzzles
from bot.search.solving import Belief, attempt
from rules import san, variants
from rules.game import Game
from tests.search.programs import OWN, program

# A mate in one; a rook that must not take the defended pawn (Rxd5 c6xd5 or exd5); a mate that is missed with one node.
MATE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "back rank";'
POISONED = '6k1/5ppp/4p3/3p4/8/8/3R1PPP/6K1 w - - am Rxd5; id "poisoned pawn"; c0 "a; b";'
FALSE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 bm h3 g3; id "not the best";'


def solve(*words: object) -> int:
    return main(["solve", *map(str, words)])


def file_of(folder: Path, *lines: str) -> Path:
    path = folder / "puzzles.epd"
    path.write_text("# three positions\n\n" + "\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("words", [(), ("--engine", "centella:null_move=0"), ("--engine", OWN), ("--threads", 2)])
def test_positions_are_solved_one_a_line(
    tmp_path: Path, words: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert solve(file_of(tmp_path, MATE, POISONED, FALSE), "--movetime", 100, *words) == 0
    mate, poisoned, false, last = capsys.readouterr().out.splitlines()
    assert mate.startswith("back rank")
    assert "  solved " in mate
    assert "Ra8# (since depth 1)" in mate
    assert "  solved " in poisoned
    assert "Rxd5" not in poisoned
    assert "  missed " in false
    assert false.endswith("Ra8#, not h3 or g3")
    assert last == "solved 2 of 3"


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("atomic", 'rnbqkbnr/pppppppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R w KQkq - bm Nxf7# Nxd7#; id "blown up";'),
        ("crazyhouse", '6k1/5ppp/8/8/8/8/8/K7[Q] w - - 0 1 bm Q@e8 Q@d8 Q@c8 Q@b8 Q@a8; id "drop";'),
        ("threeCheck", '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 1+3 0 1 bm Ra8#;'),
        ("spark", '4k3/8/8/8/8/8/4R3/4K3 w - - bm Rxe8#; id "the king is taken";'),
    ],
)
def test_every_game_has_its_puzzles(tmp_path: Path, key: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert solve(file_of(tmp_path, line), "--nodes", 2000, "--variant", key) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "solved 1 of 1"


class Wavering:
    """Believes in one move after another."""

    def __init__(self, *written: str) -> None:
        self._written = written

    def beliefs(self, game: Game) -> Iterator[Belief]:
        for index, text in enumerate(self._written):
            yield Belief(san.read(game.position, text), 10 * index, index + 1)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("beliefs", "at_ms"),
    [
        (("Ra8", "Ra8", "Ra8"), 0),
        (("h3", "Ra8", "h3", "Ra8", "Ra8"), 30),
        (("h3", "h3", "Ra8"), 20),
        (("Ra8", "Ra8", "h3"), None),
    ],
)
def test_a_move_is_found_when_it_is_held_to_the_end(beliefs: tuple[str, ...], at_ms: int | None) -> None:
    (puzzle,) = read_puzzles([MATE], variants.by_key("standard"))
    made = attempt(Wavering(*beliefs), puzzle)
    assert made.is_solved is (at_ms is not None)
    assert (None if made.found is None else made.found.time_ms) == at_ms


def test_operations_and_counters_are_read() -> None:
    lines = ["", "# none", MATE, POISONED, FALSE.replace('id "not the best";', "")]
    puzzles = read_puzzles(lines, variants.by_key("standard"))
    assert [puzzle.name for puzzle in puzzles] == ["back rank", "poisoned pawn", "line 5"]
    assert [len(puzzle.best) for puzzle in puzzles] == [1, 0, 2]
    assert [len(puzzle.avoided) for puzzle in puzzles] == [0, 1, 0]
    assert all(puzzle.position.fen().endswith(" 0 1") for puzzle in puzzles)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('6k1/8/8/8/8/8/8/R5K1 w - - id "what?";', "line 2: neither bm nor am"),
        ("6k1/8/8/8/8/8/8/R5K1 w - - bm Rb9;", "line 2: .*Rb9"),
        ("6k1/8/8/8/8/8/8/R5K1 w - - am Qa4;", "line 2: .*Qa4"),
        ("6k1/8/8/8/8/8/R5K1 w - - bm Ra8;", "line 2: "),
        ("nothing", "line 2: "),
    ],
)
def test_a_line_that_cannot_be_read_is_told(line: str, wrong: str) -> None:
    with pytest.raises(EpdError, match=wrong):
        read_puzzles([MATE, line], variants.by_key("standard"))


def test_a_program_that_breaks_down_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--movetime", 50, "--engine", program(tmp_path, "sys.exit(1)"))
    assert solve(file_of(tmp_path, MATE), *words) == 1
    assert "program with a blank.py" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ((), "--movetime or --nodes"),
        (("--nodes", 9, "--engine", "centella:courage=1"), "courage"),
        (("--nodes", 9, "--variant", "checkers"), "checkers"),
    ],
)
def test_wrong_usage_is_told_in_a_line(
    tmp_path: Path, words: tuple[object, ...], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert solve(file_of(tmp_path, MATE), *words) == 2
    assert wrong in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert solve(tmp_path / "none.epd", "--nodes", 9) == 2
    assert "none.epd" in capsys.readouterr().err
