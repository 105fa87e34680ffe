"""What came of many games: what the opponents saw, what the server has filed, and what the bot has recorded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.opponents import Played
from bench.processes import Bot, Server, Usage

REJECTED: Final = re.compile(r"game (\w+): (\S+) was rejected: 400 (.*)")
NOT_OUR_TURN: Final = "Not your turn, or game already over"
GROWTH_MOST: Final = 0.05
SLACK: Final = 2
"""A thread or descriptor more or less than at the beginning is no leak: a connection may be kept open for later."""


@dataclass(frozen=True)
class Figures:
    """The figures in lines, and whether they are what they must be."""

    lines: tuple[str, ...]
    good: bool


def judged(played: Sequence[Played], server: Server, bot: Bot, usages: tuple[Usage, Usage, Usage]) -> Figures:
    """Compare the three views; `usages` are those of the idle bot before, after the first games, and at the end."""
    records = bot.results()
    by_id = Counter(str(record["game_id"]) for record in records)
    results = {str(record["game_id"]): record for record in records}
    moves = {game.game_id: game.moves.split() for game in played}
    # one that stands in the game was played by a try whose answer was lost
    illegal = [
        f"{game_id}: {uci}: {text}" for game_id, uci, text in REJECTED.findall(bot.log())
        if NOT_OUR_TURN not in text and uci not in moves.get(game_id, ())
    ]  # fmt: skip
    idle, warm, end = usages
    growth = end.rss_mb / warm.rss_mb - 1
    faults = {
        "illegal moves": len(illegal),
        "time forfeits": sum(game.flagged for game in played),
        "unfinished": sum(bool(game.problem) for game in played),
        "unrecorded": sum(game.game_id not in by_id for game in played),
        "recorded twice": sum(count > 1 for count in by_id.values()),
        "recorded otherwise": sum(differs(game, results, server) for game in played),
        "places leaked": bot.places_taken(),
        "threads leaked": max(0, end.threads - idle.threads - SLACK),
        "descriptors leaked": max(0, end.descriptors - idle.descriptors - SLACK),
        "memory leaked": int(growth >= GROWTH_MOST),
    }
    clocks_s = sorted(game.least_ms / 1000 for game in played if game.least_ms is not None)
    lowest = f"{clocks_s[0]:.1f} s, median {clocks_s[len(clocks_s) // 2]:.1f} s" if clocks_s else "unknown"
    ends = Counter(game.status for game in played)
    lines = (
        f"{len(played)} games: {', '.join(f'{count} {status}' for status, count in ends.most_common())}",
        f"plies {sum(map(len, moves.values()))}; the bot's clocks at their lowest: {lowest}",
        f"memory {warm.rss_mb:.1f} MB after the first games, {end.rss_mb:.1f} MB at the end ({growth:+.1%})",
        f"threads {idle.threads} before, {end.threads} after; descriptors {idle.descriptors}, {end.descriptors}",
        ", ".join(f"{name} {count}" for name, count in faults.items()),
        *illegal[:10],
    )
    return Figures(lines, not any(faults.values()))


def differs(game: Played, results: dict[str, dict[str, Any]], server: Server) -> bool:
    """Whether the bot's record says otherwise than the server's file."""
    record = results.get(game.game_id)
    if record is None:
        return False
    final = server.final(game.game_id)
    won = {"1-0": "white", "0-1": "black"}.get(str(record["result"]))
    return (record["status"], won) != (final["status"], final.get("winner"))
