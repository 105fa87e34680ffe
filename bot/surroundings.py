"""What every game is played with: the site, the records, the settings, and the sources of time and chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.backoff import Clock
from bot.config import Config
from bot.lichess import Lichess
from bot.records.database import Records


@dataclass(frozen=True)
class Surroundings:
    """Shared by the sessions of an account; `clock` never goes back, `now` is the time of day."""

    lichess: Lichess
    records: Records
    config: Config
    account_id: str
    clock: Clock
    now: Callable[[], datetime]
    chance: random.Random
