"""`centella run`: play on Lichess, or on any site that speaks its API."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final
from urllib.parse import urlsplit

from bot import configfile
from bot.commands import local
from bot.commands.options import add_config
from bot.commands.playing import Seat, play
from bot.config import NoToken
from bot.lichess import Lichess
from bot.logs import logging_to

LICHESS_HOST: Final = "lichess.org"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    purpose = "Play on Lichess until a signal or a command comes. SIGHUP reads the configuration anew."
    parser = subparsers.add_parser("run", help="play on Lichess", description=purpose)
    add_config(parser)
    parser.add_argument("--or-local", action="store_true", help="without a token, play on a local board instead")
    parser.add_argument("--console", action="store_true", help="take commands from the terminal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until a signal or a command comes."""
    loaded = configfile.load(args.config)
    try:
        token = configfile.find_token(loaded, os.environ).get_secret_value()
    except NoToken as error:
        if not args.or_local:
            raise
        print(f"centella: {error}. Until then, here is a board on this machine:", file=sys.stderr, flush=True)
        return local.play_locally(lambda: configfile.load(args.config), args.data, console=args.console)
    config, folder = loaded.config, configfile.prepared_data_folder(args.data, loaded)
    host = urlsplit(config.url).hostname or ""
    with logging_to(folder, config.log, [token], echo=True):
        lichess = Lichess(config.url, token, config.network, contact=config.contact)
        seat = Seat("", config, lichess, "lichess" if host == LICHESS_HOST else host)
        return play([seat], config, folder, lambda: {"": configfile.load(args.config).config}, console=args.console)
