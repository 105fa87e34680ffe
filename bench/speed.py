"""Nodes a second, ours beside those of other programs, in the same run.

    .venv/bin/python -m bench.speed [--variant V] [--movetime MS] [--positions N] [--seed N] [PROGRAM ...]

A program is named as in a match: `COMMAND[;NAME=VALUE...]`.  All of them search each position in turn, with one thread
and 64 MB where they have such options, so that what else runs on the machine slows all of them.  What a program counts
as a node is its own affair: the ratio says little about strength.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import sys
from typing import Final

import chess.engine

from bot.search.openings import openings
from bot.search.players import PlayerFailed
from bot.search.programs import Program
from bot.search.thinker import Limits, Thinker
from bot.search.wireboard import wire_board
from rules import draws, variants
from rules.game import Game

HASH_MB: Final = 64
OURS: Final = "centella"


def ours(game: Game, movetime_ms: int) -> float:
    """Nodes a second of this program."""
    thought = Thinker(HASH_MB, network="auto").think(game, Limits(time_ms=movetime_ms))
    return 1000 * thought.nodes / max(thought.time_ms, 1)


def theirs(engine: chess.engine.SimpleEngine, game: Game, movetime_ms: int) -> float:
    """Nodes a second of another program, as it tells them itself."""
    board = wire_board(game.variant, game.initial.fen(), (), game.turn)
    info = engine.play(board, chess.engine.Limit(time=movetime_ms / 1000), info=chess.engine.INFO_BASIC, game=object())
    return float(info.info.get("nps") or 0)


def main() -> int:
    """Measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--movetime", type=int, default=1000, help="milliseconds (default: 1000)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    variant = variants.by_key(args.variant)
    fens = itertools.islice(openings(variant, args.seed), args.positions)
    games = [Game.start(variant, draws.for_game(variant, with_bot=True), fen) for fen in fens]
    try:
        engines = {text: Program.read(text).start({"Threads": 1, "Hash": HASH_MB}) for text in args.programs}
    except (PlayerFailed, ValueError) as error:
        parser.error(str(error))
    found: dict[str, list[float]] = {OURS: [], **{text: [] for text in engines}}
    for game in games:
        found[OURS].append(ours(game, args.movetime))
        for text, engine in engines.items():
            found[text].append(theirs(engine, game, args.movetime))
    own = statistics.median(found[OURS])
    for name, figures in found.items():
        median = statistics.median(figures)
        ratio = f"  {own / median:.2f} times as many by us" if name != OURS and median else ""
        print(f"{args.variant} {name}: {median / 1e6:.2f} million nodes/s{ratio}")
    print(f"{args.positions} positions, {args.movetime} ms each, load {os.getloadavg()[0]:.1f}")
    for engine in engines.values():
        engine.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
