"""`centella selfplay`: let the search play games against itself, and keep their positions to learn from."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.commands import OK, USAGE, CommandFailed
from bot.commands.options import positive
from bot.commands.origin import origin
from bot.search.evaluation.netfile import NetworkError
from bot.search.evaluation.networks import AUTO
from bot.search.training.gathering import Gathered, Quota, gather, write_provenance
from bot.search.training.records import RecordsError
from bot.search.training.selfplay import SelfPlayFailed, Settings
from rules import variants

if TYPE_CHECKING:
    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

REPORT_S = 60.0


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "let the search play games against itself, and keep their quiet positions to learn from"
    parser = subparsers.add_parser("selfplay", help=purpose, description=purpose)
    parser.add_argument("variant", metavar="VARIANT", help="the game's key")
    quota = parser.add_mutually_exclusive_group(required=True)
    quota.add_argument("--games", metavar="N", type=positive, help="games to play")
    quota.add_argument("--positions", metavar="N", type=positive, help="positions to keep, at least")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="records; goes on where it ends")
    parser.add_argument("--nodes", metavar="N", type=positive, default=1200, help="for each move (default: 1200)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the random first moves (default: 1)")
    parser.add_argument(
        "--network", metavar="NET", default=AUTO, help="auto, none, a file or a folder: what judges (default: auto)"
    )
    cores = os.cpu_count() or 1
    parser.add_argument("--workers", metavar="N", type=positive, default=cores, help=f"processes (default: {cores})")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; the last line says what the file holds.  Interrupted, the file stays good and can be gone on with."""
    settings = Settings(variants.by_key(args.variant).key, args.seed, args.nodes, network=args.network)
    quota = Quota(args.positions, args.games)
    try:
        gathered = _gather(args.out, settings, quota, args.workers)
        beside = write_provenance(args.out)
    except (RecordsError, NetworkError) as error:
        raise CommandFailed(str(error), USAGE) from error
    except SelfPlayFailed as error:
        raise CommandFailed(str(error)) from error
    except OSError as error:
        raise CommandFailed(f"{error.filename or args.out}: {error.strerror}") from error
    print(f"positions {gathered.positions} games {gathered.games} provenance {beside}")
    return OK


def _gather(path: Path, settings: Settings, quota: Quota, workers: int) -> Gathered:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(settings.variant_key, total=quota.positions or quota.games)
        reported_s = time.monotonic()

        def tell(so_far: Gathered) -> None:
            nonlocal reported_s
            done = so_far.games if quota.positions is None else so_far.positions
            progress.update(task, completed=done, description=f"{settings.variant_key} {_rate(so_far)}")
            if progress.disable and time.monotonic() - reported_s >= REPORT_S:
                reported_s = time.monotonic()
                counts = f"games {so_far.games} positions {so_far.positions}"
                console.print(f"{settings.variant_key} {counts} {_rate(so_far)}")

        return gather(path, settings, origin(), quota, workers, tell)


def _rate(so_far: Gathered) -> str:
    return f"{so_far.positions_here / max(so_far.seconds, 1e-9):.0f} positions/s"
