"""Accounts as values: who somebody is, what was played, and what a token allows."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.server.perfs import Perf, first_perf

BOT_SCOPES = frozenset({"bot:play", "challenge:read", "challenge:write"})
PERSON_SCOPES = frozenset({"board:play", "challenge:read", "challenge:write"})
ADMIN_SCOPE = "admin"
SCOPES = BOT_SCOPES | PERSON_SCOPES | {"follow:read", "follow:write", "team:write", "tournament:write", ADMIN_SCOPE}
_GRANT_ID_DIGITS = 12


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
    perfs: Mapping[str, Perf] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The name in lower case."""
        return self.name.lower()

    @property
    def is_bot(self) -> bool:
        """Whether this is a bot account."""
        return self.title == "BOT"

    def perf(self, perf_key: str) -> Perf:
        """What was reached in one category."""
        return self.perfs.get(perf_key) or first_perf(perf_key)

    def rating(self, perf_key: str) -> int:
        """The rating in one category."""
        return self.perf(perf_key).standing.shown

    def provisional(self, perf_key: str) -> bool:
        """Whether that rating is not yet to be relied on."""
        return self.perf(perf_key).standing.provisional


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows, and to whom; of the token itself only a digest is kept, in hexadecimal."""

    user_id: str
    scopes: frozenset[str]
    digest: str
    created_at_ms: int

    @property
    def id(self) -> str:
        """What an administrator calls it."""
        return grant_id(self.digest)


def grant_id(digest: str) -> str:
    """The first digits of a token's digest."""
    return digest[:_GRANT_ID_DIGITS]
