"""Who follows and who blocks whom."""
from __future__ import annotations

from bot.server.store.database import Database


class RelationRows:
    """The rows of relations; every call may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[tuple[str, str, str]]:
        """Who is what to whom, the oldest first: a user, another one, the relation."""
        query = "SELECT user_id, other_id, relation FROM relations ORDER BY rowid"
        return [(user_id, other_id, relation) for user_id, other_id, relation in self._database.rows(query)]

    def put(self, user_id: str, other_id: str, relation: str) -> None:
        """Keep a relation in place of any other between these two."""
        self._database.change(
            "INSERT OR REPLACE INTO relations (user_id, other_id, relation) VALUES (?, ?, ?)",
            (user_id, other_id, relation),
        )

    def drop(self, user_id: str, other_id: str) -> None:
        """Forget what a user is to another."""
        self._database.change("DELETE FROM relations WHERE user_id = ? AND other_id = ?", (user_id, other_id))
