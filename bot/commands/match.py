"""`centella match`: let two engines, or two settings of our search, play a match."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.commands import OK, USAGE, CommandFailed
from bot.commands.files import lines_of
from bot.commands.options import MOST, positive
from bot.commands.origin import origin
from bot.matchbook import Matchbook, Output, settings_of, write_pgn
from bot.messages import explain
from bot.search.bout import Finished
from bot.search.contest import Match, play_match
from bot.search.openings import read_openings
from bot.search.players import Pace, PlayerFailed, is_own
from bot.search.sprt import BOUND, Sprt
from bot.search.tally import Faults, Tally
from bot.search.training.bouts import records_of
from bot.search.training.records import header_bytes
from rules import variants
from rules.errors import RulesError
from rules.position import Position

if TYPE_CHECKING:
    from rules.variant import Variant

    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

_PLAYERS = """
A player is `centella[:key=value,...]`, our own search with other options, or the command of a UCI engine. The command
may be followed by UCI options, each after a `;` of its own: "stockfish;UCI_LimitStrength=true;UCI_Elo=2400". Put the
whole in quotes for the shell; within it, a path or value that holds a `;` or blanks stands in quotes of the other kind.
"""


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "let two engines, or two settings of our search, play a match"
    parser = subparsers.add_parser("match", help=purpose, description=purpose, epilog=_PLAYERS)
    parser.add_argument("first", metavar="A", help="the player whose score is told")
    parser.add_argument("second", metavar="B", help="its opponent")
    parser.add_argument("--variant", metavar="V", default="standard", help="the game (default: standard)")
    parser.add_argument("--games", metavar="N", type=positive, required=True, help="how many, two from each opening")
    pace = parser.add_mutually_exclusive_group(required=True)
    pace.add_argument("--movetime", metavar="MS", type=positive, help="milliseconds for a move")
    pace.add_argument("--nodes", metavar="N", type=positive, help="nodes for a move")
    pace.add_argument("--tc", metavar="S+I", type=_clock, help="a clock: seconds, and seconds added for each move")
    parser.add_argument("--openings", metavar="FILE", type=Path, help="positions to begin from, a FEN a line")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the choice of openings (default: 1)")
    parser.add_argument("--concurrency", metavar="N", type=positive, default=1, help="games at a time (default: 1)")
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", type=_sprt, help="stop as soon as it is clear, with 5 %% of error, which is true"
    )
    parser.add_argument(
        "--adjudicate",
        action=argparse.BooleanOptionalAction,
        help="end games on whose result both sides agree (default: where both are our own search)",
    )
    parser.add_argument("--pgn", metavar="FILE", type=Path, help="append each game to this file")
    parser.add_argument(
        "--records", metavar="FILE", type=Path, help="keep the quiet positions that our search judged, to learn from"
    )
    parser.add_argument(
        "--resume", metavar="FILE", type=Path, help="keep notes in this file, and go on with the match that it tells of"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the match; the last line is the score from the first player's view."""
    try:
        match = _match(args)
        book = Matchbook(match, args.resume, _outputs(args, match))
        match = book.take_up(match)
        tally = _play(match, book)
    except (ValueError, PlayerFailed) as error:
        raise CommandFailed(str(error), USAGE) from error
    except OSError as error:
        raise CommandFailed(f"{error.filename}: {error.strerror}") from error
    for line in _summary(match, tally):
        print(line)
    return OK


def _match(args: argparse.Namespace) -> Match:
    variant = variants.by_key(args.variant)
    both_own = is_own(args.first) and is_own(args.second)
    return Match(
        first=args.first,
        second=args.second,
        variant=variant,
        games=args.games,
        pace=args.tc or Pace(movetime_ms=args.movetime, nodes=args.nodes),
        openings=_openings(args.openings, variant),
        seed=args.seed,
        concurrency=args.concurrency,
        adjudicate=both_own if args.adjudicate is None else args.adjudicate,
        sprt=args.sprt,
    )


