"""The places for games: one for each game that runs, and for each one that is expected to start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

NEVER = float("inf")


@dataclass(frozen=True)
class Guest:
    """Who a place is for: the opponent's id ("" for nobody in particular), whether a bot, whether for days.

    rematch_of, rules: what the challenge said that no later message says again.
    """

    opponent: str = ""
    bot: bool = False
    slow: bool = False
    rematch_of: str | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Place:
    guest: Guest
    until: float = NEVER
    running: bool = False


class Places:
    """Who holds a place; a reservation lapses at its time, a running game keeps its place."""

    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._places

    @property
    def guests(self) -> Iterator[Guest]:
        """Who the places are for."""
        return (place.guest for place in self._places.values())

    def guest(self, game_id: str) -> Guest | None:
        """Who the place of this game is for, None when it has none."""
        place = self._places.get(game_id)
        return None if place is None else place.guest

    def __len__(self) -> int:
        return len(self._places)

    @property
    def live(self) -> int:
        """How many are taken by games with a clock."""
        return sum(not guest.slow for guest in self.guests)

    @property
    def live_bots(self) -> int:
        """How many of the live ones are against bots."""
        return sum(guest.bot and not guest.slow for guest in self.guests)

    @property
    def slow(self) -> int:
        """How many games go on for days."""
        return sum(guest.slow for guest in self.guests)

    @property
    def expected_bots(self) -> int:
        """How many games against bots have not started yet."""
        return sum(place.guest.bot and not place.running for place in self._places.values())

    def with_player(self, opponent: str) -> int:
        """How many are for this opponent."""
        return sum(guest.opponent == opponent.lower() for guest in self.guests)

    def reserve(self, game_id: str, guest: Guest, until: float = NEVER) -> None:
        """Hold a place for a game that may start: a challenge's game has the challenge's id."""
        if not self.runs(game_id):
            self._places[game_id] = _Place(guest, until)

    def take(self, game_id: str, guest: Guest) -> None:
        """The game runs."""
        self._places[game_id] = _Place(guest, running=True)

    def cancel(self, game_id: str) -> None:
        """The game will not start; a game that runs keeps its place."""
        if not self.runs(game_id):
            self._places.pop(game_id, None)

    def free(self, game_id: str) -> None:
        """The game runs no more."""
        self._places.pop(game_id, None)

    def next_deadline(self) -> float:
        """When the next reservation lapses."""
        return min((place.until for place in self._places.values()), default=NEVER)

    def take_overdue(self, now: float) -> list[str]:
        """Free the reservations that have lapsed, and name them."""
        overdue = [game_id for game_id, place in self._places.items() if place.until <= now]
        for game_id in overdue:
            del self._places[game_id]
        return overdue

    def runs(self, game_id: str) -> bool:
        """Whether the game has started."""
        return game_id in self._places and self._places[game_id].running
