"""Things that go wrong on purpose, so that a bot can be tried against them.

A fault is written `KIND[=VALUE]@PATH[#TIMES]`; PATH is a pattern in which `*` stands for anything, TIMES how often
(default: always). Of a request:

    status=CODE      answers CODE with a page of HTML instead of doing anything
    limit=SECONDS    answers 429 with Lichess's `ratelimit` object instead of doing anything
    delay=MS         does it, and answers that much later
    lose             does it, and closes the connection without an answer

Of a stream, counted once each time one is opened:

    drop[=LINES]     breaks the connection after so many lines (default 1)
    end[=LINES]      ends the stream in good order after so many lines
    freeze[=LINES]   sends nothing more after so many lines, not even keep-alives

Of a line in a stream, by its type (`final`: a state that ends the game):

    duplicate=TYPE   sends it twice
    swallow=TYPE     does not send it
"""
from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

_SPEC = re.compile(r"(?P<kind>\w+)(?:=(?P<value>\w+))?@(?P<path>/[^#]*)(?:#(?P<times>[1-9]\d*))?")
_LINE_TYPES = (
    *("gameStart", "gameFinish", "challenge", "challengeCanceled", "challengeDeclined"),
    *("gameFull", "gameState", "chatLine", "opponentGone", "final"),
)


class FaultKind(StrEnum):
    """What can go wrong."""

    STATUS = "status"
    LIMIT = "limit"
    DELAY = "delay"
    LOSE = "lose"
    DROP = "drop"
    END = "end"
    FREEZE = "freeze"
    DUPLICATE = "duplicate"
    SWALLOW = "swallow"


NUMBERED = (FaultKind.STATUS, FaultKind.LIMIT, FaultKind.DELAY)
BREAKS = (FaultKind.DROP, FaultKind.END, FaultKind.FREEZE)
BY_TYPE = (FaultKind.DUPLICATE, FaultKind.SWALLOW)


class FaultError(ValueError):
    """A fault that is not written as it should be."""

    def __init__(self, spec: str, problem: str) -> None:
        super().__init__(f"fault {spec!r}: {problem}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault as written; `number` is the code, seconds, milliseconds or lines, `line_type` a type of line."""

    kind: FaultKind
    path: str
    number: int = 0
    line_type: str = ""
    times: int | None = None

    @classmethod
    def parse(cls, spec: str) -> Fault:
        """The fault that a text describes.

        Raises: FaultError.
        """
        match = _SPEC.fullmatch(spec)
        if match is None:
            raise FaultError(spec, "expected KIND[=VALUE]@/PATH[#TIMES]")
        kind_name, value = match["kind"], match["value"]
        if kind_name not in tuple(FaultKind):
            raise FaultError(spec, f"unknown kind {kind_name!r} (known: {', '.join(FaultKind)})")
        kind = FaultKind(kind_name)
        times = int(match["times"]) if match["times"] else None
        if kind in BY_TYPE:
            if value not in _LINE_TYPES:
                raise FaultError(spec, f"expected one of {', '.join(_LINE_TYPES)} after {kind.value}=")
            return cls(kind, match["path"], line_type=value, times=times)
        if kind is FaultKind.LOSE:
            if value is not None:
                raise FaultError(spec, "lose takes no value")
            return cls(kind, match["path"], times=times)
        if value is None and kind in BREAKS:
            value = "1"
        if value is None or not value.isdecimal():
            raise FaultError(spec, f"expected a number after {kind.value}=")
        if kind is FaultKind.STATUS and not 400 <= int(value) <= 599:
            raise FaultError(spec, "expected an error code from 400 to 599")
        return cls(kind, match["path"], number=int(value), times=times)

    def concerns(self, path: str) -> bool:
        """Whether a request for `path` is meant."""
        return fnmatchcase(path, self.path)


@dataclass(slots=True)
class _Armed:
    fault: Fault
    left: int | None

    def strike(self) -> bool:
        """Whether the fault happens this time."""
        if self.left is None:
            return True
        self.left -= 1
        return self.left >= 0


@dataclass(eq=False, slots=True)
class OpenStream:
    """A stream that is being sent; `break_off` makes it go wrong at once, `whole` tells whether it has yet."""

    path: str
    break_off: Callable[[FaultKind], None]
    whole: bool = True


class Faults:
    """The faults that are switched on, and the streams on which they can be worked at once."""

    def __init__(self) -> None:
        self._armed: list[_Armed] = []
        self._streams: list[OpenStream] = []

    def add(self, spec: str) -> None:
        """Switch a fault on. Raises: FaultError."""
        fault = Fault.parse(spec)
        self._armed.append(_Armed(fault, fault.times))

    def clear(self) -> None:
        """Switch all faults off."""
        self._armed.clear()

    def take(self, path: str, *kinds: FaultKind, line_type: str = "") -> Fault | None:
        """The first fault of one of these kinds that concerns `path`; counted as having happened."""
        for armed in self._armed:
            fault = armed.fault
            if fault.kind in kinds and fault.line_type == line_type and fault.concerns(path) and armed.strike():
                return fault
        return None

    def break_streams(self, kind: FaultKind, path: str) -> int:
        """Drop, end or freeze the open streams of `path` now; how many there were."""
        concerned = [stream for stream in self._streams if stream.whole and fnmatchcase(stream.path, path)]
        for stream in concerned:
            stream.break_off(kind)
        return len(concerned)

    def release(self) -> None:
        """Let go of streams that have gone wrong: the server goes down."""
        for stream in self._streams:
            if not stream.whole:
                stream.break_off(FaultKind.DROP)

    def watch(self, stream: OpenStream) -> None:
        """A stream has been opened."""
        self._streams.append(stream)

    def forget(self, stream: OpenStream) -> None:
        """A stream has been closed."""
        self._streams.remove(stream)


def types_of(line: bytes) -> tuple[str, ...]:
    """The types by which faults may name a line; none for a keep-alive."""
    if not line.strip():
        return ()
    message = json.loads(line)
    line_type = str(message.get("type", ""))
    state = message.get("state", message)
    final = line_type in ("gameState", "gameFull") and state["status"] not in ("created", "started")
    return (line_type, "final") if final else (line_type,)
