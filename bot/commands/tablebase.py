"""`centella tablebase`: end-game tables, made, kept, verified and summed up."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from bot import configfile
from bot.commands import OK, USAGE, CommandFailed
from bot.commands.options import add_config
from bot.search.tablebase.files import Table
from bot.search.tablebase.generation import PARTS, Library, NoTables, WrongTable
from bot.search.tablebase.material import FEWEST_MEN, MOST_MEN, Material, all_materials
from bot.search.tablebase.solver import EndlessTable
from rules import variants

FOLDER_NAME = "tablebases"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    text = "Make the end-game tables of a game: all with three men, and those of pieces alone with four."
    parser = subparsers.add_parser("tablebase", help="make end-game tables", description=text)
    parser.add_argument("variant", metavar="V", help="the game's key")
    parser.add_argument("--men", type=int, choices=range(FEWEST_MEN, MOST_MEN + 1), required=True, help="up to so many")
    parser.add_argument("--out", metavar="DIR", type=Path, help=f"where to (default: {FOLDER_NAME} in the data folder)")
    parser.add_argument("--verify", action="store_true", help="hold every value against the moves of its position")
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the tables that are missing, and print what all of them say."""
    variant = variants.by_key(args.variant)
    folder = args.out or configfile.data_folder(args.data, configfile.load(args.config), os.environ) / FOLDER_NAME
    materials = all_materials(args.men)
    try:
        library = Library(variant, folder)
        tables = _make(library, materials)
        if args.verify:
            _verify(library, materials, tables)
    except NoTables as error:
        raise CommandFailed(str(error), USAGE) from None
    except (EndlessTable, WrongTable) as error:
        raise CommandFailed(str(error)) from None
    except OSError as error:
        raise CommandFailed(f"{error.filename or folder}: {error.strerror}") from None
    for material, table in zip(materials, tables, strict=True):
        _print_summary(library, material, table)
    return OK


def _progress() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True))


def _make(library: Library, materials: tuple[Material, ...]) -> list[Table]:
    tables = []
    with _progress() as progress:
        task = progress.add_task("", total=len(materials))
        for material in materials:
            progress.update(task, description=f"Making {material.name}")
            tables.append(library.keep_or_make(material, _Distance(progress, task, material)))
            progress.advance(task)
        progress.update(task, description="Made")
    return tables


class _Distance:
    """Shows how far the making of a table has come."""

    def __init__(self, progress: Progress, task: TaskID, material: Material) -> None:
        self._progress = progress
        self._task = task
        self._material = material

    def __call__(self, plies: int) -> None:
        self._progress.update(self._task, description=f"Making {self._material.name}, {plies} plies")


def _verify(library: Library, materials: tuple[Material, ...], tables: list[Table]) -> None:
    with _progress() as progress:
        task = progress.add_task("", total=len(materials) * PARTS)
        for material, table in zip(materials, tables, strict=True):
            progress.update(task, description=f"Verifying {material.name}")
            for _ in library.verify(material, table):
                progress.advance(task)
        progress.update(task, description="Verified")


def _print_summary(library: Library, material: Material, table: Table) -> None:
    for side, tally in zip(("White", "Black"), table.tallies, strict=True):
        total = max(1, tally.won + tally.drawn + tally.lost)
        shares = ", ".join(
            f"{count / total:.2%} {word}"
            for count, word in ((tally.won, "won"), (tally.drawn, "drawn"), (tally.lost, "lost"))
        )
        longest = ""
        if tally.longest_plies:
            position = library.tablebase.position_at(material.types, tally.longest_number)
            longest = f"; longest win {tally.longest_plies} plies: {position.fen()}"
        print(f"{material.name} {side} to move: {shares}{longest}")
