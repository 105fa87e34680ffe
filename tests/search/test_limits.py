"""Limits are kept, the stop flag is heard, and the same input gives the same search."""

import threading
import time

import pytest

from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from rules import variants
from rules.game import Game
from tests.search.thinking import game, think

KEYS = [variant.key for variant in variants.ALL]


@pytest.mark.parametrize("nodes", [1, 2, 7, 100, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("key", KEYS)
def test_a_node_limit_is_exact(key: str, nodes: int) -> None:
    assert think(game(key), nodes=nodes).nodes == nodes


@pytest.mark.parametrize("depth", [1, 2, 5, 7])
@pytest.mark.parametrize("key", KEYS)
def test_a_depth_limit_is_reached_and_not_passed(key: str, depth: int) -> None:
    assert think(game(key), depth=depth).depth == depth


@pytest.mark.parametrize("time_ms", [1, 20, 120])
def test_a_time_limit_is_kept(time_ms: int) -> None:
    thinker = Thinker(2)
    began = time.monotonic()
    thought = think(game("standard"), thinker, time_ms=time_ms)
    spent_ms = 1000 * (time.monotonic() - began)
    # The slack is for a machine that does other things as well.
    assert time_ms - 1 <= thought.time_ms <= spent_ms < time_ms + 150


# Kings that stay a step from their goals, and compulsory captures without end: answered at every ply without bound, the
# first iteration would explode.
PRESSING = [
    ("racingKings", "8/1K6/R3N1k1/2Q5/7B/6q1/r7/1bn5 w - - 0 10"),
    ("racingKings", "8/K2k4/8/4R2Q/3B2bn/4r3/4q2N/8 b - - 0 10"),
    ("antichess", "rnbqkbnr/pp1pp2p/8/2p5/2P3Q1/P3P3/1P1P1PPP/RNB1KB1R b - - 0 6"),
]


@pytest.mark.parametrize(("key", "fen"), PRESSING)
def test_threats_that_are_never_over_do_not_explode(key: str, fen: str) -> None:
    assert think(game(key, fen), depth=1, nodes=100_000).nodes < 10_000


@pytest.mark.parametrize(("key", "fen"), PRESSING)
def test_a_time_limit_is_kept_in_the_first_iteration_too(key: str, fen: str) -> None:
    unbounded = Thinker(1, {"evasion_plies": 128})
    flag = StopFlag()
    guard = threading.Timer(10, flag.set)
    guard.start()
    thought = unbounded.think(game(key, fen), Limits(time_ms=20), flag)
    guard.cancel()
    assert thought.time_ms < 1000
    assert game(key, fen).position.is_legal(thought.move)


def test_no_new_iteration_begins_long_after_the_soft_limit() -> None:
    thought = think(game("standard"), soft_ms=20, time_ms=5000)
    assert thought.time_ms < 1000


def test_an_only_move_is_played_at_once_when_time_is_managed() -> None:
    thought = think(game("standard", "7k/8/8/8/8/8/r4r2/7K w - - 0 1"), soft_ms=4000, time_ms=5000)
    assert thought.time_ms < 1000


def test_limits_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="nodes is 0"):
        Limits(nodes=0)


def test_a_flag_that_is_up_leaves_a_legal_move() -> None:
    flag = StopFlag()
    flag.set()
    played = game("spark")
    thought = Thinker(1).think(played, Limits(), flag)
    assert played.position.is_legal(thought.move)


def test_the_flag_stops_an_endless_search_soon() -> None:
    flag, found, iterating = StopFlag(), [], threading.Event()

    def search() -> None:
        found.append(Thinker(2).think(game("standard"), Limits(), flag, lambda thought: iterating.set()))

    thread = threading.Thread(target=search)
    thread.start()
    assert iterating.wait(10)
    raised = time.monotonic()
    flag.set()
    thread.join(10)
    assert found and time.monotonic() - raised < 0.2


def test_the_search_lets_other_threads_run() -> None:
    flag, counted = StopFlag(), 0
    thread = threading.Thread(target=lambda: Thinker(2).think(game("standard"), Limits(time_ms=2000), flag))
    thread.start()
    until = time.monotonic() + 0.1
    while time.monotonic() < until:
        counted += 1
    flag.set()
    thread.join(10)
    assert counted > 1000


@pytest.mark.parametrize("key", KEYS)
def test_the_same_input_gives_the_same_search(key: str) -> None:
    first, second = (think(game(key), nodes=20000) for _ in range(2))
    assert (first.pv, first.score_cp, first.depth) == (second.pv, second.score_cp, second.depth)


def test_a_cleared_thinker_is_as_new() -> None:
    thinker = Thinker(2)
    before = think(game("standard"), thinker, nodes=20000)
    think(game("standard", None, "e2e4 e7e5"), thinker, nodes=20000)
    thinker.clear()
    after = think(game("standard"), thinker, nodes=20000)
    assert (before.pv, before.score_cp) == (after.pv, after.score_cp)


def test_progress_is_told_iteration_by_iteration() -> None:
    told: list[Thought] = []
    final = Thinker(2).think(game("atomic"), Limits(depth=6), None, told.append)
    assert [thought.depth for thought in told] == [1, 2, 3, 4, 5, 6]
    assert told[-1].move == final.move
    assert [thought.nodes for thought in told] == sorted(thought.nodes for thought in told)


def test_an_error_of_the_listener_ends_the_search_and_is_not_lost() -> None:
    def fail(thought: Thought) -> None:
        raise RuntimeError("the listener has gone")

    with pytest.raises(RuntimeError, match="listener has gone"):
        Thinker(1).think(game("standard"), Limits(), None, fail)


def test_a_finished_game_has_nothing_to_think_about() -> None:
    with pytest.raises(ValueError, match="no legal move"):
        think(game("standard", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), depth=1)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(ValueError, match="null_mov"):
        Thinker(1, {"null_mov": 1})


def lines_of(thought: Thought) -> tuple[Thought, ...]:
    return (thought, *thought.others)


@pytest.mark.parametrize("key", KEYS)
def test_several_lines_begin_with_different_moves_best_first_in_each_iteration(key: str) -> None:
    told: list[Thought] = []
    Thinker(2).think(game(key), Limits(depth=5, lines=4), None, told.append)
    assert [thought.depth for thought in told] == [1, 2, 3, 4, 5]
    for thought in told:
        lines = lines_of(thought)
        assert len({line.move for line in lines}) == 4
        scores = [line.score_cp for line in lines]
        assert scores == sorted(scores, reverse=True)
        assert all(line.pv[0] == line.move for line in lines)


def test_every_move_has_its_own_score_when_all_lines_are_wanted() -> None:
    played = game("standard", "7k/8/6K1/8/8/8/8/RR6 w - - 0 1")
    moves = played.position.legal_moves()
    lines = lines_of(think(played, depth=4, lines=len(moves)))
    assert {line.move for line in lines} == set(moves)
    scores = {line.move: line.win_in for line in lines}
    for move in moves:
        outcome = Game(played.position.play(move), played.policy).outcome
        mates = outcome is not None and outcome.winner is not None
        assert (scores[move] == 1) == mates
    assert sum(moves_left == 1 for moves_left in scores.values()) == 2


def test_a_search_that_is_cut_short_knows_as_many_lines_as_it_found() -> None:
    thought = think(game("standard"), nodes=1, lines=5)
    assert thought.others == ()
    assert len(think(game("standard"), nodes=3000, lines=5).others) == 4


def test_lines_of_a_search_that_is_cut_short_come_best_first() -> None:
    for nodes in range(200, 4000, 40):
        scores = [line.score_cp for line in lines_of(think(game("standard"), nodes=nodes, lines=3))]
        assert scores == sorted(scores, reverse=True), nodes


def test_a_loss_is_not_told_while_other_moves_are_untried() -> None:
    fen = "6n1/4k1p1/p3q1r1/P2b3r/1NP1p3/1P2PBPP/4R3/6KR w - - 9 44"
    for nodes in range(300, 400, 5):
        assert think(game("kingOfTheHill", fen), nodes=nodes).win_in is None, nodes


def test_only_the_chosen_moves_are_tried() -> None:
    played = game("standard")
    chosen = tuple(played.position.legal_moves()[:2])
    thought = Thinker(2).think(played, Limits(depth=5, moves=chosen, lines=7))
    assert {line.move for line in lines_of(thought)} == set(chosen)
    with pytest.raises(ValueError, match="no legal move"):
        Thinker(2, threads=2).think(played, Limits(depth=5, moves=()))


def test_what_was_found_for_chosen_moves_does_not_stand_for_the_position() -> None:
    played = game("standard", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    thinker = Thinker(2)
    quiet = tuple(move for move in played.position.legal_moves() if move != think(played, depth=4).move)
    thinker.think(played, Limits(depth=9, moves=quiet[:1]))
    assert think(played, thinker, depth=4).win_in == 2


def test_a_mate_ends_the_search_once_it_is_proven() -> None:
    thought = think(game("standard", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"), mate=2)
    assert thought.win_in == 2
    thought = think(game("standard", "7k/1R6/8/8/8/8/R7/6K1 b - - 0 1"), mate=2)
    assert thought.win_in == -1
    assert think(game("standard"), mate=1, depth=5).depth == 5


def test_time_may_be_allowed_to_a_search_under_way() -> None:
    flag, began = StopFlag(), threading.Event()
    found: list[Thought] = []

    def search() -> None:
        found.append(Thinker(2).think(game("standard"), Limits(), flag, lambda thought: began.set()))

    thread = threading.Thread(target=search)
    thread.start()
    assert began.wait(10)
    allowed = time.monotonic()
    flag.allow(200, 0)
    thread.join(10)
    assert found and 0.19 < time.monotonic() - allowed < 1.5
    assert found[0].time_ms >= 190


def test_time_that_was_spent_before_counts_for_a_soft_limit() -> None:
    flag, found = StopFlag(), []

    def told(thought: Thought) -> None:
        if thought.depth == 4:
            flag.allow(60_000, 1000, spent_ms=5000)

    found.append(Thinker(2).think(game("standard"), Limits(), flag, told))
    assert found[0].depth == 4


def test_an_only_move_has_a_score_that_means_something() -> None:
    thought = think(game("standard", "7k/8/8/8/8/8/r4r2/7K w - - 0 1"), soft_ms=4000, time_ms=5000)
    assert thought.depth >= 6 and thought.score_cp < -500


@pytest.mark.parametrize("key", KEYS)
def test_threads_search_together(key: str) -> None:
    played = game(key)
    thinker = Thinker(2, threads=3)
    told: list[Thought] = []
    thought = thinker.think(played, Limits(depth=6), None, told.append)
    assert played.position.is_legal(thought.move)
    assert [one.depth for one in told] == [1, 2, 3, 4, 5, 6]
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)
    assert think(played, thinker, nodes=777).nodes == 777
    thinker.threads = 1
    assert think(played, thinker, depth=2).depth == 2


def test_no_thread_outlives_its_search() -> None:
    before = threading.active_count()
    flag = StopFlag()
    threading.Timer(0.1, flag.set).start()
    Thinker(2, threads=4).think(game("standard"), Limits(), flag)
    assert [thread.name for thread in threading.enumerate() if thread.name == "search"] == []
    assert threading.active_count() <= before + 1


def test_several_lines_by_several_threads() -> None:
    thinker = Thinker(2, threads=2)
    thought = thinker.think(game("atomic"), Limits(depth=6, lines=3))
    scores = [line.score_cp for line in lines_of(thought)]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True)


def test_a_reply_is_expected_also_when_the_line_was_cut_short() -> None:
    played = game("spark")
    thoughts = [think(played, Thinker(2, network="none"), nodes=nodes) for nodes in range(500, 20000, 300)]
    cut_short = [thought for thought in thoughts if len(thought.pv) == 1]
    expected = [thought for thought in cut_short if thought.ponder is not None]
    assert len(expected) > len(cut_short) / 2
    assert all(played.position.play(thought.move).is_legal(thought.ponder) for thought in expected)


def test_no_reply_is_expected_to_a_move_that_ends_the_game() -> None:
    assert think(game("standard", "7k/8/6K1/8/8/8/8/RR6 w - - 0 1"), depth=4).ponder is None
