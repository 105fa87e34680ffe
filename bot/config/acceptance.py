"""Which challenges are taken, from whom, and in which order."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from bot import time_controls
from bot.config.section import Section, Speed, VariantKey
from rules import variants

LATEST_ANSWER_S = 9
"""Somebody who waits for a place is told within ten seconds that there is none."""


def _time_control(text: str) -> str:
    return str(time_controls.read(text))


TimeControlText = Annotated[str, AfterValidator(_time_control)]


class Span(Section):
    """From `least` to `most`, both included; an absent one is no bound."""

    least: float | None = None
    most: float | None = None

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(f"nothing is at least {self.least:g} and at most {self.most:g}")
        return self

    def is_below(self, value: float) -> bool:
        """Whether the value is too small."""
        return self.least is not None and value < self.least

    def is_above(self, value: float) -> bool:
        """Whether the value is too big."""
        return self.most is not None and value > self.most

    def holds(self, value: float) -> bool:
        """Whether the value is neither."""
        return not self.is_below(value) and not self.is_above(value)


class CoolOff(Section):
    """After so many games within so many minutes that an opponent let be aborted, it has to wait."""

    aborts: PositiveInt | None = 5
    minutes: PositiveFloat = 60


class Audience(Section):
    """What is accepted from one kind of player."""

    allow: bool = True
    casual: tuple[VariantKey, ...] = tuple(variant.key for variant in variants.ALL)
    rated: tuple[VariantKey, ...] = ()
    speeds: tuple[Speed, ...] = get_args(Speed)
    time_controls: tuple[TimeControlText, ...] = ()
    base_s: Span = Span()
    increment_s: Span = Span()
    estimated_s: Span = Span()
    bullet_needs_increment: bool = False
    days: Span = Span()
    unlimited: bool = True
    rating: Span = Span()
    rating_difference: Span = Span()
    provisional: bool = True
    games_at_once: PositiveInt | None = None
    games_a_day: PositiveInt | None = None
    rated_games_a_day: NonNegativeInt | None = None
    rematches_in_a_row: NonNegativeInt | None = None
    alternate_colors: bool = False
    cool_off: CoolOff = CoolOff()


class Humans(Audience):
    """What is accepted from people: rated games in the ordinary game only, few of them, with either color."""

    rated: tuple[VariantKey, ...] = (variants.ALL[0].key,)
    rated_games_a_day: NonNegativeInt | None = 10
    alternate_colors: bool = True


class Bots(Audience):
    """What is accepted from other bots: every game that Lichess rates."""

    rated: tuple[VariantKey, ...] = tuple(game.key for game in variants.ALL if game.lichess and not game.needs_fen)
    rematches_in_a_row: NonNegativeInt | None = 3


class Queue(Section):
    """Who waits for a place, how long, and who is first when one becomes free."""

    wait_s: Annotated[NonNegativeFloat, Field(le=LATEST_ANSWER_S)] = 6
    order: Literal["first", "best"] = "first"
    prefer: tuple[Literal["titled", "humans", "bots"], ...] = ("humans",)


class SlowGames(Section):
    """Games by the day or without a clock: how many there may be, and how many of them are attended to at once."""

    max_games: NonNegativeInt = 10
    at_once: PositiveInt = 2
    rest_after_s: PositiveFloat = 300


class Acceptance(Section):
    """Which challenges are taken, and how many games at once."""

    max_games: PositiveInt = 4
    reserved_for_humans: NonNegativeInt = 0
    slow: SlowGames = SlowGames()
    surplus: Literal["play", "abort"] = "play"
    queue: Queue = Queue()
    humans: Humans = Humans()
    bots: Bots = Bots()

    def games(self) -> set[str]:
        """The keys of all games that are accepted from anybody."""
        audiences = [audience for audience in (self.humans, self.bots) if audience.allow]
        return {key for audience in audiences for key in (*audience.casual, *audience.rated)}

    @model_validator(mode="after")
    def _leaves_bots_a_place(self) -> Self:
        if self.bots.allow and self.reserved_for_humans >= self.max_games:
            raise ValueError("with all places reserved for humans there is none for bots: say bots.allow: false")
        return self


class Citizenship(Section):
    """What the site expects of every bot."""

    bot_games_a_day: NonNegativeInt = 100
