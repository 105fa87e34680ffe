"""The form of a new challenge: Lichess's fields, and our own for games that Lichess does not have.

Ours: `turn.limit` (seconds for every move), `drawPolicy` (`engine`: the practice board's draws) and `watch` (at the
parlour: a player that looks away may find the game annulled).
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.server.errors import FormError
from bot.server.terms import (
    Correspondence,
    Countdown,
    PerTurn,
    Speed,
    Terms,
    TimeControl,
    Unlimited,
    is_parlour,
    is_plain_chess,
)
from rules import variants
from rules.errors import RulesError, UnknownVariant
from rules.move import Color
from rules.position import Position
from rules.variant import Variant

_SHORT_LIMITS_S = (0, 15, 30, 45, 60, 90)
_LONGEST_LIMIT_S = 10_800
_LONGEST_INCREMENT_S = 60
_TURN_LIMITS_S = range(5, 601)
_DAYS = (1, 2, 3, 5, 7, 10, 14)
_RULES = ("noAbort", "noRematch", "noGiveTime", "noClaimWin", "noEarlyDraw")
YES = ("true", "yes", "on", "1")
_LEAST_RATED_VARIANT_S = 30
_LIGHTNING_LIMITS_S = range(5 * 60, 20 * 60 + 1, 60)
_LIGHTNING_INCREMENTS_S = range(6)


@dataclass(frozen=True, slots=True)
class ChallengeForm:
    """What a challenger asks for; `color` is the challenger's, None for by lot."""

    terms: Terms
    color: Color | None
    keep_alive_stream: bool


def read_challenge(fields: Mapping[str, str]) -> ChallengeForm:
    """The form in typed form.

    Raises: FormError, naming every field that is wrong.
    """
    errors: dict[str, str] = {}
    terms, color = read_terms(fields, errors), read_color(fields, errors)
    if errors:
        raise FormError(errors)
    return ChallengeForm(terms, color, fields.get("keepAliveStream", "") in YES)


def read_terms(fields: Mapping[str, str], errors: dict[str, str]) -> Terms:
    """What is to be played; what is wrong is noted in `errors`."""
    variant, start_fen = _variant_and_start(fields, errors)
    time = _time(fields, variant, errors)
    rules = tuple(rule for rule in fields.get("rules", "").split(",") if rule)
    if any(rule not in _RULES for rule in rules):
        errors["rules"] = "Invalid value"
    draw_policy = fields.get("drawPolicy", "lichess")
    if draw_policy not in ("lichess", "engine"):
        errors["drawPolicy"] = "Invalid value"
    watched = fields.get("watch", "") in YES
    if watched and not is_parlour(variant):
        errors["watch"] = "Invalid value"
    rated = not errors and _rated(fields, variant, time, errors)
    return Terms(variant, start_fen, time, rated, rules, draw_policy == "engine", watched)


def read_color(fields: Mapping[str, str], errors: dict[str, str]) -> Color | None:
    """The color that is asked for, None for by lot; what is wrong is noted in `errors`."""
    color = fields.get("color", "random")
    if color not in ("random", "white", "black"):
        errors["color"] = "Invalid value"
    return {"white": Color.WHITE, "black": Color.BLACK}.get(color)


def _variant_and_start(fields: Mapping[str, str], errors: dict[str, str]) -> tuple[Variant, str | None]:
    """The game, and its start where that is not the usual one; a FEN turns standard chess into From Position."""
    variant: Variant = variants.STANDARD
    text = fields.get("fen", "").strip().replace("_", " ")
    try:
        variant = variants.by_key(fields.get("variant") or variant.key)
    except UnknownVariant:
        errors["variant"] = "Invalid variant"
        return variant, None
    if not text:
        if variant.needs_fen:
            errors["fen"] = "This variant needs a FEN"
        return variant, None
    if variant is variants.STANDARD:
        variant = variants.FROM_POSITION
    if variant.lichess and not variant.chess960:
        errors["fen"] = "This variant has one start position only"
        return variant, None
    try:
        position = Position.from_fen(variant, text)
    except RulesError as error:
        errors["fen"] = str(error)
        return variant, None
    if position.ending() is not None:
        errors["fen"] = "The game would be over at once"
    elif variant.chess960 and not variant.needs_fen and not is_chess960_start(position):
        errors["fen"] = "Not one of the 960 start positions"
    if position.fen() == variant.start_fen and not (variant.chess960 and not variant.needs_fen):
        return (variants.STANDARD if variant.needs_fen else variant), None
    return variant, position.fen()


