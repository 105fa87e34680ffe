"""`centella tune`: fit the weights of a game's hand evaluation to games of our own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.commands import OK, USAGE, CommandFailed
from bot.commands.options import positive
from bot.search.evaluation import for_game
from bot.search.training.records import RecordsError
from rules import variants

if TYPE_CHECKING:
    from bot.search.training.examples import Examples
    from bot.search.training.tuning import Epoch, Recipe, Tuned
    from rules.variant import Variant

    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

LEAST_POSITIONS = 50


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "fit the weights of a game's hand evaluation to games of our own"
    parser = subparsers.add_parser("tune", help=purpose, description=purpose)
    parser.add_argument("variant", metavar="VARIANT", help="the game's key")
    parser.add_argument("--records", metavar="FILE", type=Path, nargs="+", required=True, help="files of records")
    parser.add_argument("--out", metavar="FILE.py", type=Path, required=True, help="the module of weights to write")
    parser.add_argument("--epochs", metavar="N", type=positive, default=400, help="at most (default: 400)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of what is held out and drawn (default: 1)")
    parser.add_argument(
        "--holdout", metavar="P", type=_share, default=0.1, help="share of the games to test on (default: 0.1)"
    )
    parser.add_argument(
        "--positions", metavar="N", type=positive, default=400_000, help="at most, drawn at random (default: 400000)"
    )
    parser.add_argument(
        "--result-share",
        metavar="P",
        type=_share,
        default=0.3,
        help="share of the result in a label, the rest being the search's score (default: 0.3)",
    )
    parser.add_argument(
        "--expected-move",
        metavar="CP",
        type=positive,
        default=20,
        help="centipawns by which weights may well move; the less, the more they are drawn back (default: 20)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Tune; the last line tells the error on games held out before and after."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise CommandFailed("tune: numpy is missing; `pip install 'centella[tune]'` brings it", USAGE) from None
    from bot.search.training import examples
    from bot.search.training.tuning import Recipe

    variant = variants.by_key(args.variant)
    recipe = Recipe(args.epochs, args.result_share, args.expected_move)
    try:
        found = examples.load(args.records, variant, args.positions, args.holdout, args.seed)
    except RecordsError as error:
        raise CommandFailed(str(error), USAGE) from error
    print(f"games {found.games} positions {len(found.positions)} held out {int(found.held_out.sum())}")
    tuned, text = _tune(variant, found, recipe)
    try:
        args.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{args.out}: {error.strerror}") from error
    print(f"weights {len(tuned.changes)} scale {tuned.scale_cp:g} epoch {tuned.after.number} written {args.out}")
    print(f"error {tuned.before.held_out:.6f} -> {tuned.after.held_out:.6f}")
    return OK


def _tune(variant: Variant, found: Examples, recipe: Recipe) -> tuple[Tuned, str]:
    """The outcome, and the module of weights."""
    from bot.search.training.trace import trace, with_changes
    from bot.search.training.tuning import Tuner
    from bot.search.training.weightsfile import module_text

    shared = for_game(variant).evaluation
    table = shared.table()
    # One of our own: the shared one may be judging elsewhere.
    evaluation = type(shared)(table)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tracing = progress.add_task("tracing weights", total=None)
        traced = trace(
            evaluation,
            table,
            found.positions,
            LEAST_POSITIONS,
            lambda done, total: progress.update(tracing, completed=done, total=total),
        )
        tuning = progress.add_task("tuning", total=recipe.epochs)

        def tell(epoch: Epoch) -> None:
            errors = f"{epoch.learnt:.6f} {epoch.held_out:.6f}"
            progress.update(tuning, completed=epoch.number, description=f"tuning {errors}")

        tuned = Tuner(found, traced, recipe).tune(tell)
    docstring = f"{variant.name}: tuned on {found.games} games of our own."
    return tuned, module_text(docstring, with_changes(table, tuned.changes))


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value
