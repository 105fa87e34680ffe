"""The status of a game on the wire, and how it came to it."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.move import Color
from rules.outcome import Outcome, Reason


class GameStatus(Enum):
    """Lichess's statuses: name and number."""

    STARTED = ("started", 20)
    ABORTED = ("aborted", 25)
    MATE = ("mate", 30)
    RESIGN = ("resign", 31)
    STALEMATE = ("stalemate", 32)
    TIMEOUT = ("timeout", 33)
    DRAW = ("draw", 34)
    OUT_OF_TIME = ("outoftime", 35)
    NO_START = ("noStart", 37)
    INSUFFICIENT_MATERIAL_CLAIM = ("insufficientMaterialClaim", 39)
    VARIANT_END = ("variantEnd", 60)

    @property
    def wire(self) -> str:
        """The name."""
        return self.value[0]

    @classmethod
    def named(cls, name: str) -> GameStatus:
        """The status of that name. Raises: KeyError."""
        return _BY_NAME[name]

    @property
    def number(self) -> int:
        """The number."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a game stands; `reason` is None while it is played."""

    status: GameStatus
    winner: Color | None = None
    reason: Reason | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.status is not GameStatus.STARTED

    def score(self, color: Color) -> float:
        """1, ½ or 0 for `color`; a game without a winner is a draw."""
        return 0.5 if self.winner is None else float(self.winner is color)

    @classmethod
    def of(cls, outcome: Outcome) -> Verdict:
        """What the rules of the game have decided."""
        return cls(GameStatus.named(outcome.status.value), outcome.winner, outcome.reason)


_BY_NAME = {status.wire: status for status in GameStatus}
STARTED = Verdict(GameStatus.STARTED)
