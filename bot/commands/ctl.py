"""`centella ctl`: tells the running bot what to do."""

from __future__ import annotations

import argparse
import json
import os

from bot import configfile
from bot.commands import FAILED, OK, CommandFailed
from bot.commands.options import add_config
from bot.operation.control import NobodyThere, ask
from bot.operation.help import HELP


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    purpose = "Tell the bot that runs with the same data folder what to do."
    known = "commands: " + "; ".join(f"{name} - {what}" for name, what in HELP.items())
    parser = subparsers.add_parser("ctl", help="tell the running bot what to do", description=purpose, epilog=known)
    parser.add_argument("words", metavar="COMMAND", nargs="+", help="what to do, and with what")
    parser.add_argument("--json", action="store_true", help="the answer as JSON")
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, and print the answer."""
    folder = configfile.data_folder(args.data, configfile.load(args.config), os.environ)
    try:
        reply = ask(folder, args.words)
    except NobodyThere as error:
        raise CommandFailed(str(error)) from None
    if args.json:
        print(json.dumps({"ok": reply.ok, "text": reply.text} if reply.value is None else reply.value, indent=1))
    elif reply.ok:
        print(reply.text)
    else:
        raise CommandFailed(reply.text)
    return OK if reply.ok else FAILED
