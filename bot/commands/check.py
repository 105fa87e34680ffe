"""`centella check`: whether the bot could play as it is configured, and in plain words what it would accept."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Sequence
from typing import Final

from bot import announcement, configfile, proving, wire
from bot.commands import FAILED, OK, USAGE, CommandFailed
from bot.commands.options import add_config
from bot.commands.playing import accepted_games, playable_account
from bot.config import Config, ConfigError
from bot.configfile import Loaded
from bot.gate import Gates
from bot.lichess import Lichess
from bot.sources.opening import Means, open_sources
from bot.transport import LichessError
from rules import variants

SCOPE: Final = "bot:play"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    purpose = (
        "Check the configuration, the token, the account and every game that is accepted, and print what would be "
        "accepted. The exit code is 0 when the bot could play, 1 when it could not, 2 when the configuration or the "
        "token is wrong."
    )
    parser = subparsers.add_parser("check", help="whether the bot could play, and what it accepts", description=purpose)
    parser.add_argument("--offline", action="store_true", help="ask the site nothing")
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check everything, and say it."""
    loaded = configfile.load(args.config)
    folder = configfile.data_folder(args.data, loaded, os.environ)
    print(f"configuration: in order; games and log in {folder}")
    gates, chance, code = Gates(time.monotonic), random.Random(), OK
    for name, config in configfile.configs(loaded).items():
        lichess = Lichess(config.url, _token(loaded, name, args.offline), config.network, gates=gates)
        print(f"{name or 'the account'} on {lichess.url}:")
        if _shown(_source_problems(config, Means(folder, lichess.session_to, chance, time.monotonic))):
            code = USAGE
        elif _shown(_game_problems(config)) or _shown([] if args.offline else _account_problems(lichess)):
            code = max(code, FAILED)
        for line in announcement.lines(config):
            print(f"  {line}")
    return code


def _token(loaded: Loaded, name: str, offline: bool) -> str | None:
    return None if offline else configfile.find_token(loaded, os.environ, name).get_secret_value()


def _shown(problems: Sequence[str]) -> Sequence[str]:
    for problem in problems:
        sys.stdout.flush()
        print(f"centella: {problem}", file=sys.stderr, flush=True)
    return problems


def _account_problems(lichess: Lichess) -> list[str]:
    """What is wrong with the token and its account; what is right is printed."""
    try:
        scopes = lichess.scopes()
        if scopes is not None:
            print(f"  token: known, with {', '.join(sorted(scopes)) or 'no scopes'}")
        account = playable_account(lichess)
    except CommandFailed as error:
        return [str(error)]
    except (LichessError, wire.MalformedMessage) as error:
        return [f"{lichess.url} cannot be used: {error}"]
    print(f"  account: {account.username}, a bot account, {account.count.all} games played")
    return [] if scopes and SCOPE in scopes else [f"the token has not got the scope {SCOPE}: {configfile.TOKEN_HELP}"]


def _source_problems(config: Config, means: Means) -> Sequence[str]:
    try:
        open_sources(config.sources, means).close()
    except ConfigError as error:
        return error.problems
    if config.sources:
        print(f"  moves before the search: {', '.join(source.kind for source in config.sources)}")
    return []


def _game_problems(config: Config) -> list[str]:
    keys = accepted_games(config)
    problems = proving.unplayable(keys, config.strength.network, config.strength.tables)
    if not problems:
        names = ", ".join(variant.name for variant in variants.ALL if variant.key in keys)
        print(f"  proved to be playable: {names or 'nothing is accepted'}")
    return problems
