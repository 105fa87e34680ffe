"""How deep the search looks in Spark Chess, from the start and from the midst of games.

    .venv/bin/python -m bench.spark_depth [--positions N] [--movetime MS] [--seed N]

The positions are from quick games of the search against itself, each after 16 to 30 plies and not yet decided.  The
last line is the figure; the exit code is 1 when the start is searched less than 9 plies deep, or one of the others less
than 7.  The load is printed too, as what else runs on the machine makes a search shallower.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator
from typing import Final

from bench.quick_games import quick_game
from bot.search.thinker import Limits, Thinker
from rules import draws, variants
from rules.game import Game

LEAST_AT_START: Final = 9
LEAST_LATER: Final = 7
RANDOM_PLIES: Final = 6
GAME_NODES: Final = 500
BALANCED_CP: Final = 200
HASH_MB: Final = 64


def middlegames(chance: random.Random) -> Iterator[Game]:
    """Games under way that neither side has won yet, each of another course."""
    while True:
        thinker, plies = Thinker(1), chance.randint(16, 30)
        game = quick_game(variants.SPARK, thinker, chance, random_plies=RANDOM_PLIES, nodes=GAME_NODES, plies=plies)
        if game.outcome is None and abs(thinker.think(game, Limits(nodes=20 * GAME_NODES)).score_cp) <= BALANCED_CP:
            yield game


def depth(game: Game, movetime_ms: int, network: str) -> int:
    """The depth that is reached in the time; printed with what it took."""
    thought = Thinker(HASH_MB, network=network).think(game, Limits(time_ms=movetime_ms))
    nodes_per_s = 1000 * thought.nodes // max(thought.time_ms, 1)
    print(f"depth {thought.depth:2}  {nodes_per_s:8} nodes/s  {game.position.fen()}", flush=True)
    return thought.depth


def main() -> int:
    """Search, tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--movetime", type=int, default=1000, help="milliseconds (default: 1000)")
    parser.add_argument("--network", default="auto", help="auto, none, a file or a folder (default: auto)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = Game.start(variants.SPARK, draws.for_game(variants.SPARK, with_bot=True))
    first = depth(start, args.movetime, args.network)
    games = middlegames(random.Random(args.seed))
    later = sorted(depth(next(games), args.movetime, args.network) for _ in range(args.positions))
    print(f"start {first}, middlegames {later[0]} to {later[-1]}, median {later[len(later) // 2]}; ", end="")
    print(f"{args.movetime} ms, load {os.getloadavg()[0]:.1f}")
    return int(first < LEAST_AT_START or later[0] < LEAST_LATER)


if __name__ == "__main__":
    sys.exit(main())
