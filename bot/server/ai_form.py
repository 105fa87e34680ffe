"""The form of a game against a machine."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.server.challenge_form import read_color, read_terms
from bot.server.errors import FormError
from bot.server.machine import LEVELS
from bot.server.terms import Terms
from rules.move import Color


@dataclass(frozen=True, slots=True)
class AiForm:
    """What a player asks for; `color` is the player's, None for by lot."""

    level: int
    terms: Terms
    color: Color | None


def read_ai_game(fields: Mapping[str, str]) -> AiForm:
    """The form in typed form; such games are never rated.

    Raises: FormError, naming every field that is wrong.
    """
    errors: dict[str, str] = {}
    text = fields.get("level", "")
    levels = {str(level): level for level in LEVELS}
    if not text:
        errors["level"] = "This field is required"
    elif text not in levels:
        errors["level"] = "Invalid value"
    terms, color = read_terms(fields, errors), read_color(fields, errors)
    if errors:
        raise FormError(errors)
    return AiForm(levels[text], replace(terms, rated=False), color)
