"""A Python function of the operator's own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable

from bot.config.sources import Function
from bot.sources.source import MoveSource, Question, SourceFailed, Suggestion
from bot.timing import GameClock
from rules.position import Position

Chooser = Callable[[Position, GameClock], str | None]
"""Gets the position and our clock (bot.timing), and returns a move in UCI form, or None to leave it to others."""


class FunctionSource(MoveSource):
    """Moves that a function returns. It may take its time-out, and fail as it likes.

    Raises: ImportError, AttributeError, and whatever the module does when it is imported.
    """

    def __init__(self, terms: Function) -> None:
        module, _, name = terms.target.partition(":")
        if terms.folder is not None and terms.folder not in sys.path:
            sys.path.insert(0, terms.folder)
        self._choose: Chooser = getattr(importlib.import_module(module), name)
        if not callable(self._choose):
            raise TypeError(f"{terms.target} is not a function")

    def suggest(self, question: Question) -> Suggestion | None:
        """What the function returns."""
        try:
            move = self._choose(question.position, question.clock)
        except SystemExit:
            raise SourceFailed("the function wanted to end the program") from None
        if move is not None and not isinstance(move, str):
            raise SourceFailed(f"a {type(move).__name__} where a move in UCI form was expected")
        return None if move is None else Suggestion(move)
