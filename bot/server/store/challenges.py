"""Challenges, settled ones included as long as the lobby remembers them."""
from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from bot.server.lobby import Challenge
from bot.server.store.database import Database, StoreError

_CHALLENGE: TypeAdapter[Challenge] = TypeAdapter(Challenge)


class ChallengeRows:
    """The rows of challenges; every call may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Challenge]:
        """Every challenge, the oldest first."""
        query = "SELECT id, record FROM challenges ORDER BY created_at_ms, rowid"
        return [_challenge(*row) for row in self._database.rows(query)]

    def put(self, challenge: Challenge) -> None:
        """Keep a challenge as it is now."""
        self._database.change(
            "INSERT INTO challenges (id, record, created_at_ms) VALUES (?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            (challenge.id, _CHALLENGE.dump_json(challenge).decode(), challenge.created_at_ms),
        )

    def drop(self, challenge_id: str) -> None:
        """Forget a challenge."""
        self._database.change("DELETE FROM challenges WHERE id = ?", (challenge_id,))


def _challenge(challenge_id: str, record: str) -> Challenge:
    try:
        return _CHALLENGE.validate_json(record)
    except ValidationError:
        raise StoreError(f"the record of the challenge {challenge_id} cannot be read") from None
