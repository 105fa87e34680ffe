"""What the server keeps: accounts, challenges and games in one SQLite file, or in memory alone."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bot.server.store.accounts import AccountRows
from bot.server.store.challenges import ChallengeRows
from bot.server.store.database import Database
from bot.server.store.games import GameRows
from bot.server.store.relations import RelationRows


@dataclass(frozen=True, slots=True)
class Store:
    """One database and the rows in it, by what they are about."""

    database: Database
    accounts: AccountRows
    challenges: ChallengeRows
    games: GameRows
    relations: RelationRows

    @classmethod
    def over(cls, database: Database) -> Self:
        """The rows of a database."""
        return cls(database, AccountRows(database), ChallengeRows(database), GameRows(database), RelationRows(database))

    @classmethod
    def serving(cls, folder: Path | None) -> Self:
        """What a server works on: the database of that folder, or of no folder one in memory.

        Raises: StoreError, also when another server works on it.
        """
        return cls.over(Database(folder, serving=True))
