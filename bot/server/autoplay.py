"""The moves that the system plays for a player whose turn has run out.

Decision: the embedded search at its lowest level, from an empty table, so that a replay gives the same move.
"""
from __future__ import annotations

from functools import cached_property

from bot.search.thinker import Thinker
from bot.server.machine import LEVELS, limits_of
from rules.game import Game
from rules.move import Move

_HASH_MB = 1


class SystemPlayer:
    """Chooses a move for a running game."""

    @cached_property
    def _thinker(self) -> Thinker:
        # Most servers never need it: only games with a time for every move do.
        return Thinker(hash_mb=_HASH_MB)

    def __call__(self, game: Game) -> Move:
        """A legal move of the side to move; the same one for the same game."""
        self._thinker.clear()
        return self._thinker.think(game, limits_of(LEVELS.start)).move