def _outputs(args: argparse.Namespace, match: Match) -> tuple[Output, ...]:
    def as_pgn(finished: Finished) -> bytes:
        return write_pgn(match, finished, datetime.now(UTC)).encode()

    def as_records(finished: Finished) -> bytes:
        return b"".join(records_of(finished, is_own(match.first), is_own(match.second)))

    outputs = []
    if args.pgn is not None:
        outputs.append(Output("pgn", args.pgn, as_pgn))
    if args.records is not None:
        header = header_bytes(match.variant, {**settings_of(match), "made_by": origin()})
        outputs.append(Output("records", args.records, as_records, header))
    return tuple(outputs)


def _play(match: Match, book: Matchbook) -> Tally:
    """The score at the end, or when the user would not wait for it."""
    tally = match.tally_before()
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(_running(match, tally), total=match.games, completed=tally.games)

        def tell(now: Tally, finished: Finished) -> None:
            nonlocal tally
            book.keep(finished)
            tally = now
            progress.update(task, completed=tally.games, description=_running(match, tally))

        try:
            return play_match(match, tell)
        except KeyboardInterrupt:
            progress.console.print(f"stopped after {tally.games} of {match.games} games")
            return tally


def _running(match: Match, tally: Tally) -> str:
    return _score(tally) if match.sprt is None else f"{_score(tally)} LLR {match.sprt.llr(tally.pairs):.2f}"


def _score(tally: Tally) -> str:
    return f"{tally.percent:.1f}% ±{tally.error_percent:.1f} {tally.wins}/{tally.draws}/{tally.losses}"


def _summary(match: Match, tally: Tally) -> list[str]:
    lines = [
        f"{name}: illegal moves {faults.illegal}, lost on time {faults.time}, broken down {faults.broken}"
        for name, faults in ((match.first, tally.first_faults), (match.second, tally.second_faults))
        if faults != Faults()
    ]
    lines.append(f"pairs of games by points 0 to 2: {' '.join(map(str, tally.pairs))}")
    error = "" if isinf(tally.error_elo) else f" ±{tally.error_elo:.1f}"
    lines.append(f"Elo {tally.elo:+.1f}{error}")
    if match.sprt is not None:
        elo0, elo1 = match.sprt.elo0, match.sprt.elo1
        accepted = match.sprt.accepted(tally.pairs)
        verdict = "undecided" if accepted is None else f"accepted {accepted:+g} Elo"
        llr = match.sprt.llr(tally.pairs)
        lines.append(f"SPRT [{elo0:g}, {elo1:g}]: LLR {llr:.2f} within ({-BOUND:.2f}, {BOUND:.2f}): {verdict}")
    return [*lines, f"score {_score(tally)}"]


def _openings(path: Path | None, variant: Variant) -> tuple[str, ...]:
    """The openings of a file, each proven to be a position of the game."""
    if path is None:
        return ()
    found = read_openings(lines_of(path))
    for fen in found:
        try:
            Position.from_fen(variant, fen)
        except RulesError as error:
            raise CommandFailed(f"{path}: {fen}: {explain(error)}", USAGE) from error
    if not found:
        raise CommandFailed(f"{path}: no position in it", USAGE)
    return found


def _sprt(text: str) -> Sprt:
    low, _, high = text.partition(",")
    try:
        bounds = float(low), float(high)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not ELO0,ELO1") from None
    try:
        return Sprt(*bounds)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _clock(text: str) -> Pace:
    base, _, increment = text.partition("+")
    try:
        pace = Pace(base_ms=round(1000 * float(base)), increment_ms=round(1000 * float(increment or 0)))
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not SECONDS+INCREMENT") from None
    if not pace.base_ms or pace.base_ms < 0 or pace.increment_ms < 0:
        raise argparse.ArgumentTypeError(f"{text!r} leaves no time")
    if max(pace.base_ms, pace.increment_ms) > MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is more time than can be counted")
    return pace
