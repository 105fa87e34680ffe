"""Other programs and functions as sources: they play, break down, hang, and are replaced."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.config.sources import Engine, Function
from bot.sources.engine import EngineSource
from bot.sources.function import FunctionSource
from bot.sources.source import Question, SourceFailed
from rules import uci, variants
from tests.bot.asking import question

# speaks just enough UCI; what it does on "go" comes from its argument, and is noted with all it hears
ENGINE = """
import os, sys, time
habit, heard = sys.argv[1], open(sys.argv[2], "a", buffering=1)
print(f"pid {os.getpid()}", file=heard)
for line in sys.stdin:
    line = line.strip()
    print(line, file=heard)
    if line == "uci":
        print("id name Fake")
        print("option name Hash type spin default 1 min 1 max 99")
        print("option name UCI_Variant type combo default chess var chess var atomic var spark")
        print("option name UCI_Chess960 type check default false")
        print("uciok")
    elif line == "isready":
        print("readyok")
    elif line == "quit" or (line.startswith("go") and habit == "dies"):
        sys.exit(3)
    elif line.startswith("go"):
        if habit == "dies once" and not os.path.exists(sys.argv[2] + ".died"):
            open(sys.argv[2] + ".died", "w").close()
            sys.exit(3)
        if habit == "hangs":
            continue
        print("info depth 9 score cp 41 nodes 7 pv e2e4")
        print("bestmove " + ("e2e5" if habit == "cheats" else "(none)" if habit == "gives up" else "e2e4"))
    sys.stdout.flush()
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., EngineSource]:
    """Makes sources of a fake program with a habit."""
    script = tmp_path / "engine.py"
    script.write_text(ENGINE, encoding="utf-8")

    def make(habit: str, **terms: object) -> EngineSource:
        command = f"{sys.executable} {script} '{habit}' {tmp_path / 'heard'}"
        return EngineSource(Engine.model_validate({"command": command, **terms}))

    return make


