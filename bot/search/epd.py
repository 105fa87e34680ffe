"""Positions with the moves to find or to avoid: EPD, for every game.

A line is a position, with or without its two counters, and operations, each closed by `;`: `bm` and `am` hold the best
moves, or those to be avoided, as people write them, `id` a name in quotes; others are passed over.

    ValueError
    └── EpdError      a line cannot be read: which one, and why
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules import san
from rules.errors import RulesError
from rules.move import Move
from rules.position import Position
from rules.variant import Variant

_POSITION_FIELDS: Final = 4
_OPCODE: Final = re.compile(r"[A-Za-z]\w+")
_OPERATION: Final = re.compile(r'\s*(\w+)((?:"[^"]*"|[^";])*)(?:;|$)')


class EpdError(ValueError):
    """A line cannot be read."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be solved; without `best` any move will do that is not to be avoided."""

    name: str
    position: Position
    best: tuple[Move, ...]
    avoided: tuple[Move, ...]

    def is_solved_by(self, move: Move) -> bool:
        """Whether this is a move that was asked for."""
        return move not in self.avoided and (not self.best or move in self.best)


def read_puzzles(lines: Iterable[str], variant: Variant) -> tuple[Puzzle, ...]:
    """The puzzles of a file; blank lines and `#` comments are passed over.

    Raises: EpdError.
    """
    return tuple(
        _read(line.strip(), number, variant)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("#")
    )


def _read(line: str, number: int, variant: Variant) -> Puzzle:
    words = line.split()
    count = next(
        (at for at, word in enumerate(words) if at >= _POSITION_FIELDS and _OPCODE.fullmatch(word)), len(words)
    )
    fields, operations = words[:count], {}
    for operation in _OPERATION.finditer(" ".join(words[count:])):
        operations[operation[1]] = operation[2].strip()
    if not all(field.isdigit() for field in fields[-2:]):
        fields += ["0", "1"]
    try:
        position = Position.from_fen(variant, " ".join(fields))
        best, avoided = (_moves(position, operations.get(name, "")) for name in ("bm", "am"))
    except RulesError as error:
        raise EpdError(f"line {number}: {error}") from None
    if not best and not avoided:
        raise EpdError(f"line {number}: neither bm nor am names a move")
    return Puzzle(operations.get("id", "").strip('"') or f"line {number}", position, best, avoided)


def _moves(position: Position, text: str) -> tuple[Move, ...]:
    return tuple(san.read(position, word) for word in text.split())
