"""How a session can end."""

from __future__ import annotations

from dataclasses import dataclass

from bot import wire
from bot.records.database import RecordsError
from bot.records.game import GameRecord
from bot.transport import Unauthorized


@dataclass(frozen=True)
class Finished:
    """The game is over and recorded; `full` is what its stream told, None when it ended unseen."""

    record: GameRecord
    full: wire.GameFull | None = None


@dataclass(frozen=True)
class Left:
    """The game goes on without us; its journal row stays."""


@dataclass(frozen=True)
class Resting:
    """The opponent takes its time over a game without a clock; the journal row stays."""


@dataclass(frozen=True)
class Broken:
    """Something that must not happen did; the game may go on without us."""

    error: Exception


@dataclass(frozen=True)
class Fatal:
    """The whole account cannot go on: the token is no longer good, or the database."""

    error: Unauthorized | RecordsError


Ending = Finished | Left | Resting | Broken | Fatal


class StillRunning(Exception):
    """The site refuses the stream of a game that it holds to be running."""


class StreamLost(Exception):
    """The thread that reads the stream is gone."""
