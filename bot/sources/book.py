"""Opening books in polyglot's format, read by python-chess."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot

from bot.config.sources import Book
from bot.sources.boards import board_of, board_type
from bot.sources.source import MoveSource, Question, Suggestion
from rules import uci
from rules.errors import IllegalMove
from rules.position import Position
from rules.variant import Variant


class BookSource(MoveSource):
    """A list of books: the first one that has a fitting move for the position counts.

    Raises: OSError, ValueError for a file that is no book.
    """

    def __init__(self, terms: Book, chance: random.Random) -> None:
        self._terms = terms
        self._chance = chance
        self._readers = [chess.polyglot.open_reader(_checked(Path(file))) for file in terms.files]

    def plays(self, variant: Variant) -> bool:
        """Whether python-chess can number that game's positions."""
        return board_type(variant) is not None

    def suggest(self, question: Question) -> Suggestion | None:
        """A move of the books."""
        board = board_of(question.position)
        for reader in self._readers:
            entries = list(reader.find_all(board, minimum_weight=self._terms.least_weight))
            least = self._terms.least_percent * sum(entry.weight for entry in entries) / 100
            weights = dict(self._fitting(question, (entry for entry in entries if entry.weight >= least)))
            if weights:
                return Suggestion(self._choose(weights))
        return None

    def close(self) -> None:
        """Close the files."""
        for reader in self._readers:
            reader.close()

    def _fitting(self, question: Question, entries: Iterator[chess.polyglot.Entry]) -> Iterator[tuple[str, int]]:
        for entry in entries:
            text = entry.move.uci()
            if self._terms.repeat or not _repeats(question, text):
                yield text, entry.weight

    def _choose(self, weights: dict[str, int]) -> str:
        if self._terms.selection == "best":
            return max(weights, key=lambda text: weights[text])
        shares = None if self._terms.selection == "uniform" else list(weights.values())
        return self._chance.choices(list(weights), shares)[0]


def _repeats(question: Question, text: str) -> bool:
    """Whether a move leads back; an illegal one is for the guard to find."""
    try:
        after: Position = question.position.play(uci.read(question.position, text))
    except IllegalMove:
        return False
    return question.repeats(after)


def _checked(file: Path) -> Path:
    size = file.stat().st_size
    if size == 0 or size % chess.polyglot.ENTRY_STRUCT.size:
        raise ValueError(f"{file}: not a polyglot book")
    return file
