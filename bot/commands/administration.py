"""`centella server user|token|game …`: what an administrator does to the server's database, also while it runs."""
from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from rich.console import Console
from rich.table import Table

from bot import configfile
from bot.commands import OK, USAGE, CommandFailed
from bot.commands.options import add_config
from bot.server.accounts import Accounts
from bot.server.store import Store
from bot.server.store.database import FILE_NAME, Database
from bot.server.store.listing import listed_games
from bot.server.users import SCOPES, User

Action = Callable[[Store, argparse.Namespace], int]
_MOST_GAMES: Final = 50


def add_subcommands(parser: argparse.ArgumentParser) -> None:
    """Add `user`, `token` and `game` to the server's parser."""
    things = parser.add_subparsers(metavar="user|token|game", title="administration")
    user = _thing(things, "user", "accounts")
    added = _action(user, "add", "make an account and print a token for it", _add_user, begins=True)
    added.add_argument("name", metavar="NAME")
    added.add_argument("--bot", action="store_true", help="a bot account instead of a person's")
    _action(user, "list", "show all accounts", _list_users)
    _action(user, "delete", "forget an account and its tokens; its games stay", _delete_user).add_argument(
        "name", metavar="NAME"
    )
    token = _thing(things, "token", "tokens of accounts")
    minted = _action(token, "add", "print a new token for an account", _add_token)
    minted.add_argument("name", metavar="NAME")
    minted.add_argument("--scope", metavar="SCOPE", action="append", help="in place of those it needs to play")
    _action(token, "list", "show whose tokens there are", _list_tokens)
    _action(token, "revoke", "make a token worthless", _revoke_token).add_argument("id", metavar="ID")
    game = _thing(things, "game", "games")
    listed = _action(game, "list", "show the latest games", _list_games)
    listed.add_argument("--all", action="store_true", help=f"every game, not only the latest {_MOST_GAMES}")
    _action(game, "delete", "forget a game that is over", _delete_game).add_argument("id", metavar="ID")


def _thing(
    things: argparse._SubParsersAction[argparse.ArgumentParser], name: str, purpose: str
) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    parser = things.add_parser(name, help=purpose, description=f"Administer the {purpose} of the local Lichess.")
    return parser.add_subparsers(metavar="ACTION", required=True)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    purpose: str,
    action: Action,
    *,
    begins: bool = False,
) -> argparse.ArgumentParser:
    """An action; only one that `begins` makes the database if there is none."""
    parser = actions.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
    # Not given here, they may still have been given to `server` itself.
    add_config(parser, default=argparse.SUPPRESS)
    parser.set_defaults(run=lambda args: _run(args, action, begins=begins))
    return parser


def _run(args: argparse.Namespace, action: Action, *, begins: bool) -> int:
    loaded = configfile.load(args.config)
    folder = configfile.data_folder(args.data, loaded, os.environ)
    if begins:
        folder = configfile.prepared_data_folder(args.data, loaded)
    elif not (folder / FILE_NAME).exists():
        raise CommandFailed(f"{folder / FILE_NAME}: not there: no server has kept anything in that folder")
    database = Database(folder)
    try:
        return action(Store.over(database), args)
    finally:
        database.close()


def _accounts(store: Store) -> Accounts:
    return Accounts(random.SystemRandom(), store.accounts)


def _now_ms() -> int:
    return int(time.time() * 1000)


def _user_named(accounts: Accounts, name: str) -> User:
    user = accounts.find(name)
    if user is None:
        raise CommandFailed(f"there is no account {name!r}")
    return user


def _add_user(store: Store, args: argparse.Namespace) -> int:
    accounts = _accounts(store)
    try:
        with store.database.transaction():
            user = accounts.add(args.name, _now_ms(), bot=args.bot)
            token = accounts.mint(user, None, _now_ms())
    except ValueError as error:
        raise CommandFailed(str(error), USAGE) from None
    print(f"token of {user.name}: {token}")
    return OK


def _list_users(store: Store, args: argparse.Namespace) -> int:
    table = _table("Name", "Kind", "Since", "Games", "Ratings")
    for user in _accounts(store):
        kind = "bot" if user.is_bot else "guest" if user.guest else "person"
        perfs = ", ".join(f"{key} {user.rating(key)}" for key in sorted(user.perfs))
        table.add_row(user.name, kind, _day(user.created_at_ms), str(user.tally.played), perfs)
    return _show(table)


def _delete_user(store: Store, args: argparse.Namespace) -> int:
    with store.database.transaction():
        user = _user_named(_accounts(store), args.name)
        for game in store.games.running():
            if user.id in (seat.user_id for seat in game.setting.seats):
                raise CommandFailed(f"{user.name} is playing the game {game.id}: that must be over first")
        store.accounts.drop_user(user.id)
    return OK


def _add_token(store: Store, args: argparse.Namespace) -> int:
    accounts = _accounts(store)
    user = _user_named(accounts, args.name)
    scopes = frozenset(args.scope) if args.scope else None
    for scope in sorted((scopes or frozenset()) - SCOPES):
        raise CommandFailed(f"{scope!r} is not a scope: there are {', '.join(sorted(SCOPES))}", USAGE)
    print(f"token of {user.name}: {accounts.mint(user, scopes, _now_ms())}")
    return OK


def _list_tokens(store: Store, args: argparse.Namespace) -> int:
    table = _table("Id", "Account", "Since", "Scopes")
    for grant in store.accounts.grants():
        table.add_row(grant.id, grant.user_id, _day(grant.created_at_ms), " ".join(sorted(grant.scopes)))
    return _show(table)


def _revoke_token(store: Store, args: argparse.Namespace) -> int:
    if not store.accounts.drop_grant(args.id):
        raise CommandFailed(f"there is no token {args.id!r}: `centella server token list` shows their ids")
    return OK


def _list_games(store: Store, args: argparse.Namespace) -> int:
    table = _table("Id", "Begun", "Variant", "White", "Black", "Status", "Winner", "Plies")
    for game in listed_games(store.database, None if args.all else _MOST_GAMES):
        table.add_row(
            game.id, _day(game.created_at_ms), game.variant, game.white, game.black, game.status, game.winner or "-",
            str(game.plies),
        )  # fmt: skip
    return _show(table)


def _delete_game(store: Store, args: argparse.Namespace) -> int:
    with store.database.transaction():
        if store.games.is_running(args.id):
            raise CommandFailed(f"the game {args.id} is being played: have a player abort or resign it first")
        if not store.games.drop(args.id):
            raise CommandFailed(f"there is no game {args.id!r}")
    return OK


def _table(*titles: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in titles:
        table.add_column(title, justify="right" if title in ("Games", "Plies") else "left", overflow="fold")
    return table


def _show(table: Table) -> int:
    Console(highlight=False, markup=False).print(table)
    return OK


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
