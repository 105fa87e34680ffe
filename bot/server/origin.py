"""Where a game comes from."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GameSource(StrEnum):
    """Lichess's names for the ways to begin a game."""

    FRIEND = "friend"
    AI = "ai"
    API = "api"
    ARENA = "arena"


@dataclass(frozen=True, slots=True)
class Origin:
    """How a game came about: its source, the arena it belongs to and the game it is the rematch of."""

    source: GameSource = GameSource.FRIEND
    tournament_id: str | None = None
    berserkable: bool = False
    rematch_of: str | None = None
