"""How a move gets to the server."""

from __future__ import annotations

import random
import threading
import time

import pytest

from bot.backoff import Backoff
from bot.sending import Delivered, Delivery, Forbidden, Rejected, Withdrawn, deliver
from bot.transport import Limited, Refused, ServerTrouble, Unauthorized, Unreachable


class Line:
    """A connection that fails in the given ways, one after the other, and then works."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.sent = 0

    def __call__(self) -> None:
        self.sent += 1
        if self.failures:
            raise self.failures.pop(0)


def delivered(line: Line, withdrawn: threading.Event | None = None, limited_retry_s: float = 0.01) -> Delivery:
    pauses = Backoff(0.001, 0.01, random.Random(1))
    stop = withdrawn or threading.Event()
    return deliver(line, stop, pauses=pauses, limited_retry_s=limited_retry_s, clock=time.monotonic)


@pytest.mark.parametrize("failure", [Unreachable("x"), ServerTrouble("x"), Limited("x", 60)])
def test_what_may_pass_is_tried_again(failure: Exception) -> None:
    line = Line(failure, failure, failure)
    assert isinstance(delivered(line), Delivered)
    assert line.sent == 4


def test_a_refusal_is_not_tried_again() -> None:
    line = Line(Unreachable("x"), Refused(400, "Not your turn"))
    assert delivered(line) == Rejected("Not your turn")
    assert line.sent == 2


def test_a_lost_token_ends_it() -> None:
    error = Unauthorized("401")
    assert delivered(Line(error)) == Forbidden(error)


def test_a_limit_on_moves_is_retried_at_its_own_pace_not_the_hosts() -> None:
    began = time.monotonic()
    assert isinstance(delivered(Line(Limited("x", 60)), limited_retry_s=0.2), Delivered)
    assert 0.2 <= time.monotonic() - began < 5


def test_a_withdrawn_move_is_not_sent_again_and_a_pause_is_cut_short() -> None:
    withdrawn = threading.Event()
    timer = threading.Timer(0.1, withdrawn.set)
    timer.start()
    line = Line(*[Limited("x", 60)] * 3)
    assert delivered(line, withdrawn, limited_retry_s=60) == Withdrawn()
    assert line.sent == 1
    timer.join()


def test_the_round_trip_is_that_of_the_try_that_worked() -> None:
    times = iter([0.0, 10.0, 10.25])
    result = deliver(
        Line(Unreachable("x")), threading.Event(), pauses=Backoff(0.001, 0.001, random.Random(1)),
        limited_retry_s=1, clock=lambda: next(times),
    )  # fmt: skip
    assert result == Delivered(250)
