"""How strongly, and how fast, games are played."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import NonNegativeInt, PositiveInt

from bot.config.section import Section, VariantKey


class SearchLimits(Section):
    """Caps on every search; None means that only the clock decides."""

    time_ms: PositiveInt | None = None
    depth: PositiveInt | None = None
    nodes: PositiveInt | None = None


class GameStrength(Section):
    """What one game changes of the strength; an absent value keeps the common one."""

    hash_mb: PositiveInt | None = None
    limits: SearchLimits = SearchLimits()


class Strength(Section):
    """How strongly every game is played, and what single games change of it."""

    hash_mb: PositiveInt = 64
    limits: SearchLimits = SearchLimits()
    variants: Mapping[VariantKey, GameStrength] = {}

    def limits_for(self, key: str) -> SearchLimits:
        """The caps that hold in that game."""
        own = self.variants.get(key, GameStrength()).limits
        return self.limits.model_copy(update=own.model_dump(exclude_none=True))

    def hash_mb_for(self, key: str) -> int:
        """The size of a running game's transposition table."""
        return self.variants.get(key, GameStrength()).hash_mb or self.hash_mb


class Timing(Section):
    """How long to think."""

    overhead_ms: NonNegativeInt = 100
    margin_ms: NonNegativeInt = 40
    first_move_ms: PositiveInt = 2000
    correspondence_ms: PositiveInt = 10000
    unlimited_ms: PositiveInt = 5000
    overdue_ms: PositiveInt = 1000
