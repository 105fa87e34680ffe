"""`centella health`: whether the bot that runs with the same data folder is well; for a container's health check."""

from __future__ import annotations

import argparse
import os
from typing import Final

from bot import configfile
from bot.commands import OK, CommandFailed
from bot.commands.options import add_config
from bot.operation.control import NobodyThere, ask

WITHIN_S: Final = 10.0


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    purpose = "Exit 0 when the bot that runs with the same data folder is well, 1 when it is not or none runs."
    parser = subparsers.add_parser("health", help="whether the running bot is well", description=purpose)
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, and say it."""
    folder = configfile.data_folder(args.data, configfile.load(args.config), os.environ)
    try:
        reply = ask(folder, ["health"], WITHIN_S)
    except NobodyThere as error:
        raise CommandFailed(str(error)) from None
    if not reply.ok:
        raise CommandFailed(reply.text)
    print(reply.text)
    return OK
