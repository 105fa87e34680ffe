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
    """When draws are offered and accepted: after `moves` thoughts in a row within `score_cp` of level.

    Offered only with at most `most_men` on the board; and not to opponents rated below `least_rating`.
    """

    accept: bool = True
    offer: bool = True
    score_cp: NonNegativeInt = 15
    moves: PositiveInt = 5
    from_move: PositiveInt = 40
    most_men: PositiveInt | None = None
    least_rating: PositiveInt | None = None


class Resignation(Section):
    """When to resign: after `moves` thoughts in a row that are `score_cp` or more behind."""

    allow: bool = False
    score_cp: PositiveInt = 900
    moves: PositiveInt = 5
    least_rating: PositiveInt | None = None


class Variety(Section):
    """How the same game is kept from being played again.

    `lost_lines`: a line that was lost is left by `by_ply`, for a move at most `loss_cp` worse by a quick look.
    For the first `opening_plies` any move at most `opening_loss_cp` worse than the best may be played.
    """

    lost_lines: bool = True
    by_ply: PositiveInt = 12
    loss_cp: NonNegativeInt = 80
    opening_plies: NonNegativeInt = 0
    opening_loss_cp: NonNegativeInt = 20


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
    variety: Variety = Variety()
