"""What happens at a table, as values; shapes.py writes them for the wire."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.server.verdict import Verdict
from rules.move import Color


class Room(StrEnum):
    """Where a line of chat is read."""

    PLAYER = "player"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Expiration:
    """The time for a first move in an arena: how much has passed, and how much there was."""

    idle_ms: int
    to_move_ms: int


@dataclass(frozen=True, slots=True)
class StateEvent:
    """The whole state of a game at one moment; pairs are White's first."""

    moves: str
    left_ms: tuple[int, int]
    increment_ms: int
    verdict: Verdict
    draw_offered: tuple[bool, bool] = (False, False)
    takeback_proposed: tuple[bool, bool] = (False, False)
    expiration: Expiration | None = None
    rematch_id: str | None = None
    automatic: tuple[bool, bool] = (False, False)
    looked_away: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """A line of chat; the system's own carry the name `lichess`."""

    room: Room
    username: str
    text: str


@dataclass(frozen=True, slots=True)
class GoneEvent:
    """`absent` has left the board, or has come back; told to the opponent only."""

    absent: Color
    gone: bool
    claim_in_s: int = 0


TableEvent = StateEvent | ChatEvent | GoneEvent
