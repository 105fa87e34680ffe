"""Every game by its id: those that are played, those that have ended lately, and any other from the store."""
from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.server.saved import SavedGame, saved
from bot.server.store import Store
from bot.server.table import Table
from bot.server.timekeeper import Timer


class Tables:
    """The games of one server; of the finished ones only the latest `kept` stay in memory.

    running: the alarm of each game that is played, None where time brings nothing about.
    """

    def __init__(self, store: Store, revive: Callable[[SavedGame], Table], kept: int) -> None:
        self._rows = store.games
        self._lasting = store.database.lasting
        self._revive = revive
        self._kept = kept
        self._tables: dict[str, Table] = {}
        self.running: dict[str, Timer | None] = {}

    def __iter__(self) -> Iterator[Table]:
        """Those in memory."""
        return iter(tuple(self._tables.values()))

    def __contains__(self, game_id: object) -> bool:
        return isinstance(game_id, str) and self.get(game_id) is not None

    def __getitem__(self, game_id: str) -> Table:
        table = self.get(game_id)
        if table is None:
            raise KeyError(game_id)
        return table

    def get(self, game_id: str) -> Table | None:
        """A game, running or finished, if there is one of that id. Raises: StoreError."""
        table = self._tables.get(game_id)
        if table is None:
            game = self._rows.get(game_id)
            if game is not None:
                table = self._tables[game_id] = self._revive(game)
                self._forget_oldest()
        return table

    def of_user(self, user_id: str, *, oldest_first: bool = False) -> Iterator[Table]:
        """The games of a user, one after the other; those of old are not remembered for it. Raises: StoreError."""
        for game_id in self._rows.ids_of(user_id, oldest_first=oldest_first):
            table = self._tables.get(game_id)
            if table is not None:
                yield table
            elif (game := self._rows.get(game_id)) is not None:
                yield self._revive(game)

    def add(self, table: Table) -> None:
        """A new game begins. Raises: StoreError."""
        self._rows.add(saved(table))
        self.take_up(table)

    def take_up(self, table: Table) -> None:
        """A game that is kept already is played."""
        self._tables[table.id] = table
        self.running[table.id] = None

    def end(self, table: Table) -> None:
        """A game is played no more."""
        del self.running[table.id]
        # Last in the order in which finished games are forgotten.
        self._tables[table.id] = self._tables.pop(table.id)
        self._forget_oldest()

    def drop_missing(self) -> list[Table]:
        """Forget the games that the store has no more: those that were being played."""
        gone = self._tables.keys() - self._rows.ids(self._tables)
        played = [self._tables[game_id] for game_id in gone if game_id in self.running]
        for game_id in gone:
            del self._tables[game_id]
            timer = self.running.pop(game_id, None)
            if timer is not None:
                timer.cancel()
        return played

    def _forget_oldest(self) -> None:
        finished = [game_id for game_id in self._tables if game_id not in self.running]
        for game_id in finished[: max(len(finished) - self._kept, 0)]:
            del self._tables[game_id]
            if not self._lasting:
                self._rows.drop(game_id)
