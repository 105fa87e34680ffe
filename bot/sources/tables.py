"""Our own end-game tables, as `centella tablebase` makes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bot.search.tablebase.generation import tables_of
from bot.search.tablebase.tablebase import Tablebase
from bot.sources.endgame import WIN, Judged, best_move, men
from bot.sources.source import MoveSource, Question, Suggestion
from rules.position import Position
from rules.variant import Variant


class TablesSource(MoveSource):
    """The tables in a folder, for each of those games that has some.

    Raises: ValueError when there are none; bot.search.tablebase.files.TableUnreadable.
    """

    def __init__(self, folder: Path, games: Iterable[Variant]) -> None:
        self._tables: dict[Variant, Tablebase] = {}
        for variant in games:
            tables = tables_of(variant, folder)
            if tables is not None:
                self._tables[variant] = tables
        if not self._tables:
            raise ValueError(f"no end-game tables in {folder}: make some with centella tablebase")
        # the kings stand beside the men of a table
        self._most_men = {key: 2 + max(map(len, tables.tables)) for key, tables in self._tables.items()}

    def plays(self, variant: Variant) -> bool:
        """Whether there are tables for the game."""
        return variant in self._tables

    def fits(self, position: Position) -> bool:
        """Whether there are few enough men."""
        return men(position) <= self._most_men[position.variant]

    def suggest(self, question: Question) -> Suggestion | None:
        """The best move by the tables."""
        tables = self._tables[question.setting.variant]
        return best_move(question, lambda position: _judge(tables, position))


def _judge(tables: Tablebase, position: Position) -> Judged | None:
    known = tables.probe(position)
    return None if known is None else Judged(WIN * known.result, known.distance_plies)
