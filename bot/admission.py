"""Which challenges are taken: a pure answer to each, with the reason that its sender is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot import time_controls
from bot.config import Acceptance, Audience
from bot.time_controls import Countdown, PerDays, PerTurn, TimeControl, Unlimited
from bot.wire import Challenge, Compat, User
from rules import variants
from rules.errors import RulesError
from rules.position import Position

BULLET: Final = "bullet"
# they take from us what the other side must not have alone: an end to a game that nobody plays
REFUSED_RULES: Final = {"noAbort": "it forbids aborting", "noClaimWin": "it forbids claiming the win"}


@dataclass(frozen=True)
class Load:
    """The places that are taken, by games that run or are about to start.

    live, bots: of games with a clock; how many of them are against bots.
    slow: of games by the day or without a clock.
    bot_games_left: how many games with bots the site still allows today.
    closing: no new games are begun.
    """

    live: int = 0
    bots: int = 0
    slow: int = 0
    bot_games_left: int = 1
    closing: bool = False


@dataclass(frozen=True)
class Known:
    """What is known of a challenger.

    listed: blocked, or not among those who are allowed.
    family: an account of the same operator.
    resting: its own site limit is reached, as an earlier refusal told.
    running, today, rated_today: games with it, now and within a day.
    aborts: games within the time of the cool-off that it let be aborted.
    rematches: how many games in a row led to the one that this is the rematch of, that one not counted.
    last_rated_color: our color in the last rated game.
    """

    listed: str | None = None
    family: bool = False
    resting: bool = False
    running: int = 0
    today: int = 0
    rated_today: int = 0
    aborts: int = 0
    rematches: int = 0
    last_rated_color: str | None = None


STRANGER: Final = Known()


@dataclass(frozen=True)
class Accept:
    """Take it."""


@dataclass(frozen=True)
class Wait:
    """Take it when a place becomes free; `why` there is none now."""

    why: str


@dataclass(frozen=True)
class Decline:
    """Refuse it for one of wire.DECLINE_REASONS; `why` is for our log."""

    reason: str
    why: str


@dataclass(frozen=True)
class Ignore:
    """It is not for us to answer."""

    why: str


Answer = Accept | Wait | Decline | Ignore


def answer(
    challenge: Challenge, compat: Compat, policy: Acceptance, load: Load, account_id: str, known: Known = STRANGER
) -> Answer:
    """What to do with a challenge; what is wrong for good is said before what is wrong for now."""
    ours, challenger = account_id.lower(), challenge.challenger
    if challenger is not None and challenger.id.lower() == ours:
        return Ignore("our own")
    if challenge.status not in ("created", "offline"):
        return Ignore(f"already {challenge.status}")
    if challenge.dest_user is None and challenger is None:
        return Ignore("open to anybody")
    if challenge.dest_user is not None and challenge.dest_user.id.lower() != ours:
        return Ignore("addressed to somebody else")
    if challenger is None:
        return Decline("generic", "the challenger is anonymous")
    if known.listed is not None:
        return Decline("generic", known.listed)
    audience = policy.bots if challenger.is_bot else policy.humans
    if not audience.allow and challenger.is_bot:
        return Decline("noBot", "bots are not played")
    if not audience.allow:
        return Decline("onlyBot", "only bots are played")
    return (
        _variant_refusal(challenge, audience)
        or _time_refusal(challenge, compat, audience)
        or _rules_refusal(challenge)
        or _rating_refusal(challenger, challenge.dest_user, audience)
        or _position_refusal(challenge)
        or _history_refusal(challenge, audience, known)
        or _load_answer(challenge, challenger, policy, load)
    )


def is_slow(challenge: Challenge) -> bool:
    """Whether the game would go on for days."""
    return challenge.time_control.type not in ("clock", "turn")


def _variant_refusal(challenge: Challenge, audience: Audience) -> Decline | None:
    key = challenge.variant.key
    if challenge.rated and key in audience.rated or not challenge.rated and key in audience.casual:
        return None
    # the reason names what would be taken instead
    if key in audience.casual:
        return Decline("casual", f"{key} is played casual only")
    if key in audience.rated:
        return Decline("rated", f"{key} is played rated only")
    ordinary = variants.ALL[0].key
    if {*audience.casual, *audience.rated} == {ordinary}:
        return Decline("standard", f"{key} is not played, only {ordinary}")
    return Decline("variant", f"{key} is not played")


def _time_refusal(challenge: Challenge, compat: Compat, audience: Audience) -> Decline | None:
    control = time_controls.of_challenge(challenge.time_control)
    if control is None:
        return Decline("timeControl", f"unknown time control {challenge.time_control.type!r}")
    refusal = _speed_refusal(challenge.speed, compat, audience) or _range_refusal(control, audience)
    if refusal is not None:
        return refusal
    if challenge.speed == BULLET and audience.bullet_needs_increment and getattr(control, "increment_s", 1) == 0:
        return Decline("timeControl", "bullet is played with an increment only")
    if audience.time_controls and str(control) not in audience.time_controls:
        return Decline("timeControl", f"{control} is not played")
    return None


def _speed_refusal(speed: str, compat: Compat, audience: Audience) -> Decline | None:
    if speed in audience.speeds and compat.bot:
        return None
    speeds = time_controls.SPEEDS
    if speed not in speeds:
        return Decline("timeControl", f"unknown speed {speed!r}")
    if not compat.bot and speed != speeds[0]:
        return Decline("timeControl", "not playable by bots")
    # the name of a speed is a bound on 40 moves: to be slower than the slowest accepted one is to be too slow
    played = [speeds.index(each) for each in audience.speeds]
    if played and speeds.index(speed) < min(played):
        return Decline("tooFast", f"{speed} is too fast")
    if played and speeds.index(speed) > max(played):
        return Decline("tooSlow", f"{speed} is too slow")
    return Decline("timeControl", f"{speed} is not played")


def _range_refusal(control: TimeControl, audience: Audience) -> Decline | None:
    match control:
        case Countdown(limit_s, increment_s):
            measured = {
                "base": (limit_s, audience.base_s),
                "increment": (increment_s, audience.increment_s),
                "estimated time": (control.estimate_s, audience.estimated_s),
            }
        case PerTurn():
            measured = {"estimated time": (control.estimate_s, audience.estimated_s)}
        case PerDays(days):
            measured = {"number of days": (days, audience.days)}
        case Unlimited():
            return None if audience.unlimited else Decline("tooSlow", "games without a clock are not played")
    for name, (value, span) in measured.items():
        if span.is_below(value):
            return Decline("tooFast", f"{control}: the {name} is below {span.least:g}")
        if span.is_above(value):
            return Decline("tooSlow", f"{control}: the {name} is above {span.most:g}")
    return None


def _rules_refusal(challenge: Challenge) -> Decline | None:
    refused = [why for rule, why in REFUSED_RULES.items() if rule in challenge.rules]
    return Decline("generic", refused[0]) if refused else None


def _rating_refusal(challenger: User, ours: User | None, audience: Audience) -> Decline | None:
    if challenger.provisional and not audience.provisional:
        return Decline("generic", "its rating is provisional")
    rating, own = challenger.rating, None if ours is None else ours.rating
    # an unknown rating is no reason: neither too low nor too high
    if rating is not None and not audience.rating.holds(rating):
        return Decline("generic", f"its rating of {rating} is not played")
    if rating is not None and own is not None and not audience.rating_difference.holds(rating - own):
        return Decline("generic", f"its rating is {rating - own:+d} from ours")
    return None


def _position_refusal(challenge: Challenge) -> Decline | None:
    if challenge.initial_fen is None:
        return None
    try:
        Position.from_fen(variants.by_key(challenge.variant.key), challenge.initial_fen)
    except RulesError as error:
        return Decline("generic", f"its position cannot be played: {error}")
    return None


def _history_refusal(challenge: Challenge, audience: Audience, known: Known) -> Decline | None:
    """What earlier games with the same opponent forbid for now."""
    if known.resting:
        return Decline("later", "it has no games with bots left today")
    cool_off = audience.cool_off
    if cool_off.aborts is not None and known.aborts >= cool_off.aborts:
        return Decline("later", f"it let {known.aborts} games be aborted lately")
    if audience.games_at_once is not None and known.running >= audience.games_at_once:
        return Decline("later", f"{known.running} games with it are running")
    if audience.games_a_day is not None and known.today >= audience.games_a_day:
        return Decline("later", f"{known.today} games with it within a day")
    most = audience.rematches_in_a_row
    if most is not None and challenge.rematch_of is not None and known.rematches >= most:
        return Decline("later", f"{known.rematches} rematches in a row")
    return _rated_refusal(challenge, audience, known) if challenge.rated else None


def _rated_refusal(challenge: Challenge, audience: Audience, known: Known) -> Decline | None:
    instead = "casual" if challenge.variant.key in audience.casual else "later"
    if known.family:
        return Decline(instead, "rated games among one's own accounts would be no fair ones")
    if audience.rated_games_a_day is not None and known.rated_today >= audience.rated_games_a_day:
        return Decline(instead, f"{known.rated_today} rated games with it within a day")
    # a color that was drawn is nobody's choice: only who asks for the same one again is refused
    asked, last = {"white": "black", "black": "white"}.get(challenge.color), known.last_rated_color
    if audience.alternate_colors and asked is not None and asked == last:
        return Decline(instead, f"we had {last} in the last rated game with it, too")
    return None


def _load_answer(challenge: Challenge, challenger: User, policy: Acceptance, load: Load) -> Answer:
    if load.closing:
        return Decline("later", "no new games are begun")
    if challenger.is_bot and load.bot_games_left <= 0:
        return Decline("later", "no games with bots are left for today")
    if is_slow(challenge):
        full = load.slow >= policy.slow.max_games
        return Decline("later", f"{load.slow} slow games are running") if full else Accept()
    if load.live >= policy.max_games:
        return Wait(f"{load.live} of {policy.max_games} places are taken")
    if challenger.is_bot and load.bots >= policy.max_games - policy.reserved_for_humans:
        return Wait(f"{policy.reserved_for_humans} places are for people")
    return Accept()
