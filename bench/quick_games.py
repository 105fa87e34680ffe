"""Quick games of the search against itself, for positions to measure at."""

from __future__ import annotations

import random

from bot.search.thinker import Limits, Thinker
from rules import draws
from rules.game import Game
from rules.variant import Variant


def quick_game(
    variant: Variant, thinker: Thinker, chance: random.Random, *, random_plies: int, nodes: int, plies: int
) -> Game:
    """A game that begins with random moves and goes on with the search's, until its end or for so many plies."""
    game = Game.start(variant, draws.for_game(variant, with_bot=True))
    while game.outcome is None and len(game.moves) < plies:
        if len(game.moves) < random_plies:
            game.play(chance.choice(game.position.legal_moves()))
        else:
            game.play(thinker.think(game, Limits(nodes=nodes)).move)
    return game
