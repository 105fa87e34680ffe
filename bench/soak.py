"""Hundreds of games against a failing network: is any move illegal, any flag lost, any result missing, anything leaked?

    .venv/bin/python -m bench.soak [--games N] [--full-clock N] [--clocks C...] [--at-once N] [--percent P] [--seed N]

`--games` have thinking capped at 0.3 s against opponents who move by chance; `--full-clock` are, after a reload of the
configuration, at `--clocks` (1+0 and 3+0) against some who search `--skill` nodes a move, so that games are long.
Memory at the end is compared with that after the first 50 and 16 of them: by then every place has had a game of either
kind, so that its hash table has been written to its end, as have stacks and the memories of all games.
`--percent` is how often each kind of fault happens to each request, stream or line of the bot's; `--faults SPEC...`
gives other faults instead.  With `--state FILE` every game is kept there, and a run that was broken off goes on.
The last lines are the figures; the exit code is 1 when one of them is not what it must be.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from bench.opponents import Opponent, Played, Terms
from bench.processes import Bot, Server, Usage, pause, until, write_config
from bench.verdicts import Figures, judged

BOT: Final = "soakbot"
VARIANTS: Final = ("standard", "atomic", "crazyhouse", "chess960", "spark", "antichess")
CAPPED_CLOCKS: Final = ((180, 0), (180, 2), (300, 3), (60, 1))
FULL_CLOCKS: Final = ((60, 0), (180, 0))
CAPPED_MS: Final = 300
WHIMS: Final = 0.03
SKILL_NODES: Final = 3000
WARM_GAMES: Final = (50, 16)
DRAIN_S: Final = 90.0
OF_REQUESTS: Final = (
    "status=503", "status=200", "empty=502", "refuse", "limit=1", "lag=50-300", "delay=50-400", "lose", "repeat",
    "clock=-100",
)  # fmt: skip
OF_STREAMS: Final = (
    "drop=1-20", "tear=1-20", "end=1-20", "freeze=1-20", "duplicate=any", "swallow=any", "late=any:50-500",
)  # fmt: skip
REQUESTS: Final = ("/api/bot/game/*", "/api/challenge/*", "/api/account/playing", "/game/export/*")
STREAMS: Final = ("/api/bot/game/stream/*", "/api/stream/event")


def every_fault(percent: float) -> list[str]:
    """Every kind of fault that a bot can live through; a revoked token is meant to stop it."""
    if not percent:
        return []
    pairs = [*itertools.product(OF_REQUESTS, REQUESTS), *itertools.product(OF_STREAMS, STREAMS)]
    return [f"{kind}@{BOT}{path}%{percent:g}" for kind, path in pairs]


def config(at_once: int, capped: bool) -> dict[str, Any]:
    """Everything as usual, but more games, and no long waits for what is not tried here."""
    anybody = {"casual": list(VARIANTS)}
    return {
        "accept": {"max_games": at_once, "humans": anybody, "bots": anybody},
        "citizenship": {"bot_games_a_day": 1_000_000},
        "strength": {"hash_mb": 8, "limits": {"time_ms": CAPPED_MS if capped else None}},
        "log": {"level": "debug", "size_mb": 200},
        "shutdown": {"finish_games_s": 0},
    }


class Soak:
    """One run: the games that are still to be played, and what came of those that were."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self._args = args
        self._folder = folder
        self._chance = random.Random(args.seed)
        self._state: Path | None = args.state
        self._done = len(self._state.read_text().splitlines()) if self._state and self._state.exists() else 0
        self.played: list[Played] = []

    def run(self, server: Server, bot: Bot) -> Figures:
        """Play everything that is left to be played."""
        capped = max(0, self._args.games - self._done)
        full = self._args.full_clock - max(0, self._done - self._args.games)
        first = min(WARM_GAMES[0], capped), min(WARM_GAMES[1], full)
        idle = self._drained(bot)
        self._play_both(server, bot, *first)
        warm = self._drained(bot)
        self._play_both(server, bot, capped - first[0], full - first[1])
        return judged(self.played, server, bot, (idle, warm, self._drained(bot)))

    def _play_both(self, server: Server, bot: Bot, capped: int, full: int) -> None:
        """So many games of either kind, each kind after a reload."""
        kinds = ((capped, True, CAPPED_CLOCKS, 0), (full, False, self._args.clocks, self._args.skill))
        for games, is_capped, clocks, nodes in kinds:
            if games > 0:
                write_config(self._folder, server.url, config(self._args.at_once, is_capped))
                bot.reload()
                self._play(server, bot, games, clocks, nodes)

    def _play(
        self, server: Server, bot: Bot, games: int, clocks: Sequence[tuple[int, int]], nodes: int = 0
    ) -> None:
        """So many games, always as many at once as there are places."""
        names = [name for name in server.tokens if name != BOT]
        free, running = list(range(self._args.at_once)), dict[int, Opponent]()
        ended = 0
        while ended < games:
            while free and ended + len(running) < games:
                slot, number = free.pop(0), self._done + ended + len(running)
                name = names[slot]
                terms = Terms(VARIANTS[number % len(VARIANTS)], *self._chance.choice(clocks))
                seed, token = f"{self._args.seed} {number}", server.tokens[name]
                opponent = Opponent(server.url, name, token, BOT, terms, seed, whims=WHIMS, nodes=nodes)
                opponent.start()
                running[slot] = opponent
            pause(0.1)
            for slot in [slot for slot, opponent in running.items() if not opponent.is_alive()]:
                self._keep(running.pop(slot).played)
                free.append(slot)
                ended += 1
                if ended % 25 == 0:
                    memory = f"{bot.usage().rss_mb:.0f} MB, load {os.getloadavg()[0]:.1f}"
                    print(f"{ended}/{games} games, {memory}", file=sys.stderr, flush=True)
            if not bot.running:
                raise SystemExit(f"the bot has ended: see {self._folder}")
        self._done += ended

    def _keep(self, played: Played) -> None:
        self.played.append(played)
        if played.problem:
            print(f"{played.opponent} {played.game_id}: {played.problem}", file=sys.stderr, flush=True)
        if self._state is not None:
            with self._state.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(played)) + "\n")

    def _drained(self, bot: Bot) -> Usage:
        """What the bot uses once nothing is left of the games."""
        until(time.monotonic() + DRAIN_S, lambda: not bot.places_taken())
        pause(3.0)
        return bot.usage()


