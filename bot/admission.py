"""Which challenges are taken: a pure answer to each, with the reason that its sender is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.config import Acceptance, Audience
from bot.wire import Challenge, Compat
from rules import variants
from rules.errors import RulesError
from rules.position import Position

# the name of a speed is a bound on 40 moves: to be slower than the slowest accepted one is to be too slow
SPEEDS: Final = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")


@dataclass(frozen=True)
class Load:
    """The places that are taken: games that run, and challenges accepted whose game has not started."""

    places: int
    closing: bool = False


@dataclass(frozen=True)
class Accept:
    """Take it."""


@dataclass(frozen=True)
class Decline:
    """Refuse it for one of wire.DECLINE_REASONS; `why` is for our log."""

    reason: str
    why: str


@dataclass(frozen=True)
class Ignore:
    """It is not for us to answer."""

    why: str


Answer = Accept | Decline | Ignore


def answer(challenge: Challenge, compat: Compat, policy: Acceptance, load: Load, account_id: str) -> Answer:
    """What to do with a challenge; what is wrong for good is said before what is wrong for now."""
    challenger = challenge.challenger
    if challenger is not None and challenger.id.lower() == account_id.lower():
        return Ignore("our own")
    if challenge.status not in ("created", "offline"):
        return Ignore(f"already {challenge.status}")
    if challenger is None:
        return Decline("generic", "the challenger is anonymous")
    audience = policy.bots if challenger.is_bot else policy.humans
    if not audience.allow and challenger.is_bot:
        return Decline("noBot", "bots are not played")
    if not audience.allow:
        return Decline("onlyBot", "only bots are played")
    refusal = (
        _variant_refusal(challenge, audience)
        or _speed_refusal(challenge, compat, audience)
        or _rules_refusal(challenge)
        or _position_refusal(challenge)
    )
    if refusal is not None:
        return refusal
    if load.closing:
        return Decline("later", "no new games before the stop")
    if load.places >= policy.max_games:
        return Decline("later", f"{load.places} of {policy.max_games} places are taken")
    return Accept()


def _variant_refusal(challenge: Challenge, audience: Audience) -> Decline | None:
    key = challenge.variant.key
    if challenge.rated and key in audience.rated or not challenge.rated and key in audience.casual:
        return None
    # the reason names what would be taken instead
    if key in audience.casual:
        return Decline("casual", f"{key} is played casual only")
    if key in audience.rated:
        return Decline("rated", f"{key} is played rated only")
    return Decline("variant", f"{key} is not played")


def _speed_refusal(challenge: Challenge, compat: Compat, audience: Audience) -> Decline | None:
    speed = challenge.speed
    if speed in audience.speeds and compat.bot:
        return None
    if speed not in SPEEDS:
        return Decline("timeControl", f"unknown speed {speed!r}")
    if not compat.bot and speed != SPEEDS[0]:
        return Decline("timeControl", "not playable by bots")
    played = [SPEEDS.index(each) for each in audience.speeds]
    if played and SPEEDS.index(speed) < min(played):
        return Decline("tooFast", f"{speed} is too fast")
    if played and SPEEDS.index(speed) > max(played):
        return Decline("tooSlow", f"{speed} is too slow")
    return Decline("timeControl", f"{speed} is not played")


def _rules_refusal(challenge: Challenge) -> Decline | None:
    # without the right to abort, an opponent who never moves would hold the place for days
    return Decline("generic", "it forbids aborting") if "noAbort" in challenge.rules else None


def _position_refusal(challenge: Challenge) -> Decline | None:
    if challenge.initial_fen is None:
        return None
    try:
        Position.from_fen(variants.by_key(challenge.variant.key), challenge.initial_fen)
    except RulesError as error:
        return Decline("generic", f"its position cannot be played: {error}")
    return None
