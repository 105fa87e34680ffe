"""Who is known to the server, and the secrets by which they prove it.

Only digests of tokens and session secrets are kept.
"""
from __future__ import annotations

import hashlib
import hmac
import random
import re
from collections.abc import Iterator, Set
from dataclasses import replace

from bot.server.errors import Missing, Refused
from bot.server.store.accounts import AccountRows
from bot.server.users import BOT_SCOPES, PERSON_SCOPES, Grant, User, grant_id

SESSION_S = 30 * 24 * 3600
_ADMIN = "admin"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,29}", re.ASCII)
# The first two stand for the site and for nobody; the account of the third has powers, and only the server makes it.
_RESERVED_NAMES = frozenset({"lichess", "anonymous", _ADMIN})
_SECRET_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_GUEST_MOODS = ("Bold", "Calm", "Clever", "Daring", "Gentle", "Keen", "Lively", "Merry", "Patient", "Quiet", "Swift")
_GUEST_BEASTS = ("Badger", "Crane", "Falcon", "Fox", "Heron", "Lynx", "Otter", "Raven", "Seal", "Stoat", "Wren")


class Accounts:
    """The accounts, tokens and browser sessions of one server: in memory, and every change in the store as well."""

    def __init__(self, chance: random.Random, rows: AccountRows) -> None:
        self._chance = chance
        self._rows = rows
        self._fleeting: dict[str, Grant] = {}
        self.load()

    def load(self) -> None:
        """Take everything from the store. Raises: StoreError."""
        self._users = {user.id: user for user in self._rows.users()}
        self._grants = {grant.id: grant for grant in self._rows.grants()}
        self._sessions = self._rows.sessions()

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
        user = self.find(name)
        if user is None:
            return self.add(name, now_ms, bot=bot)
        if user.is_bot != bot:
            raise ValueError(f"the account {user.name!r} exists and is {'a' if user.is_bot else 'not a'} bot")
        return user

    def add(self, name: str, now_ms: int, *, bot: bool) -> User:
        """A new account.

        Raises: ValueError for a name that cannot be one, that is the site's own, or that is taken.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a user name: 2 to 30 of A-Z a-z 0-9 _ -, a letter or digit first")
        if name.lower() in _RESERVED_NAMES:
            raise ValueError(f"the name {name!r} is reserved for the server itself")
        if self.find(name) is not None:
            raise ValueError(f"the account {name!r} exists already")
        return self._keep(User(name, "BOT" if bot else None, now_ms))

    def administrator(self, now_ms: int) -> User:
        """The administrator's account, added if there is none."""
        return self.find(_ADMIN) or self._keep(User(_ADMIN, None, now_ms))

    def guest(self, now_ms: int) -> User:
        """A new person with a made-up name."""
        while True:
            mood, beast = self._chance.choice(_GUEST_MOODS), self._chance.choice(_GUEST_BEASTS)
            name = f"{mood}{beast}{self._chance.randrange(1, 1000)}"
            if name.lower() not in self._users:
                return self._keep(User(name, None, now_ms, guest=True))

    def mint(self, user: User, scopes: frozenset[str] | None, now_ms: int, *, lasting: bool = True) -> str:
        """A new token for `user`; without scopes, all that such an account needs to play.

        A token that is not `lasting` is forgotten with this process.
        """
        token = "lip_" + self._secret()
        wanted = scopes or (BOT_SCOPES if user.is_bot else PERSON_SCOPES)
        grant = Grant(user.id, wanted, _digest(token), now_ms)
        if lasting:
            self._rows.put_grant(grant)
            self._grants[grant.id] = grant
        else:
            self._fleeting[grant.id] = grant
        return token

    def revoke(self, token: str) -> None:
        """Make a token worthless."""
        wanted = grant_id(_digest(token))
        self._fleeting.pop(wanted, None)
        if self._grants.pop(wanted, None) is not None:
            self._rows.drop_grant(wanted)

    def grant_of(self, token: str) -> Grant | None:
        """What a token allows."""
        digest = _digest(token)
        grant = self._grants.get(grant_id(digest)) or self._fleeting.get(grant_id(digest))
        return grant if grant is not None and hmac.compare_digest(grant.digest, digest) else None

    def open_session(self, user: User, now_ms: int) -> str:
        """A new secret for a browser's cookie."""
        secret = self._secret()
        self._rows.put_session(_digest(secret), user.id, now_ms)
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
        return self._keep(replace(user, title="BOT"))

    def put(self, user: User) -> None:
        """Keep an account as it is now."""
        self._keep(user)

    def forget_old_guests(self, now_ms: int, playing: Set[str]) -> None:
        """Drop sessions whose cookies have lapsed, and guests who have left without a game; `playing` are ids."""
        lapsed_ms = now_ms - SESSION_S * 1000
        self._rows.drop_sessions_before(lapsed_ms)
        for user in self:
            left = user.created_at_ms < lapsed_ms and not user.tally.played and user.id not in playing
            if user.guest and left:
                self._rows.drop_user(user.id)
        self.load()

    def _keep(self, user: User) -> User:
        self._rows.put_user(user)
        self._users[user.id] = user
        return user

    def _secret(self) -> str:
        return "".join(self._chance.choices(_SECRET_LETTERS, k=24))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
