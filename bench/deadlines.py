"""Whether searches end in time, and with legal moves: random deadlines, positions of random play, every game in turn.

    .venv/bin/python -m bench.deadlines [--searches N] [--seed S] [--threads N]

Last line: `searches N illegal I overshoot ms p50 A p99 B max C`; the exit code is 1 when a move was illegal or B is 25
or more.  How late a search ends depends on what else runs on the machine, so the load is printed as well.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from typing import Final

from bot.search.thinker import Limits, Thinker
from rules import draws, variants
from rules.game import Game
from rules.variant import Variant

LEAST_MS: Final = 10
MOST_MS: Final = 200
LATE_P99_MS: Final = 25.0
LONGEST_PLIES: Final = 120
TELL_EVERY: Final = 100
STACK_BYTES: Final = 16 * 2**20


def positions(chance: random.Random) -> Iterator[Game]:
    """Games under way, of each kind in turn."""
    while True:
        for variant in variants.ALL:
            yield _under_way(Game.start(variant, draws.for_game(variant, with_bot=True), _fen(variant)), chance)


def _fen(variant: Variant) -> str | None:
    return variant.start_fen if variant.needs_fen else None


def _under_way(game: Game, chance: random.Random) -> Game:
    """The same after some random moves, the last of which have been taken back when they ended it."""
    for _ in range(chance.randrange(LONGEST_PLIES)):
        game.play(chance.choice(game.position.legal_moves()))
        if game.outcome is not None:
            game.take_back(1 + chance.randrange(min(3, len(game.moves))))
            break
    return game


def overshoot_ms(thinker: Thinker, game: Game, time_ms: int) -> tuple[float, bool]:
    """How late the search ended, and whether its move was legal."""
    began = time.perf_counter()
    move = thinker.think(game, Limits(time_ms=time_ms)).move
    late_ms = 1000 * (time.perf_counter() - began) - time_ms
    return late_ms, move in game.position.legal_moves()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--searches", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    threading.stack_size(STACK_BYTES)
    chance, thinker = random.Random(args.seed), Thinker(16, threads=args.threads)
    late_ms: list[float] = []
    illegal = 0
    for game, number in zip(positions(chance), range(1, args.searches + 1), strict=False):
        late, legal = overshoot_ms(thinker, game, chance.randint(LEAST_MS, MOST_MS))
        late_ms.append(late)
        if not legal:
            illegal += 1
            print(f"illegal move in {game.variant.key}: {game.position.fen()}", flush=True)
        if number % TELL_EVERY == 0:
            print(
                f"{number} searches, worst overshoot {max(late_ms):.1f} ms, load {os.getloadavg()[0]:.1f}", flush=True
            )
    ordered = sorted(late_ms)
    median, late = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    print(
        f"searches {len(ordered)} illegal {illegal} overshoot ms p50 {median:.2f} p99 {late:.2f} max {ordered[-1]:.2f}"
    )
    return 0 if illegal == 0 and late < LATE_P99_MS else 1


if __name__ == "__main__":
    sys.exit(main())
