"""Proof that a game can be played: its start is set up, searched a little, and answered with a legal move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.search.evaluation.netfile import NetworkError
from bot.search.thinker import Limits, Thinker
from rules import draws, variants
from rules.game import Game

DEPTH: Final = 2
HASH_MB: Final = 1


def unplayable(keys: Iterable[str], network: str, tables: str | None = None) -> list[str]:
    """A line for each of these games that cannot be played with this network and these tables; none when all can."""
    found = []
    for key in sorted(set(keys)):
        try:
            _play_a_little(key, network, tables)
        except NetworkError as error:
            found.append(f"{key} cannot be played: {error}")
        except Exception as error:  # whatever it is, nobody shall be promised this game
            found.append(f"{key} cannot be played: {type(error).__name__}: {error}")
    return found


def _play_a_little(key: str, network: str, tables: str | None) -> None:
    variant = variants.by_key(key)
    game = Game.start(variant, draws.for_game(variant, with_bot=True), variant.start_fen if variant.needs_fen else None)
    thought = Thinker(HASH_MB, network=network, tables=tables).think(game, Limits(depth=DEPTH))
    game.play(thought.move)
