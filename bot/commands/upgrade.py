"""`centella upgrade`: makes an account a bot account, once everything speaks for it and somebody has said so."""

from __future__ import annotations

import argparse
import os
from typing import Final

from bot import configfile, wire
from bot.commands import FAILED, OK, CommandFailed
from bot.commands.options import add_config
from bot.lichess import Lichess
from bot.transport import LichessError, Refused, Unauthorized

SCOPE: Final = "bot:play"
MANAGED: Final = 404


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    purpose = "Make the account of the token a bot account. This cannot be undone."
    parser = subparsers.add_parser("upgrade", help="make the account a bot account, for good", description=purpose)
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Upgrade the account."""
    loaded = configfile.load(args.config)
    config, token = loaded.config, configfile.find_token(loaded, os.environ).get_secret_value()
    lichess = Lichess(config.url, token, config.network, contact=config.contact)
    try:
        account = lichess.account()
        if account.is_bot:
            print(f"{account.username} is a bot account of {lichess.url} already.")
            return OK
        _check(lichess, account)
        if not (args.yes or _confirmed(lichess, account)):
            print("Not confirmed: nothing was changed.")
            return FAILED
        _upgrade(lichess, account)
    except Unauthorized as error:
        raise CommandFailed(f"{lichess.url} does not accept the token: {error}") from None
    except (LichessError, wire.MalformedMessage) as error:
        raise CommandFailed(f"{lichess.url} cannot be used: {error}") from None
    print(f"{account.username} is a bot account of {lichess.url} now.")
    return OK


def _check(lichess: Lichess, account: wire.Account) -> None:
    """Raises CommandFailed when the site would refuse, or the operator would be sorry."""
    name, played = account.username, account.count.all
    if account.disabled or account.tos_violation:
        raise CommandFailed(f"the account {name} is closed or marked by {lichess.url}")
    if account.title is not None:
        raise CommandFailed(f"{name} has the title {account.title}, and would lose it: make a new account for the bot")
    if played:
        games = "a game" if played == 1 else f"{played} games"
        raise CommandFailed(f"{name} has played {games}, so it never can be a bot account: make a new one")
    scopes = lichess.scopes()
    if scopes is None or SCOPE not in scopes:
        raise CommandFailed(f"the token has not got the scope {SCOPE}: {configfile.TOKEN_HELP}")


def _confirmed(lichess: Lichess, account: wire.Account) -> bool:
    """Whether a person at the terminal has said so, by the account's name."""
    print(f"This makes {account.username} on {lichess.url} a bot account, for good: it will play by programs only,")
    print("against whom it accepts or challenges, and it leaves its tournaments. This cannot be undone.")
    try:
        answer = input("Type the name of the account to go on: ")
    except EOFError:
        return False
    return answer.strip().lower() == account.username.lower()


def _upgrade(lichess: Lichess, account: wire.Account) -> None:
    try:
        lichess.upgrade()
    except Refused as error:
        if error.status == MANAGED:
            raise CommandFailed(f"{account.username} is managed by somebody else: {error}") from None
        raise CommandFailed(f"{lichess.url} refuses: {error}") from None
    except LichessError as error:
        # perhaps it was done and the answer was lost
        if not lichess.account().is_bot:
            raise CommandFailed(f"{lichess.url} did not do it: {error}") from None
