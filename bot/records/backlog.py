"""Changes that a database could not take: they wait in their order, and are tried again until it does."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

logger = logging.getLogger(__name__)

PATIENT_MS: Final = 1000

Act = Callable[[], object]


class Backlog:
    """For whoever holds `lock`, which guards the connection; tries again every `retry_s` in a thread of its own.

    `name` is what the log calls the database.
    """

    def __init__(self, connection: sqlite3.Connection, lock: threading.Lock, name: str, retry_s: float) -> None:
        self._connection = connection
        self._lock = lock
        self._name = name
        self._retry_s = retry_s
        self._waiting: deque[Act] = deque()
        self._closed = threading.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(self, act: Act, trouble: sqlite3.Error) -> None:
        """Keep the first change that could not be made, and have it made later; `trouble` is what was in its way."""
        self._waiting.append(act)
        # told once, however long it lasts
        logger.error(
            "%s: cannot be written: %s; no new games until it can, and what happens meanwhile is kept in memory",
            self._name, trouble,
        )  # fmt: skip
        threading.Thread(target=self._try_again, name="records", daemon=True).start()

    def add(self, act: Act) -> None:
        """Keep another one."""
        self._waiting.append(act)

    def close(self) -> None:
        """Make what changes can still be made."""
        self._closed.set()
        if self._waiting and not self._work_off():
            logger.error("%s: %d changes could not be written", self._name, len(self._waiting))

    def _try_again(self) -> None:
        while not self._closed.wait(self._retry_s):
            with self._lock:
                if self._closed.is_set() or self._work_off():
                    return

    def _work_off(self) -> bool:
        """Whether all changes have been made now."""
        count = len(self._waiting)
        # who waits for the lock meanwhile has moves to make: no time is spent here on the lock of another process
        self._connection.execute("PRAGMA busy_timeout = 0")
        try:
            while self._waiting:
                self._make(self._waiting[0])
                self._waiting.popleft()
        except sqlite3.Error as error:
            logger.debug("%s: still cannot be written: %s", self._name, error)
            return False
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {PATIENT_MS}")
        logger.info("%s: written again, with %d changes that had waited", self._name, count)
        return True

    def _make(self, act: Act) -> None:
        try:
            with Transaction(self._connection):
                act()
        except sqlite3.IntegrityError:  # an error of ours, which must not keep the others waiting
            logger.exception("%s: a change does not fit", self._name)


class Transaction:
    """All of it or nothing; the write lock is taken at once, so that two processes cannot both begin."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._connection.execute("COMMIT")
        finally:
            # some failures have rolled it back by themselves
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
