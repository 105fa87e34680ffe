"""kill -9 of the bot at random moments while it plays: is every game resumed or recorded, and none twice?

    .venv/bin/python -m bench.kills [--kills N] [--at-once N] [--seed N]

Games begin as long as there are kills to come, and are then played to their ends.  The last lines are the figures; the
exit code is 1 when one of them is not what it must be.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from bench.opponents import Opponent, Played, Terms
from bench.processes import Bot, Server, pause, write_config
from bench.verdicts import differs

BOT: Final = "killbot"
VARIANTS: Final = ("standard", "atomic", "crazyhouse", "chess960", "spark", "antichess")
CLOCK: Final = (180, 2)
BETWEEN_KILLS_S: Final = (0.3, 4.0)
FINISH_WITHIN_S: Final = 600.0


class Killing:
    """Games that are always as many as there are places, and a bot that does not live long."""

    def __init__(self, server: Server, folder: Path, args: argparse.Namespace) -> None:
        self._server = server
        self._folder = folder
        self._args = args
        self._chance = random.Random(args.seed)
        self._running: dict[str, Opponent] = {}
        self._number = 0
        self.played: list[Played] = []
        self.bot = Bot(folder, server.tokens[BOT])

    def run(self) -> None:
        """Kill as often as wanted, and then let the games end."""
        for kill in range(self._args.kills):
            end = time.monotonic() + self._chance.uniform(*BETWEEN_KILLS_S)
            while time.monotonic() < end:
                self._attend(begin=True)
                pause(0.05)
            self.bot.kill()
            if (kill + 1) % 10 == 0:
                print(f"{kill + 1} kills, {len(self.played)} games over", file=sys.stderr, flush=True)
            self.bot = Bot(self._folder, self._server.tokens[BOT])
        end = time.monotonic() + FINISH_WITHIN_S
        while self._running and time.monotonic() < end:
            self._attend(begin=False)
            pause(0.1)
        pause(3.0)

    def _attend(self, *, begin: bool) -> None:
        for name in [name for name, opponent in self._running.items() if not opponent.is_alive()]:
            self.played.append(self._running.pop(name).played)
        for name in self._server.tokens if begin else ():
            if name != BOT and name not in self._running:
                terms = Terms(VARIANTS[self._number % len(VARIANTS)], *CLOCK)
                seed, token = f"{self._args.seed} {self._number}", self._server.tokens[name]
                self._running[name] = Opponent(self._server.url, name, token, BOT, terms, seed)
                self._running[name].start()
                self._number += 1


def figures(killing: Killing, server: Server) -> dict[str, int]:
    """What must be nought."""
    records = killing.bot.results()
    counts = Counter(str(record["game_id"]) for record in records)
    results: dict[str, dict[str, Any]] = {str(record["game_id"]): record for record in records}
    played = [game for game in killing.played if game.game_id]
    return {
        "unfinished": sum(bool(game.problem) for game in killing.played),
        "unrecorded": sum(game.game_id not in counts for game in played),
        "recorded twice": sum(count > 1 for count in counts.values()),
        "recorded otherwise": sum(differs(game, results, server) for game in played),
        "places leaked": killing.bot.places_taken(),
    }


def main() -> int:
    """Kill, compare, tell."""
    parser = argparse.ArgumentParser(description="Kill the bot at random moments while it plays.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the bot's data is kept (default: a temporary folder)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        with Server([BOT, *(f"opponent{number}" for number in range(args.at_once))], [], args.seed) as server:
            anybody = {"casual": list(VARIANTS)}
            values = {
                "accept": {"max_games": args.at_once, "bots": {**anybody, "cool_off": {"aborts": None}}},
                "citizenship": {"bot_games_a_day": 1_000_000},
                "strength": {"hash_mb": 4, "limits": {"time_ms": 200}},
            }
            write_config(folder, server.url, values)
            killing = Killing(server, folder, args)
            killing.run()
            found = figures(killing, server)
            killing.bot.stop()
            ends = Counter(game.status for game in killing.played)
    print(f"{len(killing.played)} games: {', '.join(f'{count} {status}' for status, count in ends.most_common())}")
    for game in killing.played:
        if game.problem:
            print(f"{game.opponent} {game.game_id}: {game.problem}")
    print(f"kills {args.kills}, {', '.join(f'{name} {count}' for name, count in found.items())}")
    print(f"load {os.getloadavg()[0]:.1f}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
