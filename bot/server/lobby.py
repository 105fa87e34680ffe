"""Challenges: who wants to play whom, until that is accepted, declined, cancelled or forgotten."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from bot.server.errors import Missing, Refused
from bot.server.terms import Terms
from rules.move import Color

_REASONS = {
    "generic": "I'm not accepting challenges at the moment.",
    "later": "This is not the right time for me, please ask again later.",
    "tooFast": "This time control is too fast for me, please challenge again with a slower game.",
    "tooSlow": "This time control is too slow for me, please challenge again with a faster game.",
    "timeControl": "I'm not accepting challenges with this time control.",
    "rated": "Please send me a rated challenge instead.",
    "casual": "Please send me a casual challenge instead.",
    "standard": "I'm not accepting variant challenges right now.",
    "variant": "I'm not willing to play this variant right now.",
    "noBot": "I'm not accepting challenges from bots.",
    "onlyBot": "I'm only accepting challenges from bots.",
}
_REASON_BY_KEY = {reason.lower(): sentence for reason, sentence in _REASONS.items()}


class ChallengeStatus(StrEnum):
    """Where a challenge stands; an offline one lapsed unseen, but may still be accepted."""

    CREATED = "created"
    OFFLINE = "offline"
    CANCELED = "canceled"
    DECLINED = "declined"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Challenge:
    """One player's wish to play another; `color` is what the challenger asked for, `final_color` what was drawn."""

    id: str
    challenger_id: str
    dest_id: str
    terms: Terms
    color: Color | None
    final_color: Color
    created_at_ms: int
    status: ChallengeStatus = ChallengeStatus.CREATED
    decline_key: str | None = None

    @property
    def acceptable(self) -> bool:
        """Whether it may still be accepted."""
        return self.status in (ChallengeStatus.CREATED, ChallengeStatus.OFFLINE)

    @property
    def decline_reason(self) -> str | None:
        """The sentence that goes with the key."""
        return None if self.decline_key is None else _REASON_BY_KEY[self.decline_key]

    @property
    def white_id(self) -> str:
        """Who will play White."""
        return self.challenger_id if self.final_color is Color.WHITE else self.dest_id

    @property
    def black_id(self) -> str:
        """Who will play Black."""
        return self.dest_id if self.final_color is Color.WHITE else self.challenger_id


class Shelf(Protocol):
    """Where challenges are kept beyond the life of this process."""

    def put(self, challenge: Challenge) -> None:
        """Keep a challenge as it is now."""

    def drop(self, challenge_id: str) -> None:
        """Forget a challenge."""


class Lobby:
    """All challenges, settled ones too as long as the newest `kept` are remembered; `known` are those of old."""

    def __init__(self, kept: int, shelf: Shelf, known: Iterable[Challenge] = ()) -> None:
        self._kept = kept
        self._shelf = shelf
        self._challenges = {challenge.id: challenge for challenge in known}

    def __iter__(self) -> Iterator[Challenge]:
        return iter(tuple(self._challenges.values()))

    def __contains__(self, challenge_id: str) -> bool:
        return challenge_id in self._challenges

    def get(self, challenge_id: str) -> Challenge:
        """A challenge, in whatever state.

        Raises: Missing.
        """
        challenge = self._challenges.get(challenge_id)
        if challenge is None:
            raise Missing("Not found")
        return challenge

    def add(self, challenge: Challenge) -> None:
        """A new challenge."""
        self._put(challenge)
        settled = (each.id for each in self if each.status is not ChallengeStatus.CREATED)
        while len(self._challenges) > self._kept and (oldest := next(settled, None)) is not None:
            del self._challenges[oldest]
            self._shelf.drop(oldest)

    def pending_for(self, user_id: str) -> list[Challenge]:
        """Challenges that wait for this user's answer."""
        return [each for each in self if each.dest_id == user_id and each.status is ChallengeStatus.CREATED]

    def pending_by(self, user_id: str) -> list[Challenge]:
        """Challenges of this user that wait for an answer."""
        return [each for each in self if each.challenger_id == user_id and each.status is ChallengeStatus.CREATED]

    def accept(self, challenge_id: str, user_id: str, *, by_bot: bool) -> Challenge:
        """Mark as accepted.

        Raises: Missing when it is not addressed to this user or was accepted before, Refused otherwise.
        """
        challenge = self.get(challenge_id)
        if challenge.dest_id != user_id or challenge.status is ChallengeStatus.ACCEPTED:
            raise Missing("Not found")
        if not challenge.acceptable:
            raise Refused(f"This challenge has been {challenge.status.value}")
        if by_bot and not challenge.terms.bots_can_play:
            raise Refused("Game incompatible with a BOT account")
        return self._settle(challenge, ChallengeStatus.ACCEPTED)

    def decline(self, challenge_id: str, user_id: str, reason: str) -> Challenge:
        """Mark as declined; an unknown reason counts as generic.

        Raises: Missing when there is nothing for this user to decline.
        """
        challenge = self.get(challenge_id)
        if challenge.dest_id != user_id or not challenge.acceptable:
            raise Missing("Not found")
        key = reason.lower() if reason.lower() in _REASON_BY_KEY else "generic"
        return self._settle(challenge, ChallengeStatus.DECLINED, key)

    def cancel(self, challenge_id: str, user_id: str) -> Challenge:
        """Mark as cancelled by its challenger.

        Raises: Missing when there is nothing for this user to cancel.
        """
        challenge = self.get(challenge_id)
        if challenge.challenger_id != user_id or not challenge.acceptable:
            raise Missing("Not found")
        return self._settle(challenge, ChallengeStatus.CANCELED)

    def lapse(self, challenge_id: str) -> None:
        """Nobody has answered in time; told to no one."""
        challenge = self._challenges.get(challenge_id)
        if challenge is not None and challenge.status is ChallengeStatus.CREATED:
            self._settle(challenge, ChallengeStatus.OFFLINE)

    def _settle(self, challenge: Challenge, status: ChallengeStatus, decline_key: str | None = None) -> Challenge:
        settled = replace(challenge, status=status, decline_key=decline_key)
        self._put(settled)
        return settled

    def _put(self, challenge: Challenge) -> None:
        self._shelf.put(challenge)
        self._challenges[challenge.id] = challenge
