"""The other threads of a search: they search the same root, so that the table knows more when the main one needs it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from bot.search.stopping import StopFlag


class Crew:
    """Drivers that search, each in a thread of its own, as long as the context lasts; the root has been set up."""

    def __init__(self, drivers: Sequence[Any], limits: Mapping[str, Any]) -> None:
        self._drivers = drivers
        self._flag = StopFlag()
        self._threads = []
        for number, driver in enumerate(drivers, start=1):
            own = {**limits, "ahead": number}
            self._threads.append(threading.Thread(target=self._search, args=(driver, own), name="search", daemon=True))

    def __enter__(self) -> Crew:
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError:
            # the system grants no more threads: those that run are enough
            self._threads = [thread for thread in self._threads if thread.ident is not None]
        return self

    def __exit__(self, *failure: object) -> None:
        self._flag.set()
        for thread in self._threads:
            thread.join()

    @property
    def nodes(self) -> int:
        """What they have searched so far."""
        return sum(driver.nodes for driver in self._drivers)

    def _search(self, driver: Any, limits: Mapping[str, Any]) -> None:
        with suppress(ValueError):
            # no move to be looked at: the main one says so
            driver.think(limits, self._flag)
