"""Challenges: who wants to play whom, until that is accepted, declined, cancelled or forgotten."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
class Openness:
    """Who may take up a challenge that is addressed to nobody: `user_ids` are White and Black, or it is anybody."""

    name: str | None
    user_ids: tuple[str, ...]
    creator_id: str | None
    expires_at_ms: int

    def color_of(self, user_id: str) -> Color | None:
        """The color that is laid down for a user."""
        return Color(self.user_ids.index(user_id)) if user_id in self.user_ids else None


@dataclass(frozen=True, slots=True)
class Challenge:
    """One player's wish to play another; `color` is what the challenger asked for, `final_color` what was drawn.

    An open one has no challenger until a first player, and no other side until a second one takes it up.
    """

    id: str
    challenger_id: str | None
    dest_id: str | None
    terms: Terms
    color: Color | None
    final_color: Color
    created_at_ms: int
    status: ChallengeStatus = ChallengeStatus.CREATED
    decline_key: str | None = None
    open: Openness | None = None
    rematch_of: str | None = None

    @property
    def acceptable(self) -> bool:
        """Whether it may still be accepted."""
        return self.status in (ChallengeStatus.CREATED, ChallengeStatus.OFFLINE)

    @property
    def decline_reason(self) -> str | None:
        """The sentence that goes with the key."""
        return None if self.decline_key is None else _REASON_BY_KEY[self.decline_key]

    @property
    def player_ids(self) -> tuple[str, str]:
        """Who will play White, and who Black, once both are known."""
        assert self.challenger_id is not None and self.dest_id is not None
        if self.final_color is Color.WHITE:
            return self.challenger_id, self.dest_id
        return self.dest_id, self.challenger_id


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

    def accept(
        self, challenge_id: str, user_id: str, *, by_bot: bool, color: Color | None = None
    ) -> Challenge:
        """Mark as accepted; the first to take up an open challenge only becomes its challenger.

        `color` is what the user wants to play, which only an open challenge cares about.

        Raises: Missing when it is not addressed to this user or was accepted before, Refused otherwise.
        """
        challenge = self.get(challenge_id)
        if challenge.challenger_id == user_id or challenge.status is ChallengeStatus.ACCEPTED:
            raise Missing("Not found")
        if challenge.open is None and challenge.dest_id != user_id:
            raise Missing("Not found")
        if not challenge.acceptable:
            raise Refused(f"This challenge has been {challenge.status.value}")
        if by_bot and not challenge.terms.bots_can_play:
            raise Refused("Game incompatible with a BOT account")
        if challenge.open is None:
            return self._settle(challenge, ChallengeStatus.ACCEPTED)
        return self._take_up(challenge, challenge.open, user_id, color)

    def _take_up(self, challenge: Challenge, openness: Openness, user_id: str, color: Color | None) -> Challenge:
        if openness.user_ids and user_id not in openness.user_ids:
            raise Refused("The challenge is not for you to accept.")
        color = openness.color_of(user_id) if openness.user_ids else color
        if challenge.challenger_id is None:
            final_color = challenge.final_color if color is None else color
            taken = replace(challenge, challenger_id=user_id, color=color, final_color=final_color)
            return self._put(taken)
        if color is not None and color is challenge.color:
            raise Refused("This color has already been chosen")
        final_color = challenge.final_color if challenge.color is not None or color is None else color.other
        return self._settle(replace(challenge, dest_id=user_id, final_color=final_color), ChallengeStatus.ACCEPTED)

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
        """Mark as cancelled by its challenger, or an open one by whoever has made it.

        Raises: Missing when there is nothing for this user to cancel.
        """
        challenge = self.get(challenge_id)
        owner_id = challenge.challenger_id if challenge.open is None else challenge.open.creator_id
        if owner_id != user_id or not challenge.acceptable:
            raise Missing("Not found")
        return self._settle(challenge, ChallengeStatus.CANCELED)

    def expire(self, challenge_id: str) -> None:
        """The life of an open challenge is over: it is as if it had never been."""
        challenge = self._challenges.get(challenge_id)
        if challenge is not None and challenge.acceptable:
            del self._challenges[challenge_id]
            self._shelf.drop(challenge_id)

    def lapse(self, challenge_id: str) -> None:
        """Nobody has answered in time; told to no one."""
        challenge = self._challenges.get(challenge_id)
        if challenge is not None and challenge.status is ChallengeStatus.CREATED:
            self._settle(challenge, ChallengeStatus.OFFLINE)

    def keep_only(self, wanted: Callable[[Challenge], bool]) -> None:
        """Forget the challenges that are not wanted."""
        for challenge in self:
            if not wanted(challenge):
                del self._challenges[challenge.id]
                self._shelf.drop(challenge.id)

    def _settle(self, challenge: Challenge, status: ChallengeStatus, decline_key: str | None = None) -> Challenge:
        return self._put(replace(challenge, status=status, decline_key=decline_key))

    def _put(self, challenge: Challenge) -> Challenge:
        self._shelf.put(challenge)
        self._challenges[challenge.id] = challenge
        return challenge
