"""What every game is played with: the site, the records, the settings, and the sources of time and chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.backoff import Clock
from bot.config import Config
from bot.lichess import Lichess
from bot.records.database import Records
from bot.search.thinker import Limits, StopFlag, Thought
from rules.game import Game


class Mind(Protocol):
    """What thinks about a game; bot.search.thinker.Thinker is one."""

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        """The best move found within the limits, or until the flag is set."""


@dataclass(frozen=True)
class Surroundings:
    """Shared by the sessions of an account.

    `clock` never goes back, `now` is the time of day, `new_mind` takes the size of its memory in MB.
    """

    lichess: Lichess
    records: Records
    config: Config
    account_id: str
    clock: Clock
    now: Callable[[], datetime]
    chance: random.Random
    new_mind: Callable[[int], Mind]
