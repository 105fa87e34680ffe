"""The file behind the server: SQLite in WAL mode, one connection, used by one thread at a time.

What is committed is with the operating system before the call returns, so that a killed server loses nothing that it
has answered. It does not wait for the disk (`synchronous = NORMAL`): at 5 ms and more for every commit, a hundred
games would keep it from doing anything else. So a machine that loses power may forget the last moments, but the
database stays whole.

    Exception
    └── StoreError         the database cannot be used: one line with the file and the reason
"""
from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

FILE_NAME: Final = "server.sqlite3"
VERSION: Final = 1
_LOCK_NAME: Final = "server.lock"
_BUSY_S: Final = 2.0
# Moving pages from the log to the file waits for the disk. Rarely will do: the same few are written again and again.
_LOG_PAGES: Final = 10_000
_SCHEMA: Final = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE users (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
CREATE TABLE tokens (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL, user_id TEXT NOT NULL, scopes TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_by_user ON tokens (user_id);
CREATE TABLE sessions (digest TEXT PRIMARY KEY, user_id TEXT NOT NULL, created_at_ms INTEGER NOT NULL) STRICT;
CREATE TABLE relations (
    user_id TEXT NOT NULL, other_id TEXT NOT NULL, relation TEXT NOT NULL, PRIMARY KEY (user_id, other_id)
) STRICT;
CREATE TABLE challenges (id TEXT PRIMARY KEY, record TEXT NOT NULL, created_at_ms INTEGER NOT NULL) STRICT;
CREATE TABLE games (
    id TEXT PRIMARY KEY, variant TEXT NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, setting TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL, changed_at_ms INTEGER NOT NULL, over INTEGER NOT NULL, status TEXT NOT NULL,
    winner TEXT, reason TEXT, moves TEXT NOT NULL, memory TEXT NOT NULL
) STRICT;
CREATE INDEX games_by_age ON games (created_at_ms);
CREATE INDEX games_running ON games (created_at_ms) WHERE over = 0;
CREATE INDEX games_of_white ON games (white, variant, created_at_ms);
CREATE INDEX games_of_black ON games (black, variant, created_at_ms);
CREATE TABLE chat (
    game_id TEXT NOT NULL REFERENCES games ON DELETE CASCADE, room TEXT NOT NULL, username TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX chat_of_game ON chat (game_id);
"""


class StoreError(Exception):
    """The database cannot be used."""


class Database:
    """The database in a folder, made if it is not there; without a folder one in memory.

    `serving` keeps other servers away from it as long as it is open; commands may still read and write it.
    Raises: StoreError.
    """

    def __init__(self, folder: Path | None, *, serving: bool = False) -> None:
        self.lasting = folder is not None
        self._place = ":memory:" if folder is None else str(folder / FILE_NAME)
        self._depth = 0
        self._on_failure: Callable[[StoreError], None] | None = None
        self._lock: sqlite3.Connection | None = None
        if folder is not None and serving:
            self._lock = _lock(folder)
        try:
            self._connection = sqlite3.connect(
                self._place, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except sqlite3.Error as error:
            self._release()
            raise StoreError(f"{self._place}: cannot be used: {error}") from None
        except StoreError:
            self._connection.close()
            self._release()
            raise

    def rows(self, statement: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; what it found. Raises: StoreError."""
        with self._telling_failure():
            return self._connection.execute(statement, tuple(values)).fetchall()

    def change(self, statement: str, values: Iterable[object] = ()) -> int:
        """Run one statement; how many rows it changed. Raises: StoreError."""
        with self._telling_failure():
            return self._connection.execute(statement, tuple(values)).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is done in here or nothing; one inside another is a part of it.

        Raises: StoreError.
        """
        if self._depth == 0:
            self.change("BEGIN IMMEDIATE")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0 and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._depth -= 1
        if self._depth == 0:
            self._commit()

    def _commit(self) -> None:
        try:
            self.change("COMMIT")
        except StoreError:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def on_failure(self, action: Callable[[StoreError], None]) -> None:
        """Have `action` called whenever a statement fails, before the error is raised."""
        self._on_failure = action

    def version_seen(self) -> int:
        """A number that changes when another connection has changed the database."""
        version: int = self.rows("PRAGMA data_version")[0][0]
        return version

    def fact(self, name: str) -> str | None:
        """A single value that is kept, None if it was never set."""
        found = self.rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(found[0][0]) if found else None

    def set_fact(self, name: str, value: str) -> None:
        """Keep a single value."""
        self.change("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))

    def close(self) -> None:
        """Close it; further calls fail."""
        self._connection.close()
        self._release()

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        with self.transaction():
            (version,) = self.rows("PRAGMA user_version")[0]
            if version > VERSION:
                raise StoreError(f"{self._place}: written by a newer version of Centella")
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    self.change(statement)
                self.change(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _telling_failure(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            failure = StoreError(f"{self._place}: cannot be used: {error}")
            if self._on_failure is not None:
                self._on_failure(failure)
            raise failure from None

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()


def _lock(folder: Path) -> sqlite3.Connection:
    """A lock that ends with this process, however that ends: SQLite's own, on an empty file beside the database."""
    path = folder / _LOCK_NAME
    lock: sqlite3.Connection | None = None
    try:
        lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise StoreError(f"{folder / FILE_NAME}: in use by another server of Centella") from None
        raise StoreError(f"{path}: cannot be used: {error}") from None
    return lock
