"""`centella solve`: find the best moves of the positions of a file."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.commands import FAILED, OK, USAGE, CommandFailed
from bot.commands.files import lines_of
from bot.commands.options import positive
from bot.search.epd import EpdError, Puzzle, read_puzzles
from bot.search.players import PlayerFailed
from bot.search.solving import Attempt, Solver, attempt, solver
from bot.search.thinker import Limits
from rules import san, variants

if TYPE_CHECKING:
    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "find the best moves (bm), or others than the bad ones (am), of the positions of an EPD file"
    parser = subparsers.add_parser("solve", help=purpose, description=purpose)
    parser.add_argument("file", metavar="FILE.epd", type=Path, help="a position a line, moves as people write them")
    parser.add_argument("--movetime", metavar="MS", type=positive, help="milliseconds for a position")
    parser.add_argument("--nodes", metavar="N", type=positive, help="nodes for a position")
    parser.add_argument("--threads", metavar="N", type=positive, default=1, help="threads of the search (default: 1)")
    parser.add_argument("--variant", metavar="V", default="standard", help="the game (default: standard)")
    parser.add_argument(
        "--engine",
        metavar="E",
        default="centella",
        help="who solves: `centella[:key=value,...]` or a UCI engine, as in `centella match` (default: centella)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve; a line for each position, and last how many were solved."""
    if args.movetime is None and args.nodes is None:
        raise CommandFailed("solve: --movetime or --nodes is needed", USAGE)
    puzzles = _puzzles(args.file, args.variant)
    try:
        with closing(solver(args.engine, Limits(time_ms=args.movetime, nodes=args.nodes), args.threads)) as found:
            solved = _solve(found, puzzles)
    except ValueError as error:
        raise CommandFailed(str(error), USAGE) from error
    except PlayerFailed as error:
        raise CommandFailed(str(error), FAILED) from error
    print(f"solved {solved} of {len(puzzles)}")
    return OK


def _puzzles(path: Path, key: str) -> tuple[Puzzle, ...]:
    variant = variants.by_key(key)
    try:
        return read_puzzles(lines_of(path), variant)
    except EpdError as error:
        raise CommandFailed(f"{path}: {error}", USAGE) from error


def _solve(found: Solver, puzzles: tuple[Puzzle, ...]) -> int:
    solved = 0
    width = max((len(puzzle.name) for puzzle in puzzles), default=0)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("solved 0", total=len(puzzles))
        for puzzle in puzzles:
            made = attempt(found, puzzle)
            solved += made.is_solved
            print(f"{puzzle.name:{width}}  {_line(made)}", flush=True)
            progress.update(task, advance=1, description=f"solved {solved}")
    return solved


def _line(made: Attempt) -> str:
    move = san.write(made.puzzle.position, made.move)
    depth = "-" if made.depth is None else made.depth
    if made.found is None:
        wanted = " or ".join(san.write(made.puzzle.position, best) for best in made.puzzle.best)
        return f"missed          depth {depth:>2}  {move}{f', not {wanted}' if wanted else ''}"
    at_depth = "-" if made.found.depth is None else made.found.depth
    return f"solved {made.found.time_ms:5} ms  depth {depth:>2}  {move} (since depth {at_depth})"
