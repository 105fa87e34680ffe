"""`centella run`: play on Lichess, or on any site that speaks its API."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from bot import configfile
from bot.commands import local
from bot.commands.options import add_config
from bot.commands.playing import Seat, play
from bot.commands.signals import Signals
from bot.config import Config, NoToken
from bot.gate import Gates
from bot.lichess import Lichess
from bot.logs import logging_to
from bot.records.database import Records

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
        tokens = configfile.find_tokens(loaded, os.environ)
    except NoToken as error:
        if not args.or_local:
            raise
        problem = "; ".join(error.problems)
        print(f"centella: {problem}. Until then, here is a board on this machine:", file=sys.stderr, flush=True)
        return local.play_locally(lambda: configfile.load(args.config), args.data, console=args.console)
    folder = configfile.prepared_data_folder(args.data, loaded)
    secrets = {name: token.get_secret_value() for name, token in tokens.items()}
    log = logging_to(folder, loaded.config.log, secrets.values(), echo=True)
    with log, Signals() as signals, Records(folder) as records:
        seats = _seats(configfile.configs(loaded), secrets)

        def reread() -> dict[str, Config]:
            return configfile.configs(configfile.load(args.config))

        return play(seats, loaded.config, records, signals, reread, console=args.console)


def _seats(configs: Mapping[str, Config], tokens: Mapping[str, str]) -> list[Seat]:
    gates = Gates(time.monotonic)
    seats = []
    for name, config in configs.items():
        host = urlsplit(config.url).hostname or ""
        lichess = Lichess(config.url, tokens[name], config.network, contact=config.contact, gates=gates)
        seats.append(Seat(name, config, lichess, "lichess" if host == LICHESS_HOST else host))
    return seats
