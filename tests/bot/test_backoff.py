"""Pauses, allowances and the queue of requests to a host."""

from __future__ import annotations

import random
import threading
from queue import SimpleQueue

import pytest

from bot.backoff import Allowance, Backoff, Closed, Gate, Urgency


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_pauses_double_to_their_limit_with_jitter_and_start_again() -> None:
    pauses = Backoff(1, 30, random.Random(4))
    found = [pauses.next_s() for _ in range(8)]
    for pause, whole in zip(found, [1, 2, 4, 8, 16, 30, 30, 30], strict=True):
        assert 0.75 * whole <= pause <= whole
    assert len(set(found)) == len(found)
    pauses.reset()
    assert pauses.next_s() <= 1


def test_pauses_stay_bounded_after_thousands_of_failures() -> None:
    pauses = Backoff(1, 30, random.Random(4))
    assert max(pauses.next_s() for _ in range(5000)) <= 30


def test_an_allowance_counts_in_a_moving_window() -> None:
    allowance = Allowance(2, 10)
    assert allowance.wait_s(0) == 0
    allowance.note(0)
    allowance.note(4)
    assert allowance.wait_s(5) == 5
    assert allowance.wait_s(10) == 0
    allowance.note(10)
    assert allowance.wait_s(11) == 3


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
    with gate.turn(Urgency.MOVE):
        order.put("move")
    release.set()
    for thread in (holder, *waiting):
        thread.join(5)
    assert [order.get_nowait() for _ in range(4)] == ["move", "first", "answer", "other"]


def test_a_pause_holds_up_everything_but_moves() -> None:
    gate = Gate(HandClock())
    gate.pause(60)
    with gate.turn(Urgency.MOVE):
        passed = True
    assert passed
    refused = SimpleQueue[type]()

    def ask() -> None:
        try:
            with gate.turn(Urgency.ANSWER):
                refused.put(int)
        except Closed:
            refused.put(Closed)

    thread = threading.Thread(target=ask)
    thread.start()
    while gate.waiting < 1:
        pass
    gate.close()
    thread.join(5)
    assert refused.get_nowait() is Closed


def test_a_pause_ends() -> None:
    clock = HandClock()
    gate = Gate(clock)
    gate.pause(60)
    clock.now = 60.5
    with gate.turn(Urgency.OTHER):
        pass


def test_a_closed_gate_lets_nothing_in() -> None:
    gate = Gate(HandClock())
    gate.close()
    with pytest.raises(Closed), gate.turn(Urgency.OTHER):
        pass
