"""How a fault is written.

    KIND[=VALUE]@[USER]/PATH[#TIMES][%PERCENT]

PATH is a pattern in which `*` stands for anything, USER whoever makes the request (default: anyone), TIMES how often it
happens (default: always), PERCENT how likely it is each time (default: 100).  MS may be a range such as `50-300`.

Of a request:

    status=CODE      answers CODE with a page of HTML instead of doing anything; 200 is a captive portal
    limit=SECONDS    answers 429 with Lichess's `ratelimit` object instead of doing anything
    empty=CODE       answers CODE with nothing in it instead of doing anything
    refuse           closes the connection instead of doing anything
    revoke           first makes the token that comes with it worthless
    clock=MS         first lets the clock of the player who asks jump, in the game of PATH: `clock=-30000`
    lag=MS           first waits that long
    delay=MS         does it, and answers that much later
    lose             does it, and closes the connection without an answer
    repeat           does it twice, as a proxy does that tries again, and gives the second answer

Of a stream, counted once each time one is opened:

    drop[=LINES]     breaks the connection after so many lines (default 1)
    tear[=LINES]     breaks the connection in the middle of the line after so many lines
    end[=LINES]      ends the stream in good order after so many lines
    freeze[=LINES]   sends nothing more after so many lines, not even keep-alives: a half-open connection

Of a line in a stream, by its type (`final`: a state that ends the game; `keepAlive`; `any`: all but keep-alives):

    duplicate=TYPE   sends it twice
    swallow=TYPE     does not send it
    late=TYPE:MS     sends it that much later, and what follows it after it
"""
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase

_SPEC = re.compile(
    r"(?P<kind>\w+)(?:=(?P<value>[\w:+-]+))?@(?P<user>[A-Za-z0-9_-]*)(?P<path>/[^#%]*)"
    r"(?:#(?P<times>[1-9]\d{0,8}))?(?:%(?P<percent>\d{1,3}(?:\.\d+)?))?",
    re.ASCII,
)
_FORM = "expected KIND[=VALUE]@[USER]/PATH[#TIMES][%PERCENT]"
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_JUMP = re.compile(r"[+-]?\d{1,9}", re.ASCII)
ANY_LINE = "any"
KEEP_ALIVE_LINE = "keepAlive"
LINE_TYPES = (
    *("gameStart", "gameFinish", "challenge", "challengeCanceled", "challengeDeclined"),
    *("gameFull", "gameState", "chatLine", "opponentGone", "final", KEEP_ALIVE_LINE, ANY_LINE),
)


class FaultKind(StrEnum):
    """What can go wrong."""

    STATUS = "status"
    LIMIT = "limit"
    EMPTY = "empty"
    REFUSE = "refuse"
    REVOKE = "revoke"
    CLOCK = "clock"
    LAG = "lag"
    DELAY = "delay"
    LOSE = "lose"
    REPEAT = "repeat"
    DROP = "drop"
    TEAR = "tear"
    END = "end"
    FREEZE = "freeze"
    DUPLICATE = "duplicate"
    SWALLOW = "swallow"
    LATE = "late"


REFUSALS = (FaultKind.STATUS, FaultKind.LIMIT, FaultKind.EMPTY, FaultKind.REFUSE)
BREAKS = (FaultKind.DROP, FaultKind.TEAR, FaultKind.END, FaultKind.FREEZE)
OF_LINES = (FaultKind.DUPLICATE, FaultKind.SWALLOW, FaultKind.LATE)
_CODES = (FaultKind.STATUS, FaultKind.EMPTY)
_WITHOUT_VALUE = (FaultKind.REFUSE, FaultKind.REVOKE, FaultKind.LOSE, FaultKind.REPEAT)


class FaultError(ValueError):
    """A fault that is not written as it should be."""

    def __init__(self, spec: str, problem: str) -> None:
        super().__init__(f"fault {spec!r}: {problem}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault as written; `low` and `high` bound the code, seconds, milliseconds or lines."""

    kind: FaultKind
    path: str
    user_id: str = ""
    low: int = 0
    high: int = 0
    line_type: str = ""
    times: int | None = None
    percent: float = 100

    @classmethod
    def parse(cls, spec: str) -> Fault:
        """The fault that a text describes.

        Raises: FaultError.
        """
        match = _SPEC.fullmatch(spec)
        if match is None or float(match["percent"] or 100) > 100:
            raise FaultError(spec, _FORM)
        if match["kind"] not in tuple(FaultKind):
            raise FaultError(spec, f"unknown kind {match['kind']!r} (known: {', '.join(FaultKind)})")
        times, percent = match["times"], match["percent"]
        fault = cls(
            FaultKind(match["kind"]),
            match["path"],
            match["user"].lower(),
            times=int(times) if times else None,
            percent=float(percent) if percent else 100,
        )
        return fault._with_value(spec, match["value"])

    def _with_value(self, spec: str, value: str | None) -> Fault:
        kind = self.kind
        if kind in _WITHOUT_VALUE:
            if value is not None:
                raise FaultError(spec, f"{kind.value} takes no value")
            return self
        if kind in OF_LINES:
            line_type, _, wait = (value or "").partition(":")
            if line_type not in LINE_TYPES:
                raise FaultError(spec, f"expected one of {', '.join(LINE_TYPES)} after {kind.value}=")
            named = replace(self, line_type=line_type)
            return named._between(spec, wait) if kind is FaultKind.LATE or wait else named
        if value is None and kind in BREAKS:
            value = "1"
        if kind is FaultKind.CLOCK:
            if value is None or not _JUMP.fullmatch(value):
                raise FaultError(spec, "expected milliseconds after clock=, such as -30000")
            return replace(self, low=int(value), high=int(value))
        return self._between(spec, value or "")

    def _between(self, spec: str, value: str) -> Fault:
        match = _RANGE.fullmatch(value)
        if match is None or self.kind in (FaultKind.DUPLICATE, FaultKind.SWALLOW):
            raise FaultError(spec, f"expected a number after {self.kind.value}=")
        low = int(match[1])
        high = int(match[2] or low)
        if self.kind in _CODES and (low != high or not (low == 200 or 400 <= low <= 599)):
            raise FaultError(spec, "expected 200 or an error code from 400 to 599")
        if low > high:
            raise FaultError(spec, f"{value} is no range")
        return replace(self, low=low, high=high)

    def concerns(self, path: str) -> bool:
        """Whether a request for `path` is meant."""
        return fnmatchcase(path, self.path)
