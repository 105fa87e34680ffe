"""Accounts, and digests of the secrets by which they are known: tokens and browser sessions."""
from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from bot.server.store.database import Database, StoreError
from bot.server.users import Grant, User

_USER: TypeAdapter[User] = TypeAdapter(User)


class AccountRows:
    """The rows of accounts, tokens and sessions; every call may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def users(self) -> list[User]:
        """All accounts, the oldest first."""
        return [_user(*row) for row in self._database.rows("SELECT id, record FROM users ORDER BY rowid")]

    def put_user(self, user: User) -> None:
        """Keep an account as it is now."""
        self._database.change(
            "INSERT INTO users (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            (user.id, _USER.dump_json(user).decode()),
        )

    def drop_user(self, user_id: str) -> None:
        """Forget an account with all by which it is known; its games stay."""
        with self._database.transaction():
            self._database.change("DELETE FROM tokens WHERE user_id = ?", (user_id,))
            self._database.change("DELETE FROM sessions WHERE user_id = ?", (user_id,))
            self._database.change("DELETE FROM relations WHERE ? IN (user_id, other_id)", (user_id,))
            self._database.change("DELETE FROM users WHERE id = ?", (user_id,))

    def grants(self) -> list[Grant]:
        """What each token allows, the oldest first."""
        query = "SELECT id, digest, user_id, scopes, created_at_ms FROM tokens ORDER BY created_at_ms, rowid"
        return [
            Grant(user_id, frozenset(scopes.split()), digest, created_at_ms)
            for _, digest, user_id, scopes, created_at_ms in self._database.rows(query)
        ]

    def put_grant(self, grant: Grant) -> None:
        """Keep a token's worth."""
        self._database.change(
            "INSERT OR REPLACE INTO tokens (id, digest, user_id, scopes, created_at_ms) VALUES (?, ?, ?, ?, ?)",
            (grant.id, grant.digest, grant.user_id, " ".join(sorted(grant.scopes)), grant.created_at_ms),
        )

    def drop_grant(self, grant_id: str) -> bool:
        """Make a token worthless; false when there is none of that id."""
        return self._database.change("DELETE FROM tokens WHERE id = ?", (grant_id,)) == 1

    def sessions(self) -> dict[str, str]:
        """Whose browser each session's digest stands for."""
        return dict(self._database.rows("SELECT digest, user_id FROM sessions"))

    def put_session(self, digest: str, user_id: str, now_ms: int) -> None:
        """Keep a session."""
        self._database.change(
            "INSERT INTO sessions (digest, user_id, created_at_ms) VALUES (?, ?, ?)", (digest, user_id, now_ms)
        )

    def drop_sessions_before(self, at_ms: int) -> None:
        """Forget the sessions that were begun before that time: their cookies have lapsed."""
        self._database.change("DELETE FROM sessions WHERE created_at_ms < ?", (at_ms,))


def _user(user_id: str, record: str) -> User:
    try:
        return _USER.validate_json(record)
    except ValidationError:
        raise StoreError(f"the record of the user {user_id} cannot be read") from None
