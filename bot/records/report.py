"""The records as people and programs read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from rich.table import Table

from bot.records.game import DRAWN, GameRecord

JSON_FIELDS: Final = (
    "game_id", "url", "source", "account", "variant", "rated", "speed", "color", "opponent", "result", "status",
    "reason", "plies", "started_at", "ended_at",
)  # fmt: skip

COLUMNS: Final = {
    "Ended": True, "Game": True, "Variant": True, "Speed": False, "Opponent": False, "Result": True, "How": False,
    "Plies": True,
}  # fmt: skip
"""The columns of the table, and which of them are never broken into lines."""


def as_json(records: Sequence[GameRecord]) -> str:
    """One array of the records, with their documented fields."""
    return json.dumps([{name: getattr(record, name) for name in JSON_FIELDS} for record in records], indent=1)


def as_table(records: Sequence[GameRecord]) -> Table:
    """A table of the records, one line each where the width allows it."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title, whole in COLUMNS.items():
        table.add_column(title, justify="right" if title == "Plies" else "left", overflow="fold", no_wrap=whole)
    for record in records:
        table.add_row(
            record.ended_at[:16].replace("T", " "),
            record.game_id,
            record.variant,
            f"{record.speed}, rated" if record.rated else record.speed,
            f"{record.opponent} ({'black' if record.color == 'white' else 'white'})",
            verdict(record),
            words(record.reason or record.status),
            str(record.plies),
        )
    return table


def summary(records: Sequence[GameRecord]) -> str:
    """The sum of the results in one line."""
    verdicts = [verdict(record) for record in records]
    counts = ", ".join(f"{verdicts.count(word)} {word}" for word in ("won", "drawn", "lost"))
    return f"{len(records)} {'game' if len(records) == 1 else 'games'}: {counts}"


def verdict(record: GameRecord) -> str:
    """The result from our side, in a word."""
    if not record.counts:
        return "-"
    if record.result == DRAWN:
        return "drawn"
    return "won" if (record.result == "1-0") is (record.color == "white") else "lost"


def words(name: str) -> str:
    """A camelCase name as words."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
