"""Games that go on for days: remembered while nothing happens, and attended to a few at a time."""

from __future__ import annotations

from bot.records.game import OpenGame


class SlowGames:
    """The games that rest, and those among them that have been called; the others cost neither thread nor stream."""

    def __init__(self) -> None:
        self._resting: dict[str, OpenGame] = {}
        self._called: dict[str, None] = {}

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._resting

    @property
    def ids(self) -> tuple[str, ...]:
        """The games that rest."""
        return tuple(self._resting)

    @property
    def waiting(self) -> bool:
        """Whether a game has been called that rests still."""
        return bool(self._called)

    def rest(self, entry: OpenGame) -> None:
        """Nothing is to be done in this game for now."""
        self._resting[entry.game_id] = entry

    def call(self, game_id: str) -> None:
        """Something has happened in a game that rests."""
        if game_id in self._resting:
            self._called[game_id] = None

    def take_called(self, room: int) -> list[OpenGame]:
        """As many of the games that have been called as there is room for, in the order they were called."""
        entries = [self._resting.pop(game_id) for game_id in list(self._called)[: max(0, room)]]
        for entry in entries:
            del self._called[entry.game_id]
        return entries
