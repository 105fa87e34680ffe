"""The form of a new arena: Lichess's fields, in looser bounds, so that a rehearsal can be short."""
from __future__ import annotations

from collections.abc import Mapping

from bot.server.arena import ArenaPlan
from bot.server.challenge_form import YES, read_terms
from bot.server.errors import FormError

_MINUTE_MS = 60_000
_USUAL_WAIT_MINUTES = 5
_LONGEST_MINUTES = 720
_LONGEST_NAME = 30
_LONGEST_WAIT_MS = 30 * 86_400_000
# What the form of an arena calls the fields of a challenge.
_FIELD_NAMES = {"clock.limit": "clockTime", "clock.increment": "clockIncrement", "fen": "position"}


def read_arena(fields: Mapping[str, str], now_ms: int) -> ArenaPlan:
    """The form in typed form.

    Raises: FormError, naming every field that is wrong.
    """
    errors: dict[str, str] = {}
    terms = read_terms(_terms_fields(fields), errors)
    errors = {_FIELD_NAMES.get(name, name): text for name, text in errors.items()}
    minutes = _number(fields, "minutes", range(1, _LONGEST_MINUTES + 1), errors)
    name = fields.get("name", "").strip() or "Local"
    if len(name) > _LONGEST_NAME:
        errors["name"] = f"Maximum length is {_LONGEST_NAME}"
    starts_at_ms = _start(fields, now_ms, errors)
    if errors:
        raise FormError(errors)
    return ArenaPlan(
        name=f"{name} Arena",
        terms=terms,
        minutes=minutes,
        starts_at_ms=starts_at_ms,
        berserkable=_wanted(fields, "berserkable", usual=True),
        streakable=_wanted(fields, "streakable", usual=True),
        bots_allowed=_wanted(fields, "conditions.bots", usual=False),
        password=fields.get("password") or None,
        team_id=fields.get("conditions.teamMember.teamId") or None,
    )


def _terms_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The same as the form of a challenge has it; games from a position of one's own are not rated."""
    position = fields.get("position", "")
    rated = _wanted(fields, "rated", usual=True) and not position
    terms = {"clock.limit": _seconds(fields.get("clockTime", "")), "clock.increment": fields.get("clockIncrement", "")}
    return terms | {"variant": fields.get("variant", ""), "fen": position, "rated": str(rated).lower()}


def _seconds(minutes: str) -> str:
    """Minutes, which may have a fraction, in seconds; as it is when that is not what it is."""
    try:
        seconds = float(minutes) * 60
        return str(int(seconds)) if seconds == int(seconds) else minutes
    except (ValueError, OverflowError):
        return minutes


def _start(fields: Mapping[str, str], now_ms: int, errors: dict[str, str]) -> int:
    if "startDate" in fields:
        return _number(fields, "startDate", range(now_ms, now_ms + _LONGEST_WAIT_MS), errors)
    if "waitMinutes" in fields:
        return now_ms + _number(fields, "waitMinutes", range(_LONGEST_MINUTES + 1), errors) * _MINUTE_MS
    return now_ms + _USUAL_WAIT_MINUTES * _MINUTE_MS


def _number(fields: Mapping[str, str], name: str, allowed: range, errors: dict[str, str]) -> int:
    text = fields.get(name, "")
    if not text:
        errors[name] = "This field is required"
    elif not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) in allowed):
        errors[name] = "Invalid value"
    return 0 if name in errors else int(text)


def _wanted(fields: Mapping[str, str], name: str, *, usual: bool) -> bool:
    return fields[name] in YES if name in fields else usual
