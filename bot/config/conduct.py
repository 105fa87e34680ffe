"""Manners at the board."""

from __future__ import annotations

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from bot.config.section import Section


class Takebacks(Section):
    """How many takebacks an opponent is granted in a game."""

    humans: NonNegativeInt = 3
    bots: NonNegativeInt = 0
    rated: bool = False


class Draws(Section):
    """When draws are offered and accepted: after `moves` thoughts in a row within `score_cp` of level."""

    accept: bool = True
    offer: bool = True
    score_cp: NonNegativeInt = 15
    moves: PositiveInt = 5
    from_move: PositiveInt = 40


class Resignation(Section):
    """When to resign: after `moves` thoughts in a row that are `score_cp` or more behind."""

    allow: bool = False
    score_cp: PositiveInt = 900
    moves: PositiveInt = 5


class OpponentStart(Section):
    """How long an opponent may take over the first move before the game is aborted."""

    humans_s: PositiveFloat = 60
    bots_s: PositiveFloat = 30


class Conduct(Section):
    """Manners at the board."""

    takebacks: Takebacks = Takebacks()
    draws: Draws = Draws()
    resign: Resignation = Resignation()
    abort_after: OpponentStart = OpponentStart()
    claim_when_gone: bool = True
