"""Centella as a UCI engine: a session with a program, and games under python-chess's engine driver."""

import io
import random
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator

import chess
import chess.engine
import chess.variant
import pytest

from bot.search.uci import Session

COMMAND = [sys.executable, "-m", "bot", "uci"]


def session(*commands: str) -> list[str]:
    """What a session answers; searches without an end are stopped when the commands are over."""
    output = io.StringIO()
    Session(output).run(commands)
    return output.getvalue().splitlines()


def test_it_introduces_itself() -> None:
    answers = session("uci", "isready")
    assert answers[0].startswith("id name Centella")
    assert answers[-2:] == ["uciok", "readyok"]
    options = " ".join(answers)
    for option in (
        *("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash", "UCI_AnalyseMode", "UCI_ShowWDL"),
        *("UCI_Chess960", "UCI_Variant type combo default chess"),
    ):
        assert f"option name {option}" in options
    for name in ("chess", "atomic", "spark", "parlour"):
        assert f"var {name}" in options


def test_a_search_tells_its_progress_and_its_move() -> None:
    answers = session("position startpos moves e2e4", "go depth 6")
    assert len([line for line in answers if line.startswith("info depth ")]) == 6
    words = answers[-2].split()
    for word in ("depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"):
        assert word in words
    assert answers[-1].startswith("bestmove ")


def test_a_mate_is_told_in_moves() -> None:
    answers = session("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "go depth 6")
    assert "score mate 2" in answers[-2]
    answers = session("position fen 7k/1R6/8/8/8/8/R7/6K1 b - - 0 1", "go depth 4")
    assert "score mate -1" in answers[-2]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("jump", "unknown command 'jump'"),
        ("position", "expected startpos or fen"),
        ("position fen 8/8/8 w - - 0 1", "FEN"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"),
        ("position startpos moves e2e4 e2e4", "ply 2"),
        ("setoption name Colour value red", "no option 'Colour'"),
        ("setoption name Hash value 0", "not between 1 and"),
        ("setoption name Hash value big", "'big' is not a number"),
        ("setoption name UCI_Variant value bughouse", "bughouse"),
        ("setoption name UCI_Chess960 value maybe", "neither true nor false"),
        ("setoption name Threads value 0", "not between 1 and"),
        ("setoption name MultiPV value some", "'some' is not a number"),
        ("setoption name Ponder value perhaps", "neither true nor false"),
        ("setoption", "no option ''"),
        ("ponderhit", "nothing is pondered on"),
    ],
)
def test_bad_input_gets_one_line_and_the_session_goes_on(command: str, complaint: str) -> None:
    answers = session(command, "isready")
    assert len(answers) == 2
    assert answers[0].startswith("info string ")
    assert complaint in answers[0]
    assert answers[1] == "readyok"


def test_a_bad_position_leaves_the_one_before() -> None:
    answers = session("position fen k7/8/1K6/8/8/8/8/7R w - - 0 1", "position fen nonsense", "go depth 3")
    assert answers[-1] == "bestmove h1h8"


def test_it_answers_during_a_search_and_stops_when_told() -> None:
    answers = session("go infinite", "isready", "go depth 1", "setoption name Hash value 1", "stop", "isready")
    assert answers.index("readyok") < next(i for i, line in enumerate(answers) if line.startswith("bestmove"))
    assert len([line for line in answers if "a search is under way" in line]) == 2
    assert len([line for line in answers if line.startswith("bestmove")]) == 1
    assert answers[-1] == "readyok"


def test_the_end_of_input_stops_an_endless_search_and_waits_for_a_limited_one() -> None:
    assert session("go infinite")[-1].startswith("bestmove")
    assert session("go depth 5", "position startpos", "go nodes 100")[-1].startswith("bestmove")


def test_a_finished_game_is_said_to_be_finished() -> None:
    answers = session("position fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "go depth 3")
    assert answers[-1] == "bestmove (none)"


def test_moves_go_on_after_a_draw_that_nobody_claimed() -> None:
    answers = session("position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 5 + "e2e4", "go depth 2")
    assert answers[-1].startswith("bestmove")


def test_castling_is_written_as_the_other_program_wants_it() -> None:
    castle = "position fen 4k3/8/8/8/8/8/7r/R3K2R w KQ - 0 1 moves e1c1"
    assert session(castle, "go depth 1")[-1].startswith("bestmove")
    chess960 = ("setoption name UCI_Chess960 value true", castle.replace("e1c1", "e1a1"), "go depth 1")
    assert session(*chess960)[-1].startswith("bestmove")


@pytest.mark.parametrize(
    "go",
    [
        f"go movetime {2**63 - 1} depth 2",
        f"go nodes {10**22} depth 2",
        f"go wtime {10**20} btime 1 winc {10**20} depth 2",
        f"go depth {10**20} nodes 100",
        f"go mate {10**20} nodes 100",
    ],
)
def test_no_number_is_too_large_for_a_move_to_come(go: str) -> None:
    assert session(go)[-1].startswith("bestmove ")


def test_it_ends_when_its_answers_find_no_room() -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    Session(Full()).run(["go depth 3", "quit"])
    with pytest.raises(OSError, match="No space left"):
        Session(Full()).run(["go infinite", "isready"])


def test_it_ends_when_nobody_reads_its_answers() -> None:
    command = "(echo go infinite; echo stop; echo quit) | {} | head -1"
    told = subprocess.run(
        ["sh", "-c", command.format(shlex.join(COMMAND))], capture_output=True, text=True, timeout=60, check=True
    )
    assert told.stdout.startswith("info depth ")
    assert told.stderr == ""


def heeding_interrupts() -> None:
    """Undoes what a shell does to programs in the background: they, and what they start, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt_ends_it_in_the_middle_of_a_search() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(COMMAND, **pipes, text=True, preexec_fn=heeding_interrupts) as running:
        assert running.stdin is not None and running.stdout is not None
        running.stdin.write("go infinite\n")
        running.stdin.flush()
        assert running.stdout.readline().startswith("info depth 1 ")
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as opened:
        yield opened


@pytest.mark.parametrize("board_type", [chess.Board, chess.variant.AtomicBoard])
@pytest.mark.parametrize("limit", [{"nodes": 300}, {"time": 0.01}, {"depth": 3}])
def test_whole_games_under_the_engine_driver(
    engine: chess.engine.SimpleEngine, board_type: type[chess.Board], limit: dict[str, float]
) -> None:
    board = board_type()
    chance = random.Random(str(limit))
    token = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 80:
        if chance.random() < 0.4:
            board.push(chance.choice(list(board.legal_moves)))
            continue
        found = engine.play(board, chess.engine.Limit(**limit), game=token, info=chess.engine.INFO_ALL)
        assert found.move in board.legal_moves
        assert found.info["pv"][0] == found.move
        board.push(found.move)


def test_clocks_are_kept_under_the_engine_driver(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01)
    found = engine.play(board, limit, info=chess.engine.INFO_ALL)
    assert found.info["time"] < 0.5


def test_chess960_under_the_engine_driver(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board.from_chess960_pos(518 - 7)
    for _ in range(20):
        found = engine.play(board, chess.engine.Limit(nodes=200))
        board.push(found.move)
    assert board.ply() == 20
