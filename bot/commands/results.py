"""`centella results`: the games played, for people or for programs."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from rich.console import Console

from bot import configfile
from bot.commands import OK
from bot.commands.options import add_config
from bot.records.database import FILE_NAME, Records
from bot.records.game import GameRecord
from bot.records.report import as_json, as_table, summary

PIPE_COLUMNS: Final = 200


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser("results", help="show the games played", description="Show the games played.")
    parser.add_argument("--json", action="store_true", help="one JSON array instead of a table")
    parser.add_argument("--all", action="store_true", help="also games without a result, such as aborted ones")
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the records."""
    loaded = configfile.load(args.config)
    folder = configfile.data_folder(args.data, loaded, os.environ)
    records: list[GameRecord] = []
    if (folder / FILE_NAME).exists():
        with Records(folder) as database:
            records = [record for record in database.ended_games() if args.all or record.counts]
    if args.json:
        print(as_json(records))
        return OK
    # in a pipe or a file, a line is as long as it needs to be
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else PIPE_COLUMNS)
    if records:
        console.print(as_table(records))
    console.print(summary(records) if records else "No games yet.")
    return OK
