"""`centella train`: learn a network from records of games."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.commands import OK, USAGE, CommandFailed
from bot.commands.options import positive
from bot.commands.origin import origin
from bot.search.evaluation import netfile
from bot.search.evaluation.netfile import NetworkError
from bot.search.training.records import RecordsError, read_header
from rules import variants

if TYPE_CHECKING:
    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

MISSING = "learning needs {name}: install it with  pip install 'centella[train]'"
WIDTHS = (64, 128, 192, 256)


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "learn a network from records of games (needs the extra `train`)"
    parser = subparsers.add_parser("train", help=purpose, description=purpose)
    parser.add_argument("variant", metavar="VARIANT", help="the game's key")
    parser.add_argument("--records", metavar="FILE", type=Path, nargs="+", required=True, help="from `selfplay`")
    parser.add_argument("--out", metavar="NET", type=Path, required=True, help="where to; goes on from its checkpoint")
    sums = "sums a side (default: 64; 128 from 3 million positions on)"
    parser.add_argument("--width", type=int, choices=WIDTHS, help=sums)
    parser.add_argument("--heads", metavar="N", type=int, choices=range(1, 9), help="outputs (default: 4)")
    parser.add_argument("--scale", metavar="CP", type=_scale, help="centipawns of a unit (default: 300)")
    parser.add_argument("--score-share", metavar="S", type=_share, default=0.7, help="of the label (default: 0.7)")
    parser.add_argument("--epochs", metavar="N", type=positive, default=25, help="(default: 25)")
    parser.add_argument("--batch", metavar="N", type=positive, default=16384, help="positions a step (default: 16384)")
    parser.add_argument("--rate", metavar="R", type=_rate, default=1e-3, help="learning rate at first (default: 0.001)")
    cores = os.cpu_count() or 1
    parser.add_argument("--threads", metavar="N", type=positive, default=cores, help=f"(default: {cores})")
    refine = "learn what the evaluation made by hand is off by, and add to it (best where records are few)"
    parser.add_argument("--refine", action="store_true", help=refine)
    base = "a network of the game to go on from; it settles the width, the outputs, the scale, and what is refined"
    parser.add_argument("--base", metavar="NET", type=Path, help=base)
    parser.add_argument("--seed", metavar="N", type=positive, default=1, help="(default: 1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn; the last lines say how well the network does on games that were held out."""
    variant = variants.by_key(args.variant)
    try:
        for path in args.records:
            if read_header(path).variant is not variant:
                raise RecordsError(f"{path}: records of {read_header(path).variant.key}, not of {variant.key}")
        made = _make(args)
    except (RecordsError, NetworkError) as error:
        raise CommandFailed(str(error), USAGE) from error
    except OSError as error:
        raise CommandFailed(f"{error.filename or args.out}: {error.strerror}") from error
    print(f"games held out: loss {made.held_out_loss:.5f}, by hand {made.hand_loss:.5f}")
    print(f"in whole numbers: loss {made.whole_number_loss:.5f}, mean difference {made.rounding_cp:.2f} cp")
    return OK


def _make(args: argparse.Namespace) -> Any:
    try:
        from bot.search.training import learning, making
    except ImportError as error:
        raise CommandFailed(MISSING.format(name=error.name)) from error
    settled = [f"--{name}" for name in ("width", "heads", "scale", "refine") if args.base and getattr(args, name)]
    if settled:
        raise CommandFailed(f"the base settles that: leave out {', '.join(settled)}", USAGE)
    base = args.base and netfile.read(args.base)
    recipe = learning.Recipe(
        width=args.width or (128 if _positions(args.records) >= 3_000_000 else 64),
        heads=args.heads or 4,
        scale_cp=args.scale or 300,
        score_share=args.score_share,
        epochs=args.epochs,
        batch=args.batch,
        rate=args.rate,
        seed=args.seed,
        refine=args.refine,
    )
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("epochs", total=recipe.epochs)

        def tell(epoch: learning.Epoch) -> None:
            progress.update(task, completed=epoch.number)
            losses = f"loss {epoch.loss:.5f}, games held out {epoch.held_out_loss:.5f}"
            print(f"epoch {epoch.number:3}: {losses}, {epoch.positions_per_s:.0f} positions/s", flush=True)

        try:
            made = making.make(args.records, args.out, recipe, args.threads, origin(), tell, base)
        except learning.LearningFailed as error:
            raise CommandFailed(str(error)) from error
    making.draw(made, args.out.with_name(args.out.name + ".png"))
    return made


def _positions(paths: list[Path]) -> int:
    from bot.search.training.packing import Layout

    return sum(path.stat().st_size // Layout(read_header(path).variant).size for path in paths)


def _scale(text: str) -> int:
    scale = positive(text)
    if scale > netfile.MOST_SCALE_CP:
        raise argparse.ArgumentTypeError(f"{text} is more than {netfile.MOST_SCALE_CP}")
    return scale


def _rate(text: str) -> float:
    rate = float(text)
    if not 0 < rate <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1")
    return rate


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return share
