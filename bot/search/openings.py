"""The positions that the games of a match begin from."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Final

from bot.search.thinker import Limits, Thinker
from rules import draws
from rules.game import Game
from rules.variant import Variant

RANDOM_PLIES: Final = 8
BALANCED_CP: Final = 100
JUDGE_NODES: Final = 3000


def read_openings(lines: Iterable[str]) -> tuple[str, ...]:
    """The positions of an openings file, each once: a FEN a line, what follows ` ;` left out, `#` for comments."""
    fens = (line.partition(";")[0].strip() for line in lines if not line.startswith("#"))
    return tuple(dict.fromkeys(fen for fen in fens if fen))


def openings(variant: Variant, seed: int, listed: tuple[str, ...] = ()) -> Iterator[str]:
    """Positions of the list in drawn order, over and over; without a list, ones after random moves that keep the
    balance, each once.
    """
    chance = random.Random(seed)
    while listed:
        yield from chance.sample(listed, len(listed))
    thinker = Thinker(4)
    seen = set()
    while True:
        game = Game.start(variant, draws.for_game(variant, with_bot=True))
        while game.outcome is None and len(game.moves) < RANDOM_PLIES:
            game.play(chance.choice(game.position.legal_moves()))
        if game.outcome is None and abs(thinker.think(game, Limits(nodes=JUDGE_NODES)).score_cp) <= BALANCED_CP:
            fen = game.position.fen()
            if fen not in seen:
                seen.add(fen)
                yield fen
