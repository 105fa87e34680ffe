"""What a second thread is worth: how much sooner two reach a depth than one, from positions of random play.

    .venv/bin/python -m bench.threads [--positions N] [--milliseconds MS] [--threads N] [--variant V] [--seed S]

Each position is searched to the depth that one thread reaches in MS, by one thread and by several in turn, twice each,
with empty tables; the quicker of both counts, as what else runs on the machine can only slow a search down.  Last
line: `positions N median R by nodes B`; the exit code is 1 when R is below 1.4.  R means something only while as many
cores are free, so the load is printed as well; B is what R would be if all threads had searched equally many nodes,
each as fast as one alone.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import sys
import threading
import time
from typing import Final

from bot.search.openings import openings
from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from rules import draws, variants
from rules.game import Game

LEAST_MEDIAN: Final = 1.4
STACK_BYTES: Final = 16 * 2**20
HASH_MB: Final = 64
ROUNDS: Final = 2


def depth_within(game: Game, time_ms: int) -> int:
    """The depth of the first iteration that one thread ends after that time."""
    stop = StopFlag()

    def told(thought: Thought) -> None:
        if thought.time_ms >= time_ms:
            stop.set()

    return Thinker(HASH_MB).think(game, Limits(), stop, told).depth


def seconds_to(game: Game, depth: int, threads: int) -> tuple[float, int]:
    """How long it takes to reach the depth, and the nodes of all threads."""
    thinker = Thinker(HASH_MB, threads=threads)
    began = time.perf_counter()
    thought = thinker.think(game, Limits(depth=depth))
    return time.perf_counter() - began, thought.nodes


def gain(game: Game, time_ms: int, threads: int) -> tuple[float, float]:
    """How many times sooner several threads are there than one: by the clock, and by the nodes of each."""
    depth = depth_within(game, time_ms)
    alone, together = [], []
    for _ in range(ROUNDS):
        alone.append(seconds_to(game, depth, 1))
        together.append(seconds_to(game, depth, threads))
    seconds, nodes = min(alone)
    shared_seconds, shared_nodes = min(together)
    by_clock = seconds / shared_seconds
    by_nodes = nodes * threads / statistics.mean(count for _, count in together)
    print(
        f"depth {depth:2}  1 thread {seconds:6.2f} s {nodes:9} nodes  {threads} threads {shared_seconds:6.2f} s "
        f"{shared_nodes:9} nodes  ratio {by_clock:.2f} by nodes {by_nodes:.2f}  load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return by_clock, by_nodes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--milliseconds", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    threading.stack_size(STACK_BYTES)
    variant = variants.by_key(args.variant)
    policy = draws.for_game(variant, with_bot=True)
    fens = itertools.islice(openings(variant, args.seed), args.positions)
    games = (Game.start(variant, policy, fen) for fen in fens)
    by_clock, by_nodes = zip(*(gain(game, args.milliseconds, args.threads) for game in games), strict=True)
    median = statistics.median(by_clock)
    print(f"positions {args.positions} median {median:.2f} by nodes {statistics.median(by_nodes):.2f}")
    return 0 if median >= LEAST_MEDIAN else 1


if __name__ == "__main__":
    sys.exit(main())
