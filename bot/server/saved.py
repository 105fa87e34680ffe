"""A game as it is kept, and back to a table."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.server.events import ChatEvent
from bot.server.origin import Origin
from bot.server.settings import ServerSettings
from bot.server.table import Seat, Table, TableMemory
from bot.server.terms import Terms
from bot.server.verdict import Verdict
from rules.game import Game
from rules.move import Move


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change in a game."""

    terms: Terms
    seats: tuple[Seat, Seat]
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class SavedGame:
    """All of a game at one moment; moves are as the wire writes them."""

    id: str
    setting: Setting
    created_at_ms: int
    changed_at_ms: int
    verdict: Verdict
    moves: tuple[str, ...]
    memory: TableMemory
    chat: tuple[ChatEvent, ...] = ()


def saved(table: Table) -> SavedGame:
    """A table without its chat, which is kept line by line."""
    return SavedGame(
        table.id,
        Setting(table.terms, table.seats, table.origin),
        table.created_at_ms,
        table.changed_at_ms,
        table.verdict,
        tuple(table.moves()),
        table.memory(),
    )


def table_of(game: SavedGame, settings: ServerSettings, system_player: Callable[[Game], Move], now_ms: int) -> Table:
    """The table that was saved; its players are absent until they come back.

    Raises: RulesError when its moves cannot be played.
    """
    setting = game.setting
    table = Table(game.id, setting.terms, setting.seats, settings, system_player, now_ms, setting.origin)
    table.created_at_ms = game.created_at_ms
    table.recall(game.moves, game.memory, game.verdict, game.chat, game.changed_at_ms)
    return table
