"""What is said in games."""

from __future__ import annotations

from string import Formatter
from typing import Annotated, Final

from pydantic import AfterValidator, PositiveFloat

from bot.config.section import Section, suggestion

PLACEHOLDERS: Final = ("me", "opponent", "variant", "speed")


def _template(text: str) -> str:
    try:
        fields = [field for _, field, _, _ in Formatter().parse(text) if field is not None]
    except ValueError as error:
        raise ValueError(f"not a text with placeholders: {error}") from None
    for field in fields:
        if field not in PLACEHOLDERS:
            raise ValueError(f"there is no placeholder {{{field}}}{suggestion(field, PLACEHOLDERS)}")
    return text


Template = Annotated[str, AfterValidator(_template)]


class Chat(Section):
    """Greetings, and answers to commands such as !help; `bots` is whether bots are talked to as well."""

    greeting: Template | None = None
    goodbye: Template | None = None
    greeting_spectators: Template | None = None
    goodbye_spectators: Template | None = None
    commands: bool = True
    bots: bool = False
    evaluation_for_spectators: bool = False
    pause_s: PositiveFloat = 1