def _clock(text: str) -> tuple[int, int]:
    minutes, _, seconds = text.partition("+")
    return int(float(minutes) * 60), int(seconds)


def main() -> int:
    """Play, compare, tell."""
    parser = argparse.ArgumentParser(description="Play hundreds of games against a failing network.")
    parser.add_argument("--games", type=int, default=450)
    parser.add_argument("--full-clock", type=int, default=50)
    parser.add_argument("--clocks", type=_clock, nargs="+", default=FULL_CLOCKS, metavar="MINUTES+SECONDS")
    parser.add_argument("--skill", type=int, default=SKILL_NODES, metavar="NODES")
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--percent", type=float, default=2.0)
    parser.add_argument("--faults", nargs="*", metavar="SPEC", help=f"instead of every kind; the bot is {BOT}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--folder", type=Path, help="where the bot's data is kept (default: a temporary folder)")
    args = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        faults = every_fault(args.percent) if args.faults is None else args.faults
        names = [BOT, *(f"opponent{number}" for number in range(args.at_once))]
        with Server(names, faults, args.seed) as server:
            write_config(folder, server.url, config(args.at_once, capped=True))
            with Bot(folder, server.tokens[BOT]) as bot:
                figures = Soak(args, folder).run(server, bot)
    for line in figures.lines:
        print(line)
    print(f"{(time.monotonic() - began) / 60:.1f} minutes, load {os.getloadavg()[1]:.1f}")
    return int(not figures.good)


if __name__ == "__main__":
    sys.exit(main())
