"""Requests in one game that can wait or fail: resigning, answering, claiming, aborting."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from typing import Final

from bot.backoff import Backoff
from bot.config import Network
from bot.transport import LichessError, ServerTrouble, Unreachable

logger = logging.getLogger(__name__)

TRIES: Final = 3


class Errands:
    """Runs each in a thread of its own, a few times if need be, until `over` is set."""

    def __init__(self, game_id: str, network: Network, chance: random.Random, over: threading.Event) -> None:
        self._game_id = game_id
        self._network = network
        self._chance = chance
        self._over = over

    def run(self, what: str, call: Callable[[], None]) -> None:
        """Ask for something, without waiting for it."""
        name = f"errand of {self._game_id}"
        threading.Thread(target=self._try, args=(what, call), name=name, daemon=True).start()

    def _try(self, what: str, call: Callable[[], None]) -> None:
        pauses = Backoff(self._network.move_retry_first_s, self._network.move_retry_most_s, self._chance)
        for _ in range(TRIES):
            try:
                call()
                return
            except (Unreachable, ServerTrouble) as error:
                logger.info("game %s: could not %s: %s", self._game_id, what, error)
                if self._over.wait(pauses.next_s()):
                    return
            except LichessError as error:
                logger.info("game %s: could not %s: %s", self._game_id, what, error)
                return
