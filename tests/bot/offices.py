"""An office for the parts of a daemon: with a clock of its own, and work that is done when a test says so."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any

from bot import wire
from bot.config import Config
from bot.lichess import Lichess
from bot.office import Office
from bot.records.acquaintances import Acquaintances
from bot.records.database import Records

NOW_S = 1_800_000_000.0
NOBODY_LISTENS = "http://127.0.0.1:9"


class Desk:
    """The office, its clock, and the work that waits for the daemon's thread, which is the test's."""

    def __init__(self, records: Records, url: str = NOBODY_LISTENS, **sections: Any) -> None:
        self.seconds = 0.0
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        config = Config.model_validate(sections)
        account = wire.Account(id="housebot", username="housebot", title="BOT")
        self.office = Office(
            config=config,
            lichess=Lichess(url, "token", config.network),
            account=account,
            players=Acquaintances(records, "test", account.id),
            clock=lambda: self.seconds,
            now=lambda: datetime.fromtimestamp(NOW_S + self.seconds, UTC),
            chance=random.Random(5),
            post=self._work.put,
        )

    def work(self) -> None:
        """Do the next thing that comes for the daemon's thread."""
        assert threading.current_thread() is threading.main_thread()
        self._work.get(timeout=10)()

    @property
    def idle(self) -> bool:
        """Whether nothing has come for the daemon's thread."""
        return self._work.empty()
