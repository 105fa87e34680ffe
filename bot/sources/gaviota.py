"""Gaviota's tables of chess, read by python-chess."""

from __future__ import annotations

import threading

import chess
import chess.gaviota

from bot.config.sources import Gaviota
from bot.sources.boards import board_of, board_type
from bot.sources.endgame import WIN, Judged, best_move, men
from bot.sources.source import MoveSource, Question, Suggestion
from rules.position import Position
from rules.variant import Variant


class GaviotaSource(MoveSource):
    """Tables that count the plies to mate.

    Raises: OSError for a folder that cannot be read, ValueError when no folder has a table.
    """

    def __init__(self, terms: Gaviota) -> None:
        self._most_men = terms.most_men
        self._lock = threading.Lock()
        self._tables = chess.gaviota.PythonTablebase()
        for folder in terms.folders:
            self._tables.add_directory(folder)
        if not self._tables.available_tables:
            raise ValueError(f"no Gaviota tables in {', '.join(terms.folders)}")

    def plays(self, variant: Variant) -> bool:
        """Whether it is chess."""
        return board_type(variant) is chess.Board

    def fits(self, position: Position) -> bool:
        """Whether there are few enough men, and nobody can castle any more."""
        return not position.castling_rooks and men(position) <= self._most_men

    def suggest(self, question: Question) -> Suggestion | None:
        """The best move by the tables."""
        return best_move(question, self._judge)

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            self._tables.close()

    def _judge(self, position: Position) -> Judged | None:
        try:
            with self._lock:  # the reader moves about in its files
                plies = self._tables.probe_dtm(board_of(position))
        except KeyError:
            return None
        return Judged(WIN * ((plies > 0) - (plies < 0)), abs(plies))
