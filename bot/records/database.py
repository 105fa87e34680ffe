"""The results database: a journal of running games and the records of ended ones, each game once.

SQLite in WAL mode: a process that dies at any moment leaves either the journal row or the record, never both, never
neither. One connection, shared by threads behind a lock.  While the file cannot be written (the disk is full, another
process holds its lock) changes wait in memory and are taken as made.

    Exception
    └── RecordsError       the database cannot be used: one line with the file and the reason
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from bot.records.backlog import PATIENT_MS, Backlog, Transaction
from bot.records.game import BLACK_WON, WHITE_WON, GameRecord, OpenGame

T = TypeVar("T")
FILE_NAME: Final = "centella.sqlite3"
OPENING_S: Final = 10.0
RETRY_S: Final = 2.0
STEPS: Final = (
    """
CREATE TABLE journal (
    game_id TEXT PRIMARY KEY, source TEXT NOT NULL, account TEXT NOT NULL, url TEXT NOT NULL, variant TEXT NOT NULL,
    rated INTEGER NOT NULL, speed TEXT NOT NULL, color TEXT NOT NULL, opponent TEXT NOT NULL, started_at TEXT NOT NULL
) STRICT;
CREATE TABLE games (
    game_id TEXT PRIMARY KEY, url TEXT NOT NULL, source TEXT NOT NULL, variant TEXT NOT NULL, rated INTEGER NOT NULL,
    speed TEXT NOT NULL, color TEXT NOT NULL, opponent TEXT NOT NULL, result TEXT NOT NULL, status TEXT NOT NULL,
    reason TEXT, plies INTEGER NOT NULL, started_at TEXT NOT NULL, ended_at TEXT NOT NULL, initial_fen TEXT,
    moves TEXT NOT NULL
) STRICT;
CREATE INDEX games_by_end ON games (ended_at);
""",
    """
ALTER TABLE journal ADD COLUMN rules TEXT NOT NULL DEFAULT '';
CREATE TABLE encounters (
    game_id TEXT NOT NULL, source TEXT NOT NULL, account TEXT NOT NULL, opponent TEXT NOT NULL, bot INTEGER NOT NULL,
    rated INTEGER NOT NULL, color TEXT NOT NULL, rematch_of TEXT, begun_at REAL NOT NULL,
    aborted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (source, account, game_id)
) STRICT;
CREATE INDEX encounters_by_time ON encounters (source, account, begun_at);
CREATE TABLE approaches (
    source TEXT NOT NULL, account TEXT NOT NULL, opponent TEXT NOT NULL, made_at REAL NOT NULL
) STRICT;
CREATE TABLE shunned (
    source TEXT NOT NULL, account TEXT NOT NULL, opponent TEXT NOT NULL, aspect TEXT NOT NULL, until REAL NOT NULL,
    PRIMARY KEY (source, account, opponent, aspect)
) STRICT;
CREATE TABLE pages (url TEXT PRIMARY KEY, etag TEXT NOT NULL, content TEXT NOT NULL) STRICT;
""",
    # two accounts of one process may play each other; whose the games of earlier versions were is not known
    """
CREATE TABLE new_journal (
    game_id TEXT NOT NULL, source TEXT NOT NULL, account TEXT NOT NULL, url TEXT NOT NULL, variant TEXT NOT NULL,
    rated INTEGER NOT NULL, speed TEXT NOT NULL, color TEXT NOT NULL, opponent TEXT NOT NULL, started_at TEXT NOT NULL,
    rules TEXT NOT NULL DEFAULT '', PRIMARY KEY (source, account, game_id)
) STRICT;
INSERT INTO new_journal SELECT game_id, source, account, url, variant, rated, speed, color, opponent, started_at, rules
    FROM journal;
DROP TABLE journal;
ALTER TABLE new_journal RENAME TO journal;
CREATE TABLE new_games (
    game_id TEXT NOT NULL, url TEXT NOT NULL, source TEXT NOT NULL, account TEXT NOT NULL, variant TEXT NOT NULL,
    rated INTEGER NOT NULL, speed TEXT NOT NULL, color TEXT NOT NULL, opponent TEXT NOT NULL, result TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT, plies INTEGER NOT NULL, started_at TEXT NOT NULL, ended_at TEXT NOT NULL,
    initial_fen TEXT, moves TEXT NOT NULL, PRIMARY KEY (source, account, game_id)
) STRICT;
INSERT INTO new_games SELECT game_id, url, source, '', variant, rated, speed, color, opponent, result, status, reason,
    plies, started_at, ended_at, initial_fen, moves FROM games;
