"""A thread that keeps one stream open and passes on its lines."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from bot.backoff import Allowance, Backoff, Clock
from bot.transport import LichessError, Limited, LineStream


@dataclass(frozen=True)
class Opened:
    """The stream is open (again): what follows is the whole truth anew."""


@dataclass(frozen=True)
class Line:
    """A line that is no keep-alive, and when it was read, by our clock."""

    text: str
    at: float


@dataclass(frozen=True)
class Ended:
    """The stream ended after `lived_s`, or could not be opened; an `error` of None is an orderly end."""

    error: LichessError | None
    lived_s: float


@dataclass(frozen=True)
class Died:
    """The thread itself has ended, which nobody wanted; its error is in the log."""


Report = Opened | Line | Ended | Died


class StreamReader:
    """Opens a stream over and over until `stop`, with growing pauses, and reports what it reads.

    A stream that lived for `steady_s` makes the pauses short again; `allowance` bounds the number of openings.
    """

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], LineStream],
        report: Callable[[Report], None],
        *,
        pauses: Backoff,
        steady_s: float,
        clock: Clock,
        allowance: Allowance,
    ) -> None:
        self._open_stream = open_stream
        self._report = report
        self._pauses = pauses
        self._steady_s = steady_s
        self._clock = clock
        self._allowance = allowance
        self._lock = threading.Lock()
        self._stream: LineStream | None = None
        self._stopped = False
        self._heard_at: float | None = None
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    @property
    def heard_at(self) -> float | None:
        """When the site last gave a sign of life, keep-alives included, by our clock; None when it never has."""
        return self._heard_at

    def reopen(self) -> None:
        """Drop the present stream, if any, and open a new one without a pause."""
        with self._lock:
            self._hurry.set()
            if self._stream is not None:
                self._stream.close()

    def stop(self) -> None:
        """Drop the stream and read no more."""
        self._stopped = True
        self.reopen()

    def join(self, timeout_s: float) -> None:
        """Wait for the thread to end."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        try:
            self._read_over_and_over()
        finally:
            if not self._stopped:
                self._report(Died())

    def _read_over_and_over(self) -> None:
        while not self._stopped:
            wait_s = self._allowance.wait_s(self._clock())
            if wait_s > 0:
                # no hurry shortens this one: the site counts the openings
                self._hurry.clear()
                self._hurry.wait(wait_s)
                continue
            self._hurry.clear()
            ended = self._read_once()
            if self._stopped:
                return
            self._report(ended)
            if ended.lived_s >= self._steady_s:
                self._pauses.reset()
            pause_s = self._pauses.next_s()
            if isinstance(ended.error, Limited):
                pause_s = max(pause_s, ended.error.seconds)
            self._hurry.wait(pause_s)

    def _read_once(self) -> Ended:
        began = self._clock()
        self._allowance.note(began)
        try:
            stream = self._open_stream()
            with self._lock:
                self._stream = stream
                if self._stopped:
                    stream.close()
            self._heard_at = self._clock()
            self._report(Opened())
            for text in stream:
                self._heard_at = self._clock()
                if text and not self._stopped:
                    self._report(Line(text, self._clock()))
        except LichessError as error:
            return Ended(error, self._clock() - began)
        finally:
            with self._lock:
                self._stream = None
        return Ended(None, self._clock() - began)
