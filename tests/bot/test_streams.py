"""The thread that keeps a stream open."""

from __future__ import annotations

import random
import threading
import time
from queue import Empty, SimpleQueue
from typing import Any

import pytest

from bot.backoff import Allowance, Backoff
from bot.config import Network
from bot.lichess import Lichess
from bot.streams import Died, Ended, Line, Opened, Report, StreamReader
from bot.transport import Limited, LineStream, Refused, Unreachable
from tests.bot.loopback import Exchange, Loopback, loopback
from tests.server.players import until

NETWORK = Network(stall_timeout_s=0.3, connect_timeout_s=1, limited_pause_s=0.3)


class Reading:
    """A reader at work, and what it has reported."""

    def __init__(self, server: Loopback, **changes: Any) -> None:
        self.reports: SimpleQueue[Report] = SimpleQueue()
        options: dict[str, Any] = {
            "pauses": Backoff(0.05, 0.2, random.Random(1)),
            "steady_s": 5,
            "clock": time.monotonic,
            "allowance": Allowance(100, 60),
        }
        lichess = Lichess(server.url, None, NETWORK)
        self.reader = StreamReader("test", lichess.events, self.reports.put, **options | changes)
        self.reader.start()

    def next(self, timeout_s: float = 5) -> Report:
        return self.reports.get(timeout=timeout_s)

    def stop(self) -> None:
        self.reader.stop()
        self.reader.join(5)
        assert not self.reader.alive


def one_line(exchange: Exchange) -> None:
    exchange.open_stream()
    exchange.chunk(b'{"n":%d}\n\n' % len(exchange.server.requests))


def ending(exchange: Exchange) -> None:
    one_line(exchange)
    exchange.chunk(b"")


def staying(exchange: Exchange) -> None:
    one_line(exchange)
    while not exchange.server.over.wait(0.1):
        exchange.chunk(b"\n")


def test_an_orderly_end_is_reported_and_the_stream_opened_again() -> None:
    with loopback(ending) as server:
        reading = Reading(server)
        for number in (1, 2):
            assert isinstance(reading.next(), Opened)
            line = reading.next()
            assert isinstance(line, Line)
            assert line.text == f'{{"n":{number}}}'
            ended = reading.next()
            assert isinstance(ended, Ended)
            assert ended.error is None
        reading.stop()


def test_a_silent_stream_is_dropped_and_opened_again() -> None:
    def silent(exchange: Exchange) -> None:
        one_line(exchange)
        exchange.server.over.wait(5)

    with loopback(silent) as server:
        reading = Reading(server)
        reports = [reading.next() for _ in range(4)]
        assert [type(report) for report in reports] == [Opened, Line, Ended, Opened]
        assert isinstance(reports[2], Ended)
        assert isinstance(reports[2].error, Unreachable)
        reading.stop()


def test_a_refusal_is_reported_and_tried_again() -> None:
    with loopback(lambda exchange: exchange.reply_json({"error": "No such game"}, 404)) as server:
        reading = Reading(server)
        ended = [reading.next(), reading.next()]
        assert all(isinstance(report, Ended) and isinstance(report.error, Refused) for report in ended)
        reading.stop()


def test_reopening_replaces_the_stream_at_once() -> None:
    with loopback(staying) as server:
        reading = Reading(server, pauses=Backoff(60, 60, random.Random(1)))
        assert [type(reading.next()) for _ in range(2)] == [Opened, Line]
        reading.reader.reopen()
        assert [type(reading.next()) for _ in range(3)] == [Ended, Opened, Line]
        reading.stop()


def test_stopping_ends_a_read_and_a_pause() -> None:
    with loopback(staying) as server:
        reading = Reading(server)
        assert isinstance(reading.next(), Opened)
        began = time.monotonic()
        reading.stop()
        assert time.monotonic() - began < 1
    with loopback(ending) as server:
        reading = Reading(server, pauses=Backoff(60, 60, random.Random(1)))
        assert [type(reading.next()) for _ in range(3)] == [Opened, Line, Ended]
        reading.stop()


def test_a_limit_is_waited_out() -> None:
    with loopback(lambda exchange: exchange.reply(429, "")) as server:
        reading = Reading(server)
        began = time.monotonic()
        ended = [reading.next(), reading.next()]
        assert time.monotonic() - began >= NETWORK.limited_pause_s
        assert all(isinstance(report, Ended) and isinstance(report.error, Limited) for report in ended)
        reading.stop()


@pytest.mark.parametrize("hurried", [False, True])
def test_openings_are_bounded_however_often_a_new_one_is_asked_for(hurried: bool) -> None:
    with loopback(ending) as server:
        reading = Reading(server, pauses=Backoff(0.001, 0.001, random.Random(1)), allowance=Allowance(3, 60))
        with pytest.raises(Empty):
            while True:
                reading.next(timeout_s=0.3)
                if hurried:
                    reading.reader.reopen()
        assert reading.reader.alive
        reading.stop()
        assert len(server.requests) == 3


def test_a_reader_that_dies_does_not_go_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    deaths: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda death: deaths.append(death.exc_value))

    def impossible() -> LineStream:
        raise ZeroDivisionError("nobody expects this")

    reports = SimpleQueue[Report]()
    reader = StreamReader(
        "test", impossible, reports.put,
        pauses=Backoff(1, 1, random.Random(1)), steady_s=5, clock=time.monotonic, allowance=Allowance(9, 60),
    )  # fmt: skip
    reader.start()
    assert reports.get(timeout=5) == Died()
    reader.join(5)
    assert [type(death) for death in deaths] == [ZeroDivisionError]


def test_the_last_sign_of_life_is_known() -> None:
    with loopback(staying) as server:
        reading = Reading(server)
        assert reading.reader.heard_at is None or reading.reader.heard_at <= time.monotonic()
        assert [type(reading.next()) for _ in range(2)] == [Opened, Line]
        first = reading.reader.heard_at
        assert first is not None
        until(lambda: (reading.reader.heard_at or 0) > first)
        reading.stop()
