"""What a network costs, and that its sums stay right over long random play in every game.

    python -m bench.network                     nanoseconds an evaluation by width and build, and the time to load all
    python -m bench.network --positions 100000  also: sums brought up to date against a fresh start, in every game
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from bench.quick_games import quick_game
from bot.search.evaluation import for_game, networks
from bot.search.evaluation.network import Network, builds
from bot.search.thinker import Thinker
from rules import draws, variants
from rules.game import Game
from rules.position import Position
from rules.variant import Variant
from tests.search.networks import write

WIDTHS = (64, 128)
ROUNDS = 2000
LINE_PLIES = 60
RANDOM_PLIES = 6
GAME_NODES = 200
MOST_PLIES = 160
FRESH_AT_ONCE = 60


def play(variant: Variant, chance: random.Random) -> list[Position]:
    """The positions of a random game."""
    game = Game.start(variant, draws.for_game(variant, with_bot=True))
    while game.outcome is None and len(game.moves) < MOST_PLIES:
        game.play(chance.choice(game.position.legal_moves()))
    return game.positions


def play_well(variant: Variant, chance: random.Random) -> list[Position]:
    """The positions of a quick game of the search: its kings wander less than those of random play."""
    game = quick_game(variant, Thinker(1), chance, random_plies=RANDOM_PLIES, nodes=GAME_NODES, plies=LINE_PLIES)
    return game.positions


def nanoseconds(network: Network, line: list[Position]) -> float:
    """The processor time of an evaluation along a line, as a search goes down it; the best of five."""
    times = []
    for _ in range(5):
        began = time.process_time_ns()
        network.judge_line(line, list(range(len(line))), ROUNDS)
        times.append((time.process_time_ns() - began) / ROUNDS / len(line))
    return min(times)


def measure(folder: Path) -> None:
    """Print what evaluations cost, and what loading does."""
    for key in ("atomic", "crazyhouse"):
        variant = variants.by_key(key)
        chance = random.Random(1)
        lines = [max((ways(variant, chance) for _ in range(20)), key=len)[:LINE_PLIES] for ways in (play, play_well)]
        for width in WIDTHS:
            path = write(folder / f"{key}-{width}.net", variant, width)
            for build in builds():
                costs = [nanoseconds(networks.load(path, variant, build), line) for line in lines]
                print(f"{key} width {width} {build}: {costs[0]:.0f} ns an evaluation in random play, ", end="")
                print(f"{costs[1]:.0f} in ours")
    for variant in variants.ALL:
        write(folder / f"{networks.game_of(variant)}{networks.SUFFIX}", variant, 128)
    began = time.perf_counter()
    for variant in variants.ALL:
        for_game(variant, str(folder))
    print(f"networks of {len(variants.ALL)} games loaded in {time.perf_counter() - began:.3f} s")


def judged_afresh(network: Network, line: list[Position]) -> list[int]:
    """The evaluations of positions, each at a ply of its own with none before it: there is nothing to go on from."""
    parts = [line[begin : begin + FRESH_AT_ONCE] for begin in range(0, len(line), FRESH_AT_ONCE)]
    return [score for part in parts for score in network.judge_line(part, list(range(0, 2 * len(part), 2)))]


def hold_against_fresh_start(variant: Variant, folder: Path, count: int) -> int:
    """How many of so many positions of random play are judged otherwise than from a fresh start."""
    network = networks.load(write(folder / "one.net", variant), variant)
    chance = random.Random(variant.key)
    wrong = seen = 0
    while seen < count:
        line = play(variant, chance)
        plies = list(range(len(line))) if chance.random() < 0.5 else [chance.randrange(20) for _ in line]
        kept = network.judge_line(line, plies)
        fresh = judged_afresh(network, line)
        wrong += sum(one != other for one, other in zip(kept, fresh, strict=True))
        seen += len(line)
    print(f"{variant.key}: {seen} positions, {wrong} differences", flush=True)
    return wrong


def main() -> int:
    """Measure, and check if asked to; 1 when a sum was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", metavar="N", type=int, default=0, help="to check in each game (default: none)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(folder)
        if not args.positions:
            return 0
        return int(sum(hold_against_fresh_start(variant, folder, args.positions) for variant in variants.ALL) > 0)


if __name__ == "__main__":
    sys.exit(main())
