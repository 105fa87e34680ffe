"""Limits are kept, the stop flag is heard, and the same input gives the same search."""

import threading
import time

import pytest

from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from rules import variants
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
