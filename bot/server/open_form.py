"""The form of a challenge that any two players may take up."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.server.challenge_form import read_terms
from bot.server.errors import FormError
from bot.server.terms import Terms

_LIFE_MS = 86_400_000
_LONGEST_LIFE_MS = 14 * _LIFE_MS
_LONGEST_NAME = 100
_ADMIN_RULE = "noAbort"


@dataclass(frozen=True, slots=True)
class OpenForm:
    """What is asked for; `user_names` are the only two who may play, White first, or nobody in particular."""

    terms: Terms
    name: str | None
    user_names: tuple[str, ...]
    expires_at_ms: int


def read_open_challenge(fields: Mapping[str, str], now_ms: int, *, by_admin: bool) -> OpenForm:
    """The form in typed form.

    Raises: FormError, naming every field that is wrong.
    """
    errors: dict[str, str] = {}
    terms = read_terms(fields, errors)
    if _ADMIN_RULE in terms.rules and not by_admin:
        errors["rules"] = f"{_ADMIN_RULE} is for administrators"
    name = fields.get("name", "").strip() or None
    if name is not None and len(name) > _LONGEST_NAME:
        errors["name"] = f"Maximum length is {_LONGEST_NAME}"
    users = tuple(user.strip() for user in fields.get("users", "").split(",") if user.strip())
    if users and (len(users) != 2 or users[0].lower() == users[1].lower()):
        errors["users"] = "Two different users are expected, White's first"
    expires_at_ms = _expiry(fields, now_ms, errors)
    if errors:
        raise FormError(errors, told_once=True)
    return OpenForm(terms, name, users, expires_at_ms)


def _expiry(fields: Mapping[str, str], now_ms: int, errors: dict[str, str]) -> int:
    text = fields.get("expiresAt")
    if text is None:
        return now_ms + _LIFE_MS
    expires_at_ms = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    if not now_ms < expires_at_ms <= now_ms + _LONGEST_LIFE_MS:
        errors["expiresAt"] = "Must be a time within the next two weeks, in milliseconds"
    return expires_at_ms
