"""Whom we play: by name, and whom we ask for games ourselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    model_validator,
)

from bot import time_controls
from bot.config.acceptance import Span, TimeControlText
from bot.config.section import Address, FilePath, Section, Speed, VariantKey
from rules import variants

ARENA: Final = re.compile(r"(?:https?://[^/]+/tournament/)?([A-Za-z0-9]{8})/?")
LAPSES_AFTER_S: Final = 20
"""A challenge that nobody has answered is forgotten by the site after this time."""


class Names(Section):
    """Players by name, and files and pages that name more, one a line."""

    names: tuple[str, ...] = ()
    files: tuple[FilePath, ...] = ()
    urls: tuple[Address, ...] = ()

    @property
    def any(self) -> bool:
        """Whether it names players, or may."""
        return bool(self.names or self.files or self.urls)


class PlayerLists(Section):
    """Who is never played, and who alone is played if any are named."""

    block: Names = Names()
    allow: Names = Names()
    reread_every_s: PositiveFloat = 3600


class MatchType(Section):
    """A kind of game that we ask others for: how often, what, and how strong the opponent is to be."""

    weight: PositiveFloat = 1
    variants: Annotated[tuple[VariantKey, ...], Field(min_length=1)] = (variants.ALL[0].key,)
    time_controls: Annotated[tuple[TimeControlText, ...], Field(min_length=1)] = ("3+2", "5+3")
    rated: bool = False
    rating: Span = Span()
    rating_difference: Span = Span(least=-300, most=300)
    provisional: bool = True
    prefer: Literal["any", "nearest", "stronger", "weaker"] = "any"
    color_pairs: bool = True

    @model_validator(mode="after")
    def _can_be_asked_for(self) -> Self:
        for text in self.time_controls:
            if not time_controls.can_be_asked_for(time_controls.read(text)):
                raise ValueError(f"no challenge can be made with the time control {text!r}")
        for key in self.variants:
            if variants.by_key(key).needs_fen:
                raise ValueError(f"{key} needs a position: we do not ask for it")
        return self


class Rests(Section):
    """How many hours an opponent is left alone after it did not want to play."""

    declined: PositiveFloat = 24
    later: PositiveFloat = 1
    unanswered: PositiveFloat = 6


class Matchmaking(Section):
    """When, and whom, we ask for games."""

    allow: bool = False
    pause_s: PositiveFloat = 60
    answer_within_s: Annotated[PositiveFloat, Field(le=LAPSES_AFTER_S)] = 20
    beside: tuple[Speed, ...] = ("correspondence",)
    challenges_a_day: PositiveInt = 150
    rest_hours: Rests = Rests()
    types: Annotated[Mapping[str, MatchType], Field(min_length=1)] = {"usual": MatchType()}


class Rematches(Section):
    """How many rematches in a row we offer, and for how long an offer stands."""

    humans: NonNegativeInt = 0
    bots: NonNegativeInt = 0
    answer_within_s: Annotated[PositiveFloat, Field(le=LAPSES_AFTER_S)] = 15


def _arena_id(text: str) -> str:
    found = ARENA.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no arena: write its eight characters, or its address")
    return found[1]


class Arena(Section):
    """An arena to take part in: its id or address, and what it takes to get in."""

    id: Annotated[str, AfterValidator(_arena_id)]
    password: SecretStr | None = None
    team: str | None = None


def _by_id(value: object) -> object:
    # an arena without password and team may be written as its id alone
    return {"id": value} if isinstance(value, str) else value


class Tournaments(Section):
    """Arenas to take part in, a place being kept for each from shortly before its start."""

    join: tuple[Annotated[Arena, BeforeValidator(_by_id)], ...] = ()
    reserve_before_s: NonNegativeFloat = 60
    check_every_s: PositiveFloat = 60
