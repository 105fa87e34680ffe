"""The values that are kept of the players met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DAY_S: Final = 86_400.0
REMEMBERED_S: Final = 30 * DAY_S


@dataclass(frozen=True)
class Encounter:
    """A game that began; `opponent` is an id, "" for nobody in particular, `bot` is for a bot of the site.

    `begun_at` is in seconds since 1970; `aborted` is for a game that ended before it had begun, not by our will.
    """

    game_id: str
    opponent: str
    bot: bool
    rated: bool
    color: str
    begun_at: float
    rematch_of: str | None = None
    aborted: bool = False


@dataclass(frozen=True)
class Shun:
    """An opponent who is not asked, in one aspect of games or ("") in all, until a time in seconds since 1970."""

    opponent: str
    aspect: str
    until: float
