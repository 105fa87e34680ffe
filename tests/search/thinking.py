"""Short ways to set a position before the search."""

from __future__ import annotations

from bot.search.thinker import Limits, Thinker, Thought
from rules import draws, uci, variants
from rules.game import Game


def game(key: str, fen: str | None = None, moves: str = "") -> Game:
    """A game of this kind after some moves, under the policy of a game with a bot."""
    variant = variants.by_key(key)
    if fen is None and variant.needs_fen:
        fen = variant.start_fen
    return Game.replay(variant, draws.for_game(variant, with_bot=True), fen, moves.split())


def think(played: Game, thinker: Thinker | None = None, **limits: int) -> Thought:
    """What a fresh search finds within the limits."""
    return (thinker or Thinker(2)).think(played, Limits(**limits))


def best(key: str, fen: str, moves: str = "", **limits: int) -> str:
    """The move found, in protocol form."""
    played = game(key, fen, moves)
    return uci.write(played.position, think(played, **limits).move, False)
