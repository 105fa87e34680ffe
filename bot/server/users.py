"""Who is known to the server, and the secrets by which they prove it.

Only digests of tokens and session secrets are kept.
"""
from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bot.server.errors import Missing, Refused

START_RATING = 1500
START_DEVIATION = 500
BOT_SCOPES = frozenset({"bot:play", "challenge:read", "challenge:write"})
PERSON_SCOPES = frozenset({"board:play", "challenge:read", "challenge:write"})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,29}", re.ASCII)
_SECRET_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_GUEST_MOODS = ("Bold", "Calm", "Clever", "Daring", "Gentle", "Keen", "Lively", "Merry", "Patient", "Quiet", "Swift")
_GUEST_BEASTS = ("Badger", "Crane", "Falcon", "Fox", "Heron", "Lynx", "Otter", "Raven", "Seal", "Stoat", "Wren")


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games, by result; aborted ones do not count."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    rated: int = 0

    @property
    def played(self) -> int:
        """All of them."""
        return self.won + self.lost + self.drawn

    def plus(self, score: float, rated: bool) -> Tally:
        """With one game more; `score` is 1, ½ or 0."""
        return Tally(
            self.won + (score == 1), self.lost + (score == 0), self.drawn + (score == 0.5), self.rated + rated
        )


@dataclass(frozen=True, slots=True)
class User:
    """An account; the id is the name in lower case, `title` is BOT or None."""

    name: str
    title: str | None
    created_at_ms: int
    guest: bool = False
    tally: Tally = Tally()
    games_by_perf: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def id(self) -> str:
        """The name in lower case."""
        return self.name.lower()

    @property
    def is_bot(self) -> bool:
        """Whether this is a bot account."""
        return self.title == "BOT"

    def rating(self, perf_key: str) -> int:
        """The rating in one category: nobody's moves yet, so that all are provisional."""
        return START_RATING


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows, and to whom."""

    user_id: str
    scopes: frozenset[str]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Users:
    """The accounts, tokens and browser sessions of one server."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._users: dict[str, User] = {}
        self._tokens: dict[str, Grant] = {}
        self._sessions: dict[str, str] = {}

    def __iter__(self) -> Iterator[User]:
        return iter(tuple(self._users.values()))

    def find(self, name: str) -> User | None:
        """The user of that name, in whatever case."""
        return self._users.get(name.lower())

    def get(self, name: str) -> User:
        """The user of that name.

        Raises: Missing.
        """
        user = self.find(name)
        if user is None:
            raise Missing("Not found")
        return user

    def ensure(self, name: str, now_ms: int, *, bot: bool) -> User:
        """The user of that name, added if there is none.

        Raises: ValueError for a name that cannot be one, or that belongs to an account of the other kind.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a user name: 2 to 30 of A-Z a-z 0-9 _ -, a letter or digit first")
        user = self.find(name)
        if user is None:
            user = User(name, "BOT" if bot else None, now_ms)
            self._users[user.id] = user
        elif user.is_bot != bot:
            raise ValueError(f"the account {user.name!r} exists and is {'a' if user.is_bot else 'not a'} bot")
        return user

    def guest(self, now_ms: int) -> User:
        """A new person with a made-up name."""
        while True:
            mood, beast = self._chance.choice(_GUEST_MOODS), self._chance.choice(_GUEST_BEASTS)
            name = f"{mood}{beast}{self._chance.randrange(1, 1000)}"
            if name.lower() not in self._users:
                user = User(name, None, now_ms, guest=True)
                self._users[user.id] = user
                return user

    def mint(self, user: User, scopes: frozenset[str] | None = None) -> str:
        """A new token for `user`; without scopes, all that such an account needs to play."""
        token = "lip_" + self._secret()
        self._tokens[_digest(token)] = Grant(user.id, scopes or (BOT_SCOPES if user.is_bot else PERSON_SCOPES))
        return token

    def revoke(self, token: str) -> None:
        """Make a token worthless."""
        self._tokens.pop(_digest(token), None)

    def grant_of(self, token: str) -> Grant | None:
        """What a token allows."""
        return self._tokens.get(_digest(token))

    def open_session(self, user: User) -> str:
        """A new secret for a browser's cookie."""
        secret = self._secret()
        self._sessions[_digest(secret)] = user.id
        return secret

    def user_of_session(self, secret: str) -> User | None:
        """Whose browser this is."""
        user_id = self._sessions.get(_digest(secret))
        return None if user_id is None else self._users.get(user_id)

    def upgrade(self, user: User) -> User:
        """Turn an account without games into a bot account.

        Raises: Refused once it has played.
        """
        if user.tally.played:
            raise Refused("You already have games played. Make a new account.")
        self._users[user.id] = replace(user, title="BOT")
        return self._users[user.id]

    def record_result(self, user_id: str, perf_key: str, score: float, *, rated: bool) -> None:
        """Count a finished game."""
        user = self._users[user_id]
        games = dict(user.games_by_perf)
        games[perf_key] = games.get(perf_key, 0) + 1
        self._users[user_id] = replace(
            user, tally=user.tally.plus(score, rated), games_by_perf=MappingProxyType(games)
        )

    def _secret(self) -> str:
        return "".join(self._chance.choices(_SECRET_LETTERS, k=24))
