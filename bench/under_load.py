"""What a full house costs each of its games: nodes a move with all places taken against one game alone, and the Elo.

    .venv/bin/python -m bench.under_load [--at-once N] [--moves N] [--time MS] [--match-games N]

The bot plays on the local Lichess, with so many milliseconds for a move, against opponents who move by chance and at
once.  Then our search plays itself, one side with the part of the other's nodes that the full house leaves it; both
budgets are scaled down to `--match-nodes` to keep this short.  A doubling is worth the more the fewer nodes there are,
so that this is more Elo than the same part of greater budgets.  The exit code is 1 when a game starves: when
its median is below half of that of all games.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.opponents import Opponent, Terms
from bench.processes import Bot, Server, pause, write_config
from bot.search.bout import Bout, play_bout
from bot.search.openings import openings
from bot.search.players import HASH_MB, Choice, Clocks, OwnPlayer, Pace
from bot.search.tally import Result, Tally
from bot.search.thinker import Thinker
from rules import variants
from rules.game import Game
from rules.move import Color

BOT: Final = "housebot"
CLOCK: Final = (1200, 0)
THOUGHT: Final = re.compile(r"game (\w+): \S+, [+-]\d+ cp, depth (\d+), (\d+) nodes, (\d+) ms$", re.MULTILINE)
STARVING: Final = 0.5
# moves that end before their time tell nothing: mates, only moves, the first ones of a mind that is just being made
LEAST_OF_TIME: Final = 0.5


@dataclass(frozen=True)
class Thought:
    """One search of the bot."""

    depth: int
    nodes: int
    time_ms: int


Games = dict[str, list[Thought]]


def config(at_once: int, time_ms: int) -> dict[str, Any]:
    """A thinking time for every move, and nothing that would spend it otherwise."""
    anybody = {"casual": ["standard"]}
    return {
        "accept": {"max_games": at_once, "humans": anybody, "bots": anybody},
        "citizenship": {"bot_games_a_day": 1_000_000},
        "strength": {"hash_mb": 16, "limits": {"time_ms": time_ms}},
        "conduct": {"variety": {"lost_lines": False}},
        "log": {"level": "debug", "size_mb": 200},
        "shutdown": {"finish_games_s": 0},
    }


def played(at_once: int, moves: int, time_ms: int) -> Games:
    """The searches of games, so many of them at once, until each place has made so many moves."""
    names = [BOT, *(f"opponent{number}" for number in range(at_once))]
    with tempfile.TemporaryDirectory() as temporary, Server(names, [], 1) as server:
        folder = Path(temporary)
        write_config(folder, server.url, config(at_once, time_ms))
        with Bot(folder, server.tokens[BOT]) as bot:
            bot.ask("status")
            running: dict[str, Opponent] = {}
            number, games = 0, Games()
            while sum(map(len, games.values())) < at_once * moves:
                for name in names[1:]:
                    if name not in running or not running[name].is_alive():
                        token, terms = server.tokens[name], Terms("standard", *CLOCK)
                        running[name] = Opponent(server.url, name, token, BOT, terms, f"{number}")
                        running[name].start()
                        number += 1
                pause(0.5)
                games = _thoughts(bot.log(), time_ms)
    return games


def _thoughts(log: str, time_ms: int) -> Games:
    games: defaultdict[str, list[Thought]] = defaultdict(list)
    for game_id, depth, nodes, spent_ms in THOUGHT.findall(log):
        if int(spent_ms) >= LEAST_OF_TIME * time_ms:
            games[game_id].append(Thought(int(depth), int(nodes), int(spent_ms)))
    return games


def table(games: Games) -> list[str]:
    """A line for each game that made some moves."""
    return [
        f"  {game_id}: {len(thoughts):3} moves, nodes least {min(thought.nodes for thought in thoughts):7}"
        f" median {median(thought.nodes for thought in thoughts):9.0f},"
        f" depth {median(thought.depth for thought in thoughts):g}"
        for game_id, thoughts in games.items()
    ]


def typical(games: Games) -> tuple[float, float]:
    """The median of nodes and of depth over all moves."""
    thoughts = [thought for game in games.values() for thought in game]
    return median(thought.nodes for thought in thoughts), median(thought.depth for thought in thoughts)


class Budgeted(OwnPlayer):
    """Our search with so many nodes for a move, whatever the pace of the match."""

    def __init__(self, nodes: int) -> None:
        super().__init__(f"{nodes} nodes", Thinker(HASH_MB))
        self._pace = Pace(nodes=nodes)

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> Choice:
        """The move that it finds with them."""
        return super().choose(game, self._pace, None)


def contest(budgets: tuple[int, int], games: int) -> Tally:
    """A match of our search with itself, each side with so many nodes for a move, two games from each opening."""
    variant, tally = variants.by_key("standard"), Tally()
    fens = islice(openings(variant, seed=1), games // 2)

    def play(numbered: tuple[int, str]) -> list[tuple[int, Result]]:
        number, fen = numbered
        first, second = map(Budgeted, budgets)
        bouts = [Bout(2 * number + color, variant, fen, color, Pace(nodes=max(budgets)), True) for color in Color]
        played = [(bout, play_bout(bout, first, second, threading.Event())) for bout in bouts]
        return [(bout.number, finished.result) for bout, finished in played if finished is not None]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, result in chain.from_iterable(pool.map(play, enumerate(fens))):
            tally = tally.plus(number, result)
    return tally


def main() -> int:
    """Measure, play, tell."""
    parser = argparse.ArgumentParser(description="Measure what a full house costs each of its games.")
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--moves", type=int, default=40, help="moves of each place that are counted")
    parser.add_argument("--time", type=int, default=300, metavar="MS", help="for a move")
    parser.add_argument("--match-games", type=int, default=40)
    args = parser.parse_args()
    load = os.getloadavg()[0]
    alone, full = played(1, args.moves, args.time), played(args.at_once, args.moves, args.time)
    (alone_nodes, alone_depth), (full_nodes, full_depth) = typical(alone), typical(full)
    print(f"load {load:.1f} before, {os.cpu_count()} processors, {args.time} ms a move")
    for name, games in (("alone", alone), (f"{args.at_once} at once", full)):
        print(f"{name}:", *table(games), sep="\n")
    part = full_nodes / alone_nodes
    print(f"nodes {alone_nodes:.0f} and {full_nodes:.0f} ({part:.0%}), depth {alone_depth:g} and {full_depth:g}")
    starving = [game_id for game_id, found in full.items() if median(t.nodes for t in found) < STARVING * full_nodes]
    print(f"games that starve: {len(starving)}")
    tally = contest((round(full_nodes), round(alone_nodes)), args.match_games)
    print(f"Elo {tally.elo:+.0f} ±{tally.error_elo:.0f}, {tally.games} games, {tally.percent:.1f} %")
    return int(bool(starving))


if __name__ == "__main__":
    sys.exit(main())
