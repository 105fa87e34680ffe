"""Who is first when several challenges wait for a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.config import Queue
from bot.wire import Challenge, Compat

PREFERENCES: Final = ("titled", "humans", "bots")


@dataclass(frozen=True)
class Waiting:
    """A challenge that waits for a place, since when and until when, by our clock."""

    challenge: Challenge
    compat: Compat
    since: float
    until: float


def in_order(waiting: Iterable[Waiting], settings: Queue) -> list[Waiting]:
    """The challenges, the first to be taken in front."""

    def rank(each: Waiting) -> tuple[object, ...]:
        preferred = tuple(not _fits(each.challenge, kind) for kind in settings.prefer)
        return (*preferred, -_rating(each.challenge) if settings.order == "best" else 0, each.since)

    return sorted(waiting, key=rank)


def _fits(challenge: Challenge, kind: str) -> bool:
    challenger = challenge.challenger
    if challenger is None:
        return False
    if kind == "bots":
        return challenger.is_bot
    return not challenger.is_bot and (kind == "humans" or challenger.title is not None)


def _rating(challenge: Challenge) -> int:
    rating = None if challenge.challenger is None else challenge.challenger.rating
    return 0 if rating is None else rating
