"""Which challenges are taken."""

from __future__ import annotations

from typing import get_args

from pydantic import PositiveInt

from bot.config.section import Section, Speed, VariantKey
from rules import variants


class Audience(Section):
    """What is accepted from one kind of player: variants by mode, and speeds."""

    allow: bool = True
    casual: tuple[VariantKey, ...] = tuple(variant.key for variant in variants.ALL)
    rated: tuple[VariantKey, ...] = ()
    speeds: tuple[Speed, ...] = get_args(Speed)


class Humans(Audience):
    """What is accepted from people: rated games in the ordinary game only."""

    rated: tuple[VariantKey, ...] = (variants.ALL[0].key,)


class Bots(Audience):
    """What is accepted from other bots: every game that Lichess rates."""

    rated: tuple[VariantKey, ...] = tuple(game.key for game in variants.ALL if game.lichess and not game.needs_fen)


class Acceptance(Section):
    """Which challenges are taken, and how many games at once."""

    max_games: PositiveInt = 4
    humans: Humans = Humans()
    bots: Bots = Bots()
