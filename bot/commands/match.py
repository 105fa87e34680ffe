"""`centella match`: let two engines, or two settings of our search, play a match."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.commands import OK, USAGE, CommandFailed
from bot.search.contest import Match, Tally, play_match, read_openings
from bot.search.players import Pace, PlayerFailed
from rules import variants
from rules.errors import RulesError
from rules.position import Position

if TYPE_CHECKING:
    from rules.variant import Variant

    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "let two engines, or two settings of our search, play a match"
    parser = subparsers.add_parser("match", help=purpose, description=purpose)
    for name, which in (("first", "first"), ("second", "second")):
        parser.add_argument(name, metavar=name[0].upper(), help=f"the {which} player: {_PLAYER}")
    parser.add_argument("--variant", metavar="V", default="standard", help="the game (default: standard)")
    parser.add_argument("--games", metavar="N", type=_positive, required=True)
    pace = parser.add_mutually_exclusive_group(required=True)
    pace.add_argument("--movetime", metavar="MS", type=_positive, help="milliseconds for a move")
    pace.add_argument("--nodes", metavar="N", type=_positive, help="nodes for a move")
    pace.add_argument("--tc", metavar="S+I", type=_clock, help="a clock: seconds, and seconds added for each move")
    parser.add_argument("--openings", metavar="FILE", type=Path, help="positions to begin from, a FEN a line")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the choice of openings (default: 1)")
    parser.add_argument("--concurrency", metavar="N", type=_positive, default=1, help="games at a time (default: 1)")
    parser.set_defaults(run=run)


_PLAYER = "`centella[:key=value,...]` for our own search with other options, or the command of a UCI engine"


def run(args: argparse.Namespace) -> int:
    """Play the match; the last line is the score from the first player's view."""
    try:
        variant = variants.by_key(args.variant)
        match = Match(
            first=args.first,
            second=args.second,
            variant=variant,
            games=args.games,
            pace=args.tc or Pace(movetime_ms=args.movetime, nodes=args.nodes),
            openings=_openings(args.openings, variant),
            seed=args.seed,
            concurrency=args.concurrency,
        )
        tally = _play(match)
    except (ValueError, PlayerFailed) as error:
        raise CommandFailed(str(error), USAGE) from error
    if tally.illegal or tally.forfeits:
        print(f"illegal moves {tally.illegal} forfeits {tally.forfeits}")
    print(f"score {_score(tally)}")
    return OK


def _play(match: Match) -> Tally:
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=match.games)
        return play_match(match, lambda tally: progress.update(task, advance=1, description=_score(tally)))


def _score(tally: Tally) -> str:
    return f"{tally.percent:.1f}% ±{tally.error_percent:.1f} {tally.wins}/{tally.draws}/{tally.losses}"


def _openings(path: Path | None, variant: Variant) -> tuple[str, ...]:
    """The openings of a file, each proven to be a position of the game."""
    if path is None:
        return ()
    try:
        found = read_openings(path.read_text(encoding="utf-8").splitlines())
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror}", USAGE) from error
    for fen in found:
        try:
            Position.from_fen(variant, fen)
        except RulesError as error:
            raise CommandFailed(f"{path}: {fen}: {error}", USAGE) from error
    return found


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not positive")
    return value


def _clock(text: str) -> Pace:
    base, _, increment = text.partition("+")
    try:
        pace = Pace(base_ms=round(1000 * float(base)), increment_ms=round(1000 * float(increment or 0)))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not SECONDS+INCREMENT") from None
    if not pace.base_ms or pace.base_ms < 0 or pace.increment_ms < 0:
        raise argparse.ArgumentTypeError(f"{text!r} leaves no time")
    return pace
