"""How a game ended: its status, who won and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.move import Color


class Status(StrEnum):
    """The final statuses that the rules alone can give, spelled as on the Lichess wire."""

    MATE = "mate"
    STALEMATE = "stalemate"
    DRAW = "draw"
    VARIANT_END = "variantEnd"


class Reason(StrEnum):
    """Why a game ended; the last group is never given by these rules, but by people, clocks and servers."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    KING_EXPLODED = "kingExploded"
    KING_ON_HILL = "kingOnHill"
    THREE_CHECKS = "threeChecks"
    RACE = "race"
    BOTH_RACED = "bothRaced"
    HORDE_DESTROYED = "hordeDestroyed"
    ALL_LOST = "allLost"
    KING_CAPTURED = "kingCaptured"
    BARE_KINGS = "bareKings"
    KING_AND_MINOR = "kingAndMinor"
    NO_MOVES = "noMoves"
    DEAD_MATERIAL = "deadMaterial"
    REPETITION = "repetition"
    QUIET_PLIES = "quietPlies"

    PLY_LIMIT = "plyLimit"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    FLAG = "flag"
    ABANDONMENT = "abandonment"
    ANNULLED = "annulled"
    ABORTED = "aborted"
    NO_START = "noStart"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game; `winner` is None for a draw."""

    status: Status
    winner: Color | None
    reason: Reason