def is_chess960_start(position: Position) -> bool:
    """Whether this is one of the 960 start positions."""
    placement, *rest = position.fen().split()
    black, *middle, white = placement.split("/")
    if middle != ["pppppppp", *["8"] * 4, "PPPPPPPP"] or white != black.upper() or rest != ["w", "KQkq", "-", "0", "1"]:
        return False
    bishops = [file for file, letter in enumerate(black) if letter == "b"]
    return (
        sorted(black) == sorted("rnbqkbnr")
        and bishops[0] % 2 != bishops[1] % 2
        and black.index("r") < black.index("k") < black.rindex("r")
    )


def _time(fields: Mapping[str, str], variant: Variant, errors: dict[str, str]) -> TimeControl:
    if "turn.limit" in fields:
        limit_s = _number(fields, "turn.limit", errors)
        if limit_s not in _TURN_LIMITS_S or variant.lichess:
            errors["turn.limit"] = "Invalid value"
        return PerTurn(limit_s)
    if "clock.limit" in fields or "clock.increment" in fields:
        limit_s, increment_s = _number(fields, "clock.limit", errors), _number(fields, "clock.increment", errors)
        if limit_s not in _SHORT_LIMITS_S and (limit_s % 60 or not 0 <= limit_s <= _LONGEST_LIMIT_S):
            errors["clock.limit"] = "Invalid value"
        if not 0 <= increment_s <= _LONGEST_INCREMENT_S:
            errors["clock.increment"] = "Invalid value"
        if not errors and limit_s == 0 and increment_s == 0:
            errors["global"] = "Invalid clock"
        return Countdown(limit_s, increment_s)
    if "days" in fields:
        days = _number(fields, "days", errors)
        if days not in _DAYS:
            errors["days"] = "Invalid value"
        return Correspondence(days)
    return Unlimited()


def _number(fields: Mapping[str, str], name: str, errors: dict[str, str]) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        errors[name] = "Numeric value expected" if text else "This field is required"
        return 0
    return int(text)


def _rated(fields: Mapping[str, str], variant: Variant, time: TimeControl, errors: dict[str, str]) -> bool:
    """Whether the game is rated; a variant too fast to be rated quietly becomes casual, as on Lichess."""
    if fields.get("rated", "") not in YES:
        return False
    timed = isinstance(time, Countdown | PerTurn)
    if variant.needs_fen or not (timed or variant is variants.STANDARD):
        errors["global"] = "This game cannot be rated"
    if is_parlour(variant):
        # Decision: a casual game may have any clock; a rated one has turn time, or lightning as the tables have it.
        lightning = isinstance(time, Countdown) and time.limit_s in _LIGHTNING_LIMITS_S
        if isinstance(time, Countdown) and not (lightning and time.increment_s in _LIGHTNING_INCREMENTS_S):
            errors["global"] = "This game cannot be rated"
        return True
    if isinstance(time, Countdown) and not is_plain_chess(variant):
        return time.estimate_s >= _LEAST_RATED_VARIANT_S and time != Countdown(0, 1)
    return True


def refused_by_bots(terms: Terms) -> bool:
    """Whether Lichess refuses to create such a challenge when a bot takes part.

    Only standard chess is refused for its speed; a variant gets through, and fails when it is accepted.
    """
    return terms.speed is Speed.ULTRA_BULLET and is_plain_chess(terms.variant)
