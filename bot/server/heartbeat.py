"""Notes from time to time that the server is there, so that after a restart its absence is known, and only that."""
from __future__ import annotations

from collections.abc import Callable

from bot.server.store.database import Database, StoreError
from bot.server.timekeeper import Timekeeper

_ALIVE = "alive_at_ms"
_BEAT_MS = 5_000


def last_beat_ms(database: Database) -> int:
    """When a server on this database was last there, as far as it noted that; 0 for never."""
    return int(database.fact(_ALIVE) or 0)


class Heartbeat:
    """Beats as long as it is `needed`."""

    def __init__(self, timekeeper: Timekeeper, database: Database, needed: Callable[[], bool]) -> None:
        self._timekeeper = timekeeper
        self._database = database
        self._needed = needed
        self._beating = False

    def wake(self) -> None:
        """Begin to beat, if it is needed again."""
        if not self._beating:
            self._beat()

    def note(self) -> None:
        """The server is there. Raises: StoreError."""
        self._database.set_fact(_ALIVE, str(self._timekeeper.now_ms()))

    def _beat(self) -> None:
        self._beating = self._needed()
        if self._beating:
            try:
                self.note()
            except StoreError:
                # Whoever runs the server has been told, and takes it down.
                return
            self._timekeeper.call_at(self._timekeeper.now_ms() + _BEAT_MS, self._beat)
