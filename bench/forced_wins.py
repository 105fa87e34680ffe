"""Are forced captures of the king found in Spark Chess?

    .venv/bin/python -m bench.forced_wins [--positions N] [--movetime MS] [--seed N] [--plies P] [--write FILE]

Positions are taken from quick games of the search against itself.  A slow solver of this file, which shares nothing
with the search but the rules, finds those that are won by nothing but attacks on the king, and in how many plies; half
of the positions must need as many plies as possible.  Then the search gets a move's time for each.  The last line is
the figure; the exit code is 1 when one within 7 plies is missed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from bench.quick_games import quick_game
from bot.search.thinker import Limits, Thinker
from rules import draws, uci, variants
from rules.game import Game
from rules.position import Position

RANDOM_PLIES: Final = 10
GAME_NODES: Final = 150
MOST_PLIES: Final = 200
MUST_FIND_PLIES: Final = 7
SOLVER_MOVES: Final = 3_000_000


class Puzzle(NamedTuple):
    """A position that is won by attacks on the king in so many plies, and in no fewer."""

    fen: str
    plies: int


class TooMuchWork(Exception):
    """The solver has made as many moves as it may."""


class Solver:
    """Tries every attack on the king, and every answer to it; remembers what it has found out."""

    def __init__(self) -> None:
        self._won: dict[tuple[int, int], bool] = {}
        self._left = SOLVER_MOVES

    def shortest(self, position: Position, most_plies: int) -> int | None:
        """Plies of the shortest win by nothing but attacks; None when there is none within so many.

        Raises: TooMuchWork.
        """
        return next((plies for plies in range(1, most_plies + 1, 2) if self._wins(position, plies)), None)

    def _wins(self, position: Position, plies: int) -> bool:
        """Whether the side to move captures the king within so many plies."""
        if position.variant_end() is not None:
            return False
        if position.threatens_win() or plies < 3:
            return position.threatens_win()
        known = self._won.get((position.key, plies))
        if known is None:
            attacks = (after for after in self._after(position) if after.checkers())
            known = any(self._loses(after, plies - 1) for after in attacks)
            self._won[position.key, plies] = known
        return known

    def _loses(self, position: Position, plies: int) -> bool:
        """Whether the side to move, its king attacked, cannot keep it for so many plies."""
        if position.variant_end() is not None or position.threatens_win() or not position.legal_moves():
            return False
        return all(self._wins(after, plies - 1) for after in self._after(position))

    def _after(self, position: Position) -> Iterator[Position]:
        for move in position.legal_moves():
            self._left -= 1
            if self._left < 0:
                raise TooMuchWork
            yield position.play(move)


def played_game(chance: random.Random) -> list[Position]:
    """The positions of a quick game that begins with random moves."""
    thinker = Thinker(1, {"forced_plies": 0})
    game = quick_game(variants.SPARK, thinker, chance, random_plies=RANDOM_PLIES, nodes=GAME_NODES, plies=MOST_PLIES)
    return [position for position in game.positions[RANDOM_PLIES:] if position.variant_end() is None]


def puzzles(chance: random.Random, count: int, most_plies: int) -> Iterator[Puzzle]:
    """Positions won in 5 to `most_plies`, at most one of a game; every other one needs as many as that."""
    given = 0
    while given < count:
        for position in reversed(played_game(chance)):
            fen = " ".join(position.fen().split()[:4]) + " 0 1"
            try:
                plies = Solver().shortest(Position.from_fen(variants.SPARK, fen), most_plies)
            except TooMuchWork:
                continue
            if plies is not None and plies >= (most_plies if given % 2 else 5):
                given += 1
                yield Puzzle(fen, plies)
                break


def solve(puzzle: Puzzle, limits: Limits) -> tuple[bool, int, float]:
    """Whether the search wins, and as fast as the solver; its nodes and milliseconds."""
    game = Game.start(variants.SPARK, draws.for_game(variants.SPARK, with_bot=True), puzzle.fen)
    began = time.perf_counter()
    thought = Thinker(16).think(game, limits)
    spent_ms = 1000 * (time.perf_counter() - began)
    found = thought.win_in is not None and 0 < thought.win_in <= (puzzle.plies + 1) // 2
    if not found:
        best = uci.write(game.position, thought.move, False)
        print(f"missed {puzzle.fen}  {puzzle.plies} plies: {best} {thought.score_cp} depth {thought.depth}")
    return found, thought.nodes, spent_ms


def main() -> int:
    """Make positions, search them, tell."""
    parser = argparse.ArgumentParser(description="Are forced captures of the king found in Spark Chess?")
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--movetime", type=int, default=200, help="milliseconds (default: 200)")
    parser.add_argument("--plies", type=int, default=MUST_FIND_PLIES, help="the longest win (default: 7)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="keep the positions in this file")
    args = parser.parse_args()
    made = list(puzzles(random.Random(args.seed), args.positions, args.plies))
    if args.write:
        args.write.write_text("".join(f"{puzzle.fen} ; {puzzle.plies} plies\n" for puzzle in made))
    results = [solve(puzzle, Limits(time_ms=args.movetime)) for puzzle in made]
    lengths = Counter(puzzle.plies for puzzle in made)
    print("plies " + ", ".join(f"{plies}: {count} positions" for plies, count in sorted(lengths.items())))
    print(f"median {statistics.median(result[1] for result in results):.0f} nodes, most {max(r[1] for r in results)}")
    print(f"median {statistics.median(r[2] for r in results):.1f} ms, most {max(r[2] for r in results):.1f} ms")
    missed = [puzzle for puzzle, result in zip(made, results, strict=True) if not result[0]]
    print(f"found {len(made) - len(missed)} of {len(made)} at {args.movetime} ms a move")
    return int(any(puzzle.plies <= MUST_FIND_PLIES for puzzle in missed))


if __name__ == "__main__":
    sys.exit(main())
