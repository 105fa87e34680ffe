"""How strongly, and how fast, games are played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt

from bot.config.section import FilePath, NetworkChoice, Section, VariantKey

Mode = Literal["casual", "rated"]


def _casual_only(modes: tuple[Mode, ...]) -> tuple[Mode, ...]:
    if "rated" in modes:
        raise ValueError("in rated games the strength is the same for everybody: levels are for casual games only")
    return modes


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
    """How strongly every game is played, and what single games change of it.

    A running game gets `hash_mb`, but all together no more than `hash_total_mb`, and `threads`, but no more than its
    part of the cores. `levels` are limits with a name, which an opponent may choose in the chat.

    `network` says what judges positions: the networks that come with the program (`auto`), evaluations made by hand
    (`none`), a network's file, or a folder with one file for each game, named after its key. `tables` is a folder of
    end-game tables, as `centella tablebase` makes them, that searches look up.
    """

    hash_mb: PositiveInt = 64
    hash_total_mb: PositiveInt = 256
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    ponder: bool = True
    network: NetworkChoice = "auto"
    tables: FilePath | None = None
    limits: SearchLimits = SearchLimits()
    variants: Mapping[VariantKey, GameStrength] = {}
    levels: Mapping[Annotated[str, Field(pattern=r"^\w+$")], SearchLimits] = {}
    levels_in: Annotated[tuple[Mode, ...], AfterValidator(_casual_only)] = ("casual",)

    def limits_for(self, key: str) -> SearchLimits:
        """The caps that hold in that game."""
        own = self.variants.get(key, GameStrength()).limits
        return self.limits.model_copy(update=own.model_dump(exclude_unset=True))

    def hash_mb_for(self, key: str) -> int:
        """The size of a running game's transposition table."""
        return self.variants.get(key, GameStrength()).hash_mb or self.hash_mb


class Timing(Section):
    """How long to think, and how long to wait with a move that is found: `least_ms`, or as a person would."""

    overhead_ms: NonNegativeInt = 100
    margin_ms: NonNegativeInt = 40
    first_move_ms: PositiveInt = 2000
    correspondence_ms: PositiveInt = 10000
    unlimited_ms: PositiveInt = 5000
    overdue_ms: PositiveInt = 1000
    least_ms: NonNegativeInt = 0
    human_pace: bool = False
