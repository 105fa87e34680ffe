"""The places for games: one for each game that runs, and for each challenge accepted until its game starts."""

from __future__ import annotations


class Places:
    """Who holds a place; a reservation that is not used within `start_within_s` lapses."""

    def __init__(self, start_within_s: float) -> None:
        self._start_within_s = start_within_s
        self._running: set[str] = set()
        self._reserved: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._running | self._reserved.keys())

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._running or game_id in self._reserved

    def reserve(self, game_id: str, now: float) -> None:
        """Hold a place for a challenge: its game will have the same id."""
        self._reserved[game_id] = now + self._start_within_s

    def take(self, game_id: str) -> None:
        """The game runs."""
        self._reserved.pop(game_id, None)
        self._running.add(game_id)

    def cancel(self, game_id: str) -> None:
        """The game will not start; a game that runs keeps its place."""
        self._reserved.pop(game_id, None)

    def free(self, game_id: str) -> None:
        """The game runs no more."""
        self._reserved.pop(game_id, None)
        self._running.discard(game_id)

    def next_deadline(self) -> float:
        """When the next reservation lapses."""
        return min(self._reserved.values(), default=float("inf"))

    def take_overdue(self, now: float) -> list[str]:
        """Free the reservations that have lapsed, and name them."""
        overdue = [game_id for game_id, deadline in self._reserved.items() if deadline <= now]
        for game_id in overdue:
            del self._reserved[game_id]
        return overdue
