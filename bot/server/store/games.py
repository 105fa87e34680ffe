"""Games, running and finished, with their chat."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import TypeAdapter

from bot.server.events import ChatEvent, Room
from bot.server.saved import SavedGame, Setting, TableMemory
from bot.server.store.database import Database, StoreError
from bot.server.verdict import GameStatus, Verdict
from rules.move import Color
from rules.outcome import Reason

_SETTING: TypeAdapter[Setting] = TypeAdapter(Setting)
_MEMORY: TypeAdapter[TableMemory] = TypeAdapter(TableMemory)
_COLUMNS = "id, setting, created_at_ms, changed_at_ms, status, winner, reason, moves, memory"


class GameRows:
    """The rows of games and chat; every call may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, game: SavedGame) -> None:
        """Keep a new game."""
        white, black = game.setting.seats
        values = {
            "id": game.id,
            "variant": game.setting.terms.variant.key,
            "white": white.user_id or "",
            "black": black.user_id or "",
            "setting": _SETTING.dump_json(game.setting).decode(),
            "created_at_ms": game.created_at_ms,
            **_changing(game),
        }
        marks = ", ".join("?" for _ in values)
        self._database.change(f"INSERT INTO games ({', '.join(values)}) VALUES ({marks})", values.values())

    def put(self, game: SavedGame, new_chat: Iterable[ChatEvent] = ()) -> None:
        """Keep a game as it is now, with what was said since the last time."""
        values = _changing(game)
        settings = ", ".join(f"{name} = ?" for name in values)
        with self._database.transaction():
            self._database.change(f"UPDATE games SET {settings} WHERE id = ?", (*values.values(), game.id))
            for line in new_chat:
                self._database.change(
                    "INSERT INTO chat (game_id, room, username, text) VALUES (?, ?, ?, ?)",
                    (game.id, line.room.value, line.username, line.text),
                )

    def get(self, game_id: str) -> SavedGame | None:
        """A game, if it is kept."""
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM games WHERE id = ?", (game_id,))
        return self._game(rows[0]) if rows else None

    def running(self) -> list[SavedGame]:
        """The games that are being played, the oldest first."""
        query = f"SELECT {_COLUMNS} FROM games WHERE over = 0 ORDER BY created_at_ms, rowid"
        return [self._game(row) for row in self._database.rows(query)]

    def latest_white(self, player_ids: tuple[str, str], variant_key: str) -> str | None:
        """Who had White when these two last played this, None if they never did; aborted games do not count."""
        query = (
            "SELECT white FROM games WHERE variant = ? AND white IN (?, ?) AND black IN (?, ?) AND status != 'aborted'"
            " ORDER BY created_at_ms DESC, rowid DESC LIMIT 1"
        )
        rows = self._database.rows(query, (variant_key, *player_ids, *player_ids))
        return rows[0][0] if rows else None

    def ids(self, candidates: Iterable[str]) -> set[str]:
        """Those of the candidates that are kept."""
        query = "SELECT 1 FROM games WHERE id = ?"
        return {game_id for game_id in candidates if self._database.rows(query, (game_id,))}

    def ids_of(self, user_id: str, *, oldest_first: bool) -> list[str]:
        """The games of a user, by when they began."""
        order = "ASC" if oldest_first else "DESC"
        query = f"SELECT id FROM games WHERE white = ? OR black = ? ORDER BY created_at_ms {order}, rowid {order}"
        return [game_id for (game_id,) in self._database.rows(query, (user_id, user_id))]

    def latest_change_ms(self) -> int:
        """When the last thing happened in a game that is being played, 0 if there is none."""
        query = "SELECT coalesce(max(changed_at_ms), 0) FROM games WHERE over = 0"
        latest_ms: int = self._database.rows(query)[0][0]
        return latest_ms

    def is_running(self, game_id: str) -> bool:
        """Whether a game is kept that is not over."""
        return bool(self._database.rows("SELECT 1 FROM games WHERE id = ? AND over = 0", (game_id,)))

    def drop(self, game_id: str) -> bool:
        """Forget a game; false when there is none of that id."""
        return self._database.change("DELETE FROM games WHERE id = ?", (game_id,)) == 1

    def _game(self, row: tuple[Any, ...]) -> SavedGame:
        game_id, setting, created_at_ms, changed_at_ms, status, winner, reason, moves, memory = row
        chat = self._database.rows(
            "SELECT room, username, text FROM chat WHERE game_id = ? ORDER BY rowid", (game_id,)
        )
        try:
            return SavedGame(
                game_id,
                _SETTING.validate_json(setting),
                created_at_ms,
                changed_at_ms,
                _verdict(status, winner, reason),
                tuple(moves.split()),
                _MEMORY.validate_json(memory),
                tuple(ChatEvent(Room(room), username, text) for room, username, text in chat),
            )
        except (ValueError, KeyError):
            raise StoreError(f"the record of the game {game_id} cannot be read") from None


def _changing(game: SavedGame) -> dict[str, object]:
    """The columns that change while a game is played."""
    verdict = game.verdict
    return {
        "changed_at_ms": game.changed_at_ms,
        "over": int(verdict.over),
        "status": verdict.status.wire,
        "winner": None if verdict.winner is None else verdict.winner.wire,
        "reason": None if verdict.reason is None else verdict.reason.value,
        "moves": " ".join(game.moves),
        "memory": _MEMORY.dump_json(game.memory).decode(),
    }


def _verdict(status: str, winner: str | None, reason: str | None) -> Verdict:
    colors = {color.wire: color for color in Color}
    return Verdict(
        GameStatus.named(status),
        None if winner is None else colors[winner],
        None if reason is None else Reason(reason),
    )
