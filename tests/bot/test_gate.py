"""The queue of requests to a host: one at a time, urgent ones first, and nothing but moves after too many."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import pytest

from bot.gate import Closed, Gate, Urgency


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_requests_go_one_at_a_time_urgent_ones_first() -> None:
    gate, order = Gate(HandClock()), SimpleQueue[str]()
    inside, release = threading.Event(), threading.Event()

    def first() -> None:
        with gate.turn(Urgency.OTHER):
            inside.set()
            release.wait(5)
            order.put("first")

    def later(urgency: Urgency, name: str) -> threading.Thread:
        def run() -> None:
            with gate.turn(urgency):
                order.put(name)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    holder = threading.Thread(target=first)
    holder.start()
    assert inside.wait(5)
    waiting = [later(Urgency.OTHER, "other")]
    while gate.waiting < 1:
        pass
    waiting.append(later(Urgency.ANSWER, "answer"))
    while gate.waiting < 2:
        pass
    waiting.append(later(Urgency.ACCEPT, "accept"))
    while gate.waiting < 3:
        pass
    with gate.turn(Urgency.MOVE):
        order.put("move")
    release.set()
    for thread in (holder, *waiting):
        thread.join(5)
    assert [order.get_nowait() for _ in range(5)] == ["move", "first", "accept", "answer", "other"]


def asking(gate: Gate, owner: str, results: SimpleQueue[str]) -> threading.Thread:
    """A thread that asks for a turn, and says how that went."""

    def ask() -> None:
        try:
            with gate.turn(Urgency.ANSWER, owner):
                results.put(f"{owner} served")
        except Closed:
            results.put(f"{owner} sent away")

    before = gate.waiting
    thread = threading.Thread(target=ask)
    thread.start()
    while gate.waiting == before:
        pass
    return thread


def test_a_limit_holds_up_everything_but_moves() -> None:
    gate = Gate(HandClock())
    gate.limit(60, usual_s=1)
    with gate.turn(Urgency.MOVE):
        passed = True
    assert passed
    results = SimpleQueue[str]()
    thread = asking(gate, "bot", results)
    assert gate.paused_s == 60
    gate.leave("bot")
    thread.join(5)
    assert results.get_nowait() == "bot sent away"


def test_a_pause_ends() -> None:
    clock = HandClock()
    gate = Gate(clock)
    gate.limit(60, usual_s=1)
    clock.now = 60.5
    with gate.turn(Urgency.OTHER):
        gate.wait_out_pause()


def test_a_pause_that_nobody_names_grows_until_a_request_is_served() -> None:
    clock = HandClock()
    gate = Gate(clock)
    pauses = []
    for _ in range(6):
        pauses.append(gate.limit(None, usual_s=60))
        clock.now += pauses[-1]
    assert pauses == [60, 120, 240, 480, 600, 600]
    gate.served()
    assert gate.limit(None, usual_s=60) == 60


def test_moves_that_are_limited_during_a_pause_extend_it_but_do_not_double_it() -> None:
    clock = HandClock()
    gate = Gate(clock)
    for _ in range(5):
        assert gate.limit(None, usual_s=60) == 60
        clock.now += 1.5
    assert gate.paused_s == 58.5


def test_what_a_site_names_is_what_is_waited() -> None:
    gate = Gate(HandClock())
    assert gate.limit(7, usual_s=60) == 7
    assert gate.paused_s == 7
    assert gate.limit(3, usual_s=60) == 3
    assert gate.paused_s == 7, "a shorter pause does not cut a longer one"


def test_one_account_that_leaves_sends_only_its_own_requests_away() -> None:
    clock = HandClock()
    gate, results = Gate(clock), SimpleQueue[str]()
    gate.limit(60, usual_s=1)
    leaving, staying = asking(gate, "ada", results), asking(gate, "bea", results)
    clock.now = 61
    gate.leave("ada")
    for thread in (leaving, staying):
        thread.join(5)
    assert {results.get_nowait() for _ in range(2)} == {"ada sent away", "bea served"}
    with pytest.raises(Closed), gate.turn(Urgency.OTHER, "ada"):
        pass
    with pytest.raises(Closed):
        gate.wait_out_pause("ada")
