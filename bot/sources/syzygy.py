"""Syzygy tables, read by python-chess."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

from bot.config.sources import Syzygy
from bot.sources.boards import board_of, board_type
from bot.sources.endgame import Judged, best_move, men
from bot.sources.source import MoveSource, Question, Suggestion
from rules.position import Position
from rules.variant import Variant

QUIET_PLIES_MOST: Final = 100


class SyzygySource(MoveSource):
    """Tables for each of those games that there are tables of.

    Raises: OSError for a folder that cannot be read, ValueError when no folder has a table.
    """

    def __init__(self, terms: Syzygy, games: Iterable[Variant]) -> None:
        self._most_men = terms.most_men
        kinds = {kind for kind in map(board_type, games) if kind is not None and kind.tbw_suffix is not None}
        self._tables = {kind: _opened(kind, terms.folders) for kind in kinds}
        self._tables = {kind: tables for kind, tables in self._tables.items() if tables.wdl}
        if not self._tables:
            raise ValueError(f"no Syzygy tables in {', '.join(terms.folders)}")

    def plays(self, variant: Variant) -> bool:
        """Whether there are tables for the game."""
        return board_type(variant) in self._tables

    def fits(self, position: Position) -> bool:
        """Whether there are few enough men, and nobody can castle any more."""
        return not position.castling_rooks and men(position) <= self._most_men

    def suggest(self, question: Question) -> Suggestion | None:
        """The best move by the tables."""
        kind = board_type(question.setting.variant)
        if kind is None:
            return None
        tables = self._tables[kind]
        return best_move(question, lambda position: _judge(tables, position))

    def close(self) -> None:
        """Close the files."""
        for tables in self._tables.values():
            tables.close()


def _opened(kind: type[chess.Board], folders: Iterable[str]) -> chess.syzygy.Tablebase:
    tables = chess.syzygy.Tablebase(VariantBoard=kind)
    for folder in folders:
        tables.add_directory(str(Path(folder)))
    return tables


def _judge(tables: chess.syzygy.Tablebase, position: Position) -> Judged | None:
    board = board_of(position)
    try:
        result, distance = tables.probe_wdl(board), abs(tables.probe_dtz(board))
    except KeyError:
        return None
    if abs(result) == 2 and position.halfmoves + distance > QUIET_PLIES_MOST:
        result //= 2
    # a move that cannot be undone has got there: the distance after it is another story
    return Judged(result, 0 if position.halfmoves == 0 else distance)