def heard(folder: Path) -> list[str]:
    return (folder / "heard").read_text(encoding="utf-8").splitlines()


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def eventually(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_a_program_plays_with_its_options_and_limits(program: Callable[..., EngineSource], tmp_path: Path) -> None:
    source = program("plays", options={"Hash": 7}, limits={"depth": 9})
    asked = question(think_ms=40)
    source.begin_game(asked.setting)
    suggestion = source.suggest(asked)
    source.close()
    assert suggestion is not None and (suggestion.uci, suggestion.score_cp) == ("e2e4", 41)
    lines = heard(tmp_path)
    assert "setoption name Hash value 7" in lines
    assert "go depth 9 movetime 40" in lines
    assert sum(line.startswith("pid") for line in lines) == 1, "one process a game"


def test_a_program_gets_the_game_in_its_own_form(program: Callable[..., EngineSource], tmp_path: Path) -> None:
    source = program("plays")
    for variant, moves in ((variants.SPARK, "e2e3 e7e6"), (variants.STANDARD, "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1")):
        source.suggest(question(moves, variant=variant))
    source.close()
    lines = heard(tmp_path)
    assert "setoption name UCI_Variant value spark" in lines
    assert any(line.startswith("position") and line.endswith("moves e2e3 e7e6") for line in lines)
    assert "position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1" in lines


def test_a_program_that_breaks_down_is_started_again_within_the_move(
    program: Callable[..., EngineSource], tmp_path: Path
) -> None:
    source = program("dies once")
    suggestion = source.suggest(question())
    source.close()
    assert suggestion is not None and suggestion.uci == "e2e4"
    assert sum(line.startswith("pid") for line in heard(tmp_path)) == 2


@pytest.mark.parametrize("habit", ["dies", "hangs"])
def test_a_program_that_does_not_play_fails_in_time(program: Callable[..., EngineSource], habit: str) -> None:
    source = program(habit, timeout_ms=100)
    began = time.monotonic()
    with pytest.raises(SourceFailed):
        source.suggest(question(think_ms=50))
    assert time.monotonic() - began < 8
    source.close()


def test_a_program_that_gives_up_knows_no_move(program: Callable[..., EngineSource]) -> None:
    source = program("gives up")
    assert source.suggest(question()) is None
    source.close()


def test_a_program_thinks_no_longer_than_the_sources_may(
    program: Callable[..., EngineSource], tmp_path: Path
) -> None:
    source = program("plays", timeout_ms=500)
    source.suggest(question(think_ms=5_000, within_ms=1_000))
    source.close()
    assert "go movetime 750" in heard(tmp_path)


def test_the_process_ends_with_its_game(program: Callable[..., EngineSource], tmp_path: Path) -> None:
    source = program("plays")
    asked = question()
    source.suggest(asked)
    (pid,) = (int(line.split()[1]) for line in heard(tmp_path) if line.startswith("pid"))
    assert not gone(pid)
    source.end_game(asked.setting.game_id)
    eventually(lambda: gone(pid))
    source.close()


@pytest.mark.parametrize("command", ["nothing-of-that-name --option", "./nothing", "/nothing"])
def test_a_program_that_is_not_there_is_told_at_the_start(tmp_path: Path, command: str) -> None:
    with pytest.raises(FileNotFoundError, match="no such program"):
        EngineSource(Engine(command=command, folder=str(tmp_path)))


def test_a_program_that_does_not_start_is_told(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("neither a script nor anything else", encoding="utf-8")
    program.chmod(0o755)
    source = EngineSource(Engine(command="./program", folder=str(tmp_path)))
    program.unlink()
    with pytest.raises(SourceFailed, match="does not start"):
        source.suggest(question())
    source.close()


def test_our_own_search_can_be_such_a_program() -> None:
    source = EngineSource(Engine(command=f"{sys.executable} -m bot uci", folder=str(Path(__file__).parents[2])))
    asked = question("e2e3 e7e6", variant=variants.SPARK, within_ms=10_000)
    suggestion = source.suggest(asked)
    source.close()
    assert suggestion is not None
    assert uci.read(asked.position, suggestion.uci) in asked.position.legal_moves()


AUTHORS = """
from bot.timing import RunningClock

def first(position, clock):
    assert isinstance(clock, RunningClock) and clock.left_ms == 60_000
    return sorted(str(square) for square in position.pieces()) and "e2e4"

def silent(position, clock):
    return None

def odd(position, clock):
    return 42

def broken(position, clock):
    raise KeyError("e2e4")

def quitter(position, clock):
    raise SystemExit(3)

CONSTANT = 3
"""


@pytest.fixture
def authors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], FunctionSource]:
    """Makes sources of the functions of an author's module."""
    (tmp_path / "authors_moves.py").write_text(AUTHORS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "authors_moves", raising=False)

    def make(name: str) -> FunctionSource:
        return FunctionSource(Function(target=f"authors_moves:{name}", folder=str(tmp_path)))

    return make


def test_an_authors_function_gets_position_and_clock(authors: Callable[[str], FunctionSource]) -> None:
    suggestion = authors("first").suggest(question())
    assert suggestion is not None and suggestion.uci == "e2e4"
    assert authors("silent").suggest(question()) is None


def test_an_authors_mistakes_are_failures(authors: Callable[[str], FunctionSource]) -> None:
    def asked(name: str, asked: Question) -> None:
        authors(name).suggest(asked)

    with pytest.raises(SourceFailed, match="a int where a move in UCI form was expected"):
        asked("odd", question())
    with pytest.raises(KeyError):
        asked("broken", question())
    with pytest.raises(SourceFailed, match="wanted to end the program"):
        asked("quitter", question())


@pytest.mark.parametrize(("name", "error"), [("missing", AttributeError), ("CONSTANT", TypeError)])
def test_a_function_that_is_not_there_is_told_at_the_start(
    authors: Callable[[str], FunctionSource], name: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        authors(name)
