"""Perft of our rules against python-chess, and Stockfish where it is installed: nodes a second and their ratio.

Every game is counted over its file of known counts, all sides counting in bulk at the last ply.  Ours and python-chess
take the same counts, none above 300,000; ours are repeated for a second.  Seconds are those of the processor, so that
a busy machine does little harm; Stockfish's include its start.

    python -m bench.perft [GAME ...]
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import chess

from bot.conformance import read_perft
from rules import variants
from rules.position import Position
from tests.oracle import BOARDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.variant import Variant

FILES = Path(__file__).resolve().parent.parent / "tests/conformance"
MOST = 300_000
LEAST_S = 1.0
SPARK_DEPTH = 6
# How many times python-chess's speed each game must reach; Spark has no other side, and must reach nodes a second.
FLOORS = {variants.STANDARD: 100, variants.ATOMIC: 300}
FLOOR, SPARK_FLOOR_NPS, STOCKFISH_FLOOR = 60, 100_000_000, 0.35


@dataclass(frozen=True, slots=True)
class Count:
    """A position, a depth and the known number of move sequences."""

    fen: str
    depth: int
    nodes: int


def counts_of(variant: Variant, most: int) -> list[Count]:
    """The counts of a game's file that are not above `most`."""
    lines = (FILES / f"perft/{variant.key}.epd").read_text(encoding="utf-8").splitlines()
    rows = read_perft(lines)
    return [Count(row.fen, depth, nodes) for row in rows for depth, nodes in row.counts.items() if nodes <= most]


def rate(counts: list[Count], perft: Callable[[Count], int], least_s: float) -> float:
    """Nodes a second over the counts, repeated until `least_s` seconds have passed; every count must be right."""
    nodes = 0
    started = time.process_time()
    while True:
        for count in counts:
            found = perft(count)
            if found != count.nodes:
                raise SystemExit(f"{count.fen} depth {count.depth}: {found}, expected {count.nodes}")
            nodes += found
        seconds = time.process_time() - started
        if seconds >= least_s:
            return nodes / seconds


def our_rate(variant: Variant, counts: list[Count]) -> float:
    """Nodes a second of our kernel."""
    positions = {count.fen: Position.from_fen(variant, count.fen) for count in counts}
    return rate(counts, lambda count: int(positions[count.fen].perft(count.depth)), LEAST_S)


def their_rate(variant: Variant, counts: list[Count]) -> float:
    """Nodes a second of python-chess, each count once."""

    def perft(count: Count) -> int:
        board = chess.Board(count.fen, chess960=True) if variant.chess960 else BOARDS[variant](count.fen)
        return leaves(board, count.depth)

    return rate(counts, perft, 0.0)


def leaves(board: chess.Board, depth: int) -> int:
    """Move sequences on a board of python-chess, counted in bulk at the last ply."""
    if depth == 1:
        return int(board.legal_moves.count())
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += leaves(board, depth - 1)
        board.pop()
    return found


def stockfish_rate(path: str, counts: list[Count]) -> float:
    """Nodes a second of Stockfish's `go perft` over the counts, each once."""
    commands = "".join(f"position fen {count.fen}\ngo perft {count.depth}\n" for count in counts)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answer = subprocess.run([path], input=commands + "quit\n", capture_output=True, text=True, check=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    found = [int(nodes) for nodes in re.findall(r"^Nodes searched: (\d+)", answer, re.MULTILINE)]
    if found != [count.nodes for count in counts]:
        raise SystemExit("Stockfish's counts are not those of the file")
    return sum(found) / seconds


def show(game: str, ours: float, other: str, theirs: float | None, floor: str, reached: bool) -> None:
    """One line of the table."""
    ratio = "" if theirs is None else f"{ours / theirs:8.1f} x"
    speed = "" if theirs is None else f"{theirs / 1e6:9.3f}"
    print(f"{game:<14}{ours / 1e6:9.1f}  {other:<13}{speed:>9}{ratio:>11}  {floor:>9}  {'ok' if reached else 'BELOW'}")


def main() -> int:
    """Print the table of the games named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    games = {variant.key: variant for variant in [*BOARDS, variants.SPARK]}
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[[], *games], help=f"of {', '.join(games)}")
    chosen = [games[key] for key in parser.parse_args().games] or list(games.values())
    print(f"{'game':<14}{'M nodes/s':>9}  {'against':<13}{'M nodes/s':>9}{'ratio':>11}  {'floor':>9}")
    for variant in chosen:
        if variant in BOARDS:
            counts = counts_of(variant, MOST)
            ours, theirs = our_rate(variant, counts), their_rate(variant, counts)
            floor = FLOORS.get(variant, FLOOR)
            show(variant.key, ours, "python-chess", theirs, f"{floor} x", ours >= floor * theirs)
        else:
            start = Position.start(variant)
            known = Count(start.fen(), SPARK_DEPTH, start.perft(SPARK_DEPTH))
            ours = our_rate(variant, [known])
            show(variant.key, ours, "", None, f"{SPARK_FLOOR_NPS / 1e6:.0f} M/s", ours >= SPARK_FLOOR_NPS)
    stockfish = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
    if stockfish is not None and variants.STANDARD in chosen:
        counts = counts_of(variants.STANDARD, 10**9)
        ours, theirs = our_rate(variants.STANDARD, counts), stockfish_rate(stockfish, counts)
        show("standard", ours, "Stockfish", theirs, f"{STOCKFISH_FLOOR} x", ours >= STOCKFISH_FLOOR * theirs)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
