"""Things that go wrong on purpose, to try a bot against them; fault_spec.py tells how they are written."""
from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.server.fault_spec import ANY_LINE, KEEP_ALIVE_LINE, OF_LINES, Fault, FaultKind


@dataclass(frozen=True, slots=True)
class Strike:
    """One time that a fault happens; `number` is its code, seconds, milliseconds or lines, by lot if it has a range."""

    kind: FaultKind
    number: int


class _Armed:
    """A fault that is switched on. Its chances are its own, so that what else is on does not change them."""

    def __init__(self, fault: Fault, chance: random.Random) -> None:
        self.fault = fault
        self._chance = chance
        self._left = fault.times

    def strike(self) -> Strike | None:
        """The fault, if it happens this time."""
        fault = self.fault
        if self._left == 0 or (fault.percent < 100 and self._chance.random() * 100 >= fault.percent):
            return None
        if self._left is not None:
            self._left -= 1
        return Strike(fault.kind, self._chance.randint(fault.low, fault.high))


@dataclass(eq=False, slots=True)
class OpenStream:
    """A stream that is being sent; `break_off` makes it go wrong at once, `whole` tells whether it has yet."""

    path: str
    break_off: Callable[[FaultKind], None]
    whole: bool = True


class Faults:
    """The faults that are switched on, and the streams on which they can be worked at once.

    The same seed gives the same faults for the same requests.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._armed: list[_Armed] = []
        self._streams: dict[OpenStream, None] = {}

    def __bool__(self) -> bool:
        """Whether any fault is switched on."""
        return bool(self._armed)

    @property
    def of_lines(self) -> bool:
        """Whether lines of streams have to be looked at."""
        return any(armed.fault.kind in OF_LINES for armed in self._armed)

    def add(self, spec: str) -> None:
        """Switch a fault on. Raises: FaultError."""
        fault = Fault.parse(spec)
        self._armed.append(_Armed(fault, random.Random(f"{self._seed} {len(self._armed)} {spec}")))

    def clear(self) -> None:
        """Switch all faults off."""
        self._armed.clear()

    def take(
        self, path: str, who: Callable[[], str], *kinds: FaultKind, line_types: tuple[str, ...] = ("",)
    ) -> Strike | None:
        """The first fault of one of these kinds that happens to this request or line; counted as having happened.

        `who` tells the id of the user who asks; it is called only if that matters.
        """
        for armed in self._armed:
            fault = armed.fault
            if (
                fault.kind in kinds
                and fault.line_type in line_types
                and fault.concerns(path)
                and (not fault.user_id or fault.user_id == who())
                and (strike := armed.strike()) is not None
            ):
                return strike
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
        self._streams[stream] = None

    def forget(self, stream: OpenStream) -> None:
        """A stream has been closed."""
        del self._streams[stream]


def types_of(line: bytes) -> tuple[str, ...]:
    """The types by which faults may name a line."""
    if not line.strip():
        return (KEEP_ALIVE_LINE,)
    message = json.loads(line)
    line_type = str(message.get("type", ""))
    state = message.get("state", message)
    final = line_type in ("gameState", "gameFull") and state["status"] not in ("created", "started")
    return (line_type, ANY_LINE, "final") if final else (line_type, ANY_LINE)