DROP TABLE games;
ALTER TABLE new_games RENAME TO games;
CREATE INDEX games_by_end ON games (ended_at);
""",
)
"""What turns the schema of each version into that of the next; a step that has been released is never changed."""
VERSION: Final = len(STEPS)
_ENDED: Final = "SELECT 1 FROM games WHERE game_id = ? AND source = ? AND account IN (?, '')"


class RecordsError(Exception):
    """The database cannot be used."""


class Records:
    """The database in a data folder, made if it is not there; any thread may use it.

    Raises: RecordsError, here and from every call that reads.
    """

    def __init__(self, folder: Path, *, retry_s: float = RETRY_S) -> None:
        self.folder = folder
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()
        self._ended_unwritten: set[tuple[str, str, str]] = set()
        try:
            self._connection = sqlite3.connect(
                self._path, timeout=OPENING_S, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._prepare()
            self._connection.execute(f"PRAGMA busy_timeout = {PATIENT_MS}")
        except sqlite3.Error as error:
            raise self._unusable(error) from None
        self._backlog = Backlog(self._connection, self._lock, str(self._path), retry_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; further calls fail."""
        with self._lock:
            self._backlog.close()
            self._connection.close()

    @property
    def writable(self) -> bool:
        """Whether what is changed now is written at once."""
        return not self._backlog

    def open_game(self, game: OpenGame) -> bool:
        """Write a game into the journal. False when it is there already, or has ended."""

        def insert() -> bool:
            if self._rows(_ENDED, (game.game_id, game.source, game.account)):
                return False
            return self._insert("journal", asdict(game))

        return self._write(insert, True)

    def close_game(self, record: GameRecord) -> bool:
        """Replace the journal row by the record. False when the game has one already: it is kept as it was."""
        whose = (record.game_id, record.source, record.account)

        def replace() -> bool:
            self._connection.execute("DELETE FROM journal WHERE game_id = ? AND source = ? AND account = ?", whose)
            return not self._rows(_ENDED, whose) and self._insert("games", asdict(record))

        new = self._write(replace, True)
        with self._lock:
            if self._backlog:
                self._ended_unwritten.add(whose)
        return new

    def open_games(self, source: str, account: str) -> list[OpenGame]:
        """The journal rows of an account, the oldest first."""
        columns = ", ".join(field.name for field in fields(OpenGame))
        query = f"SELECT {columns} FROM journal WHERE source = ? AND account = ? ORDER BY started_at, game_id"
        return [OpenGame(**_with_bool(row)) for row in self.ask(query, source, account)]

    def has_ended(self, game_id: str, source: str, account: str) -> bool:
        """Whether an account's game has a record."""
        whose = (game_id, source, account)
        return whose in self._ended_unwritten or bool(self.ask(_ENDED, *whose))

    def ended_games(self) -> list[GameRecord]:
        """All records, the latest last."""
        columns = ", ".join(field.name for field in fields(GameRecord))
        rows = self.ask(f"SELECT {columns} FROM games ORDER BY ended_at, game_id")
        return [GameRecord(**_with_bool(row)) for row in rows]

    def ask(self, query: str, *values: object) -> list[dict[str, Any]]:
        """The rows of a query, for what has tables of its own in this database as well."""
        with self._lock:
            try:
                return self._rows(query, values)
            except sqlite3.Error as error:
                raise self._unusable(error) from None

    def change(self, statement: str, *values: object) -> int:
        """Carry out one statement; how many rows it has changed, as far as that is known yet."""
        return self._write(lambda: self._connection.execute(statement, values).rowcount, 0)

    def lost_games(self, account: str, variant: str, color: str, initial_fen: str | None, most: int) -> list[str]:
        """The moves of the latest games that the account has lost with that color, from that position."""
        query = (
            "SELECT moves FROM games"
            " WHERE account = ? AND variant = ? AND color = ? AND initial_fen IS ? AND result = ?"
            " ORDER BY ended_at DESC LIMIT ?"
        )
        lost = BLACK_WON if color == "white" else WHITE_WON
        return [row["moves"] for row in self.ask(query, account, variant, color, initial_fen, lost, most)]

    def _prepare(self) -> None:
        with Transaction(self._connection):
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise RecordsError(f"{self._path}: written by a newer version of Centella")
            for step in STEPS[version:]:
                for statement in step.split(";"):
                    self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _write(self, act: Callable[[], T], assumed: T) -> T:
        """Make a change, or have it made later; then `assumed` is what it comes to. Raises RecordsError."""
        with self._lock:
            if self._backlog:
                self._backlog.add(act)
                return assumed
            try:
                with Transaction(self._connection):
                    return act()
            except sqlite3.OperationalError as error:
                self._backlog.begin(act, error)
                return assumed
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as error:
                raise self._unusable(error) from None

    def _unusable(self, error: sqlite3.Error) -> RecordsError:
        return RecordsError(f"{self._path}: cannot be used: {error}")

    def _insert(self, table: str, values: dict[str, Any]) -> bool:
        marks = ", ".join("?" for _ in values)
        # only a second row of the same game of an account is passed over; OR IGNORE would swallow other errors as well
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks}) ON CONFLICT DO NOTHING"
        return self._connection.execute(statement, tuple(values.values())).rowcount == 1

    def _rows(self, query: str, values: Iterable[object]) -> list[dict[str, Any]]:
        cursor = self._connection.execute(query, tuple(values))
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _with_bool(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"rated": bool(row["rated"])}
