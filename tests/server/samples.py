"""The recorded streams and replies, and what has to be equal in ours: fields everywhere, values but for a few."""
from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from rules.move import Color

SAMPLES = Path(__file__).parent.parent / "conformance" / "events"
Line = dict[str, Any]
T = TypeVar("T")

# Known to Lichess alone, or true of all our players: who is a patron, how good a connection is, who plays little.
_NOT_OURS = ("lag", "provisional")
# Ids, times and ratings, which the recordings made up.
_MADE_UP = ("id", "gameId", "fullId", "url", "urlWhite", "urlBlack", "rematchOf", "tournamentId")
_TIMES = ("createdAt", "secondsLeft", "seconds")
_RATINGS = ("rating", "ratingDiff")
_ANY = "anything"
# What the contract quotes word for word.
_EXACT_ERRORS = frozenset(
    {
        *("No such token", "Missing scope", "No such game", "Not your game", "Not found"),
        *("Not your turn, or game already over", "This game can no longer be aborted", "This game cannot be resigned"),
        *("Game incompatible with a BOT account", "Piece on e8 cannot move to e5", "Invalid UCI: zz9"),
    }
)


def recorded(name: str) -> list[Line]:
    """The lines of a sample, without keep-alives."""
    text = (SAMPLES / f"{name}.ndjson").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


class ScriptedChance(random.Random):
    """Chance that draws the colors it is told to, first to last."""

    def __init__(self, colors: Sequence[Color]) -> None:
        super().__init__(2026)
        self.colors = list(colors)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        if tuple(options) == tuple(Color) and self.colors:
            return options[self.colors.pop(0)]
        return super().choice(options)


def comparable(value: Any, key: str = "") -> Any:
    """What has to be equal in ours: all fields, and their values but for made-up ones."""
    if isinstance(value, dict):
        fields = {name: comparable(each, name) for name, each in value.items() if name not in _NOT_OURS}
        if value.get("title") not in (None, "BOT"):
            # The only title that we give is BOT.
            del fields["title"]
        return fields
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if value is None:
        return None
    if key in _MADE_UP or key in _TIMES or key in _RATINGS:
        # Users keep their names; other ids are drawn by lot.
        return value if key == "id" and isinstance(value, str) and value.islower() and value.isalpha() else _ANY
    if key == "username":
        name = str(value).lower()
        return name if name.startswith(("bot ", "stockfish ")) else name.split()[-1]
    # The words of an error are not laid down, and those of the recordings are samples.
    return _ANY if key == "error" and isinstance(value, str) and value not in _EXACT_ERRORS else value
