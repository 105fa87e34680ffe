"""Games in one line each, for an administrator."""
from __future__ import annotations

from dataclasses import dataclass

from bot.server.store.database import Database


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game without its moves; `white` and `black` are ids of users, empty for a machine."""

    id: str
    created_at_ms: int
    variant: str
    white: str
    black: str
    status: str
    winner: str | None
    plies: int


def listed_games(database: Database, most: int | None) -> list[ListedGame]:
    """The games, the latest last; of more than `most` only the latest. Raises: StoreError."""
    query = (
        "SELECT id, created_at_ms, variant, white, black, status, winner, moves FROM games"
        " ORDER BY created_at_ms DESC, rowid DESC LIMIT ?"
    )
    rows = database.rows(query, (-1 if most is None else most,))
    return [
        ListedGame(game_id, created_at_ms, variant, white, black, status, winner, len(moves.split()))
        for game_id, created_at_ms, variant, white, black, status, winner, moves in reversed(rows)
    ]
