"""Who follows and who blocks whom."""
from __future__ import annotations

from enum import StrEnum

from bot.server.store.relations import RelationRows


class Relation(StrEnum):
    """What one user can be to another; never both."""

    FOLLOW = "follow"
    BLOCK = "block"


class Relations:
    """What each user has said about others: in memory, and every change in the store as well."""

    def __init__(self, rows: RelationRows) -> None:
        self._rows = rows
        self.load()

    def load(self) -> None:
        """Take everything from the store. Raises: StoreError."""
        self._said = {(user_id, other_id): Relation(said) for user_id, other_id, said in self._rows.all()}

    def set(self, user_id: str, other_id: str, relation: Relation) -> None:
        """`user_id` follows or blocks the other from now on, whatever was before."""
        self._rows.put(user_id, other_id, relation.value)
        self._said.pop((user_id, other_id), None)
        self._said[user_id, other_id] = relation

    def clear(self, user_id: str, other_id: str, relation: Relation) -> None:
        """`user_id` does no longer follow, or block, the other."""
        if self.has(user_id, other_id, relation):
            self._rows.drop(user_id, other_id)
            del self._said[user_id, other_id]

    def has(self, user_id: str, other_id: str, relation: Relation) -> bool:
        """Whether `user_id` follows, or blocks, the other."""
        return self._said.get((user_id, other_id)) is relation

    def followed_by(self, user_id: str) -> list[str]:
        """Whom a user follows, the first one first."""
        return [other_id for (who, other_id), said in self._said.items() if who == user_id and said is Relation.FOLLOW]
