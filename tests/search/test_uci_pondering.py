"""Centella as a UCI engine: pondering, several lines, chosen moves, mates, threads, and whatever is sent to it."""

import io
import sys
import threading
import time
from collections.abc import Callable, Iterator

import chess
import chess.engine
import pytest

from bot.search.uci import Session

COMMAND = [sys.executable, "-m", "bot", "uci"]
MATE_IN_TWO = "position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
Step = str | Callable[["Heard"], None]


class Heard(io.StringIO):
    """What a session has said, with when it did."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()
        self.lines: list[tuple[float, str]] = []

    def write(self, text: str) -> int:
        with self._changed:
            self.lines += [(time.monotonic(), line) for line in text.splitlines()]
            self._changed.notify_all()
        return len(text)

    def texts(self, beginning: str = "") -> list[str]:
        return [line for _, line in self.lines if line.startswith(beginning)]

    def when(self, beginning: str) -> float:
        return next(moment for moment, line in self.lines if line.startswith(beginning))

    def await_line(self, beginning: str, count: int = 1) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.texts(beginning)) >= count, 20), beginning


def talk(*steps: Step) -> Heard:
    """A session that gets each command when it has taken the one before; a function in between may wait."""
    heard = Heard()

    def commands() -> Iterator[str]:
        for step in steps:
            if isinstance(step, str):
                yield step
            else:
                step(heard)

    Session(heard).run(commands())
    return heard


def heard_line(beginning: str, count: int = 1) -> Step:
    return lambda heard: heard.await_line(beginning, count)


def silence(seconds: float) -> Step:
    """No answer comes meanwhile."""

    def wait(heard: Heard) -> None:
        until = time.monotonic() + seconds
        with heard._changed:
            while (left := until - time.monotonic()) > 0:
                heard._changed.wait(left)
        assert heard.texts("bestmove") == []

    return wait


def test_pondering_takes_no_time_before_the_hit_and_the_clock_counts_from_it() -> None:
    clock = "go ponder wtime 3000 btime 3000 winc 0 binc 0"
    heard = talk("position startpos moves e2e4 e7e5", clock, silence(0.4), "ponderhit", heard_line("bestmove"))
    assert len(heard.texts("bestmove")) == 1
    ended = heard.when("bestmove") - heard.when("info depth 1 ")
    assert 0.4 <= ended < 2.5


@pytest.mark.parametrize("limit", ["movetime 100", "depth 3", "nodes 500", "mate 2"])
def test_a_pondered_search_that_is_done_waits_for_the_hit(limit: str) -> None:
    heard = talk(MATE_IN_TWO, f"go ponder {limit}", silence(0.2), "ponderhit", heard_line("bestmove"))
    assert len(heard.texts("bestmove")) == 1


def test_a_time_for_the_move_counts_from_the_hit() -> None:
    def hit(heard: Heard) -> None:
        heard.write("hit")

    heard = talk("go ponder movetime 300", silence(0.2), hit, "ponderhit", heard_line("bestmove"))
    assert 0.29 <= heard.when("bestmove") - heard.when("hit") < 1.5


def test_a_miss_is_stopped_and_another_search_begins() -> None:
    heard = talk(
        "position startpos moves e2e4 e7e5", "go ponder wtime 60000 btime 60000", heard_line("info depth 3 "),
        "stop", "position startpos moves e2e4 c7c5", "go depth 3",
    )  # fmt: skip
    assert len(heard.texts("bestmove")) == 2


def test_pondering_without_an_end_goes_on_after_the_hit() -> None:
    heard = talk("go ponder infinite", heard_line("info depth 3 "), "ponderhit", silence(0.2), "stop")
    assert len(heard.texts("bestmove")) == 1
    assert talk("go ponder", "ponderhit", silence(0.1)).texts("bestmove"), "the end of the commands ends it"


def test_commands_that_would_have_to_wait_for_ever_are_refused_while_pondering() -> None:
    heard = talk("go ponder movetime 10", "go depth 1", "setoption name Threads value 2", "isready", "quit")
    assert len(heard.texts("info string")) == 2
    assert heard.texts("readyok") and len(heard.texts("bestmove")) == 1


def test_a_second_hit_means_nothing() -> None:
    heard = talk("go ponder movetime 50", "ponderhit", heard_line("bestmove"), "ponderhit")
    assert heard.texts("info string") == ["info string ponderhit: nothing is pondered on"]


def test_several_lines_are_numbered_best_first() -> None:
    heard = talk("setoption name MultiPV value 3", "position startpos", "go depth 7")
    infos = [line.split() for line in heard.texts("info depth 7 ")]
    assert [words[words.index("multipv") + 1] for words in infos] == ["1", "2", "3"]
    scores = [int(words[words.index("cp") + 1]) for words in infos]
    assert scores == sorted(scores, reverse=True)
    assert len({words[words.index("pv") + 1] for words in infos}) == 3
    assert len(heard.texts("info depth")) == 21
    assert heard.texts("bestmove")[0].split()[1] == infos[0][infos[0].index("pv") + 1]


def test_no_more_lines_than_moves() -> None:
    heard = talk("setoption name MultiPV value 9", "position fen 7k/8/8/8/8/8/r7/7K w - - 0 1", "go depth 3")
    assert len(heard.texts("info depth 3 ")) == 1


def test_only_the_chosen_moves_are_searched() -> None:
    heard = talk("position startpos", "go searchmoves a2a3 h2h4 depth 4")
    assert heard.texts("bestmove")[0].split()[1] in ("a2a3", "h2h4")
    heard = talk("go depth 3 searchmoves b1a3")
    assert heard.texts("bestmove")[0].startswith("bestmove b1a3")


def test_moves_that_cannot_be_made_are_left_out() -> None:
    heard = talk("position startpos", "go searchmoves e2e5 b1a3 depth 2")
    assert "e2e5" in heard.texts("info string")[0]
    assert heard.texts("bestmove")[0].startswith("bestmove b1a3")
    assert talk("go searchmoves e2e5 depth 2").texts("bestmove") == ["bestmove (none)"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("depth many movetime 20", "'many' is not a number"),
        ("sideways depth 2", "'sideways' is not understood"),
        ("depth 2 wtime", "'' is not a number"),
    ],
)
def test_what_is_not_understood_is_left_out_and_a_move_comes_all_the_same(words: str, complaint: str) -> None:
    heard = talk(f"go {words}", heard_line("bestmove"))
    assert complaint in heard.texts("info string")[0]
    assert len(heard.texts("bestmove")) == 1


def test_a_mate_is_looked_for_until_it_is_found() -> None:
    heard = talk(MATE_IN_TWO, "go mate 2", heard_line("bestmove"))
    assert "score mate 2" in heard.texts("info depth")[-1]
    heard = talk("position startpos", "go mate 1", heard_line("info depth 5 "), "stop")
    assert len(heard.texts("bestmove")) == 1


def test_chances_are_told_when_asked_for() -> None:
    assert " wdl " not in talk("go depth 2").texts("info depth")[-1]
    words = talk("setoption name UCI_ShowWDL value true", "go depth 2").texts("info depth")[-1].split()
    at = words.index("wdl")
    assert words[at - 2] == "cp"
    assert sum(int(word) for word in words[at + 1 : at + 4]) == 1000
    told = talk("setoption name UCI_ShowWDL value true", MATE_IN_TWO, "go depth 6").texts("info depth")[-1]
    assert "score mate 2 wdl 1000 0 0 " in told


def test_an_analysis_takes_a_draw_for_a_draw() -> None:
    shuffled = "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 2
    lost = "position fen 7k/8/8/8/8/8/6q1/K6Q b - - 0 1"
    for game in (shuffled, lost):
        assert talk("setoption name UCI_AnalyseMode value true", game, "go depth 6").texts("bestmove")


def test_threads_find_the_same_mate_and_add_their_nodes() -> None:
    heard = talk("setoption name Threads value 3", MATE_IN_TWO, "go depth 8", "ucinewgame", "go nodes 1000")
    assert "score mate 2" in heard.texts("info depth 8 ")[0]
    assert len(heard.texts("bestmove")) == 2


def test_what_needs_no_answer_gets_none() -> None:
    assert talk("debug on", "debug off", "register later", "setoption name Clear Hash", "").texts() == []


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as opened:
        yield opened


def test_an_analysis_of_several_lines_under_the_engine_driver(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    infos = engine.analyse(board, chess.engine.Limit(depth=8), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in infos}) == 4
    scores = [info["score"].white().score(mate_score=100000) for info in infos]
    assert scores == sorted(scores, reverse=True)
    roots = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    infos = engine.analyse(board, chess.engine.Limit(depth=6), multipv=5, root_moves=roots)
    assert {info["pv"][0] for info in infos} == set(roots)


def test_an_endless_analysis_under_the_engine_driver(engine: chess.engine.SimpleEngine) -> None:
    with engine.analysis(chess.Board(), multipv=2, info=chess.engine.INFO_ALL) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    assert analysis.wait().move in chess.Board().legal_moves


def test_a_mate_and_chances_under_the_engine_driver(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(board, chess.engine.Limit(mate=2))
    assert info["score"].white() == chess.engine.Mate(2)
    assert info["wdl"].white().winning_chance() == 1.0
    engine.configure({"UCI_ShowWDL": False})


def test_a_game_with_pondering_under_the_engine_driver(engine: chess.engine.SimpleEngine) -> None:
    """The driver ponders after each of the engine's moves; half of the replies are those it pondered on."""
    board, token = chess.Board(), object()
    engine.configure({"Threads": 2})
    for number in range(12):
        limit = chess.engine.Limit(white_clock=2.0, black_clock=2.0, white_inc=0.02, black_inc=0.02)
        found = engine.play(board, limit, game=token, ponder=True)
        assert found.move in board.legal_moves
        board.push(found.move)
        replies = list(board.legal_moves)
        if not replies:
            break
        board.push(found.ponder if found.ponder and number % 2 == 0 else replies[0])
        if board.is_game_over():
            break
    assert board.ply() >= 8
    engine.configure({"Threads": 1})
