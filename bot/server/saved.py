"""A game as it is kept, and back to a table."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.server.clock import ClockMemory
from bot.server.events import ChatEvent
from bot.server.offers import OffersMemory
from bot.server.origin import Origin
from bot.server.settings import ServerSettings
from bot.server.table import Seat, Table
from bot.server.terms import Terms
from bot.server.verdict import Verdict
from rules.game import Game
from rules.move import Color, Move


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change in a game."""

    terms: Terms
    seats: tuple[Seat, Seat]
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class TableMemory:
    """What a game has to remember beside its moves; `automatic` are those for whom the system moves."""

    clock: ClockMemory
    draws: OffersMemory
    takebacks: OffersMemory
    moved_at_ms: int
    automatic: tuple[Color, ...] = ()
    system_moves: tuple[int, int] = (0, 0)
    berserk: tuple[Color, ...] = ()
    rematch_id: str | None = None
    rating_changes: tuple[int, int] | None = None
    looked_away: tuple[Color, ...] = ()


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
        _memory(table),
    )


def table_of(game: SavedGame, settings: ServerSettings, system_player: Callable[[Game], Move], now_ms: int) -> Table:
    """The table that was saved; its players are absent until they come back.

    Raises: RulesError when its moves cannot be played.
    """
    setting = game.setting
    table = Table(game.id, setting.terms, setting.seats, settings, system_player, now_ms, setting.origin)
    table.created_at_ms = game.created_at_ms
    table.replay(game.moves)
    table.verdict, table.changed_at_ms = game.verdict, game.changed_at_ms
    table.chat.extend(game.chat)
    _recall(table, game.memory)
    return table


def _memory(table: Table) -> TableMemory:
    return TableMemory(
        table.clock.memory(),
        table.draws.memory(),
        table.takebacks.memory(),
        table.moved_at_ms,
        tuple(sorted(table.automatic)),
        (table.system_moves[0], table.system_moves[1]),
        tuple(sorted(table.berserk)),
        table.rematch_id,
        table.rating_changes,
        tuple(sorted(table.looked_away)),
    )


def _recall(table: Table, memory: TableMemory) -> None:
    table.clock.recall(memory.clock)
    table.draws.recall(memory.draws)
    table.takebacks.recall(memory.takebacks)
    table.moved_at_ms, table.rematch_id = memory.moved_at_ms, memory.rematch_id
    table.automatic, table.berserk = set(memory.automatic), set(memory.berserk)
    table.looked_away = set(memory.looked_away)
    table.system_moves = list(memory.system_moves)
    table.rating_changes = memory.rating_changes
