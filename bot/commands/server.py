"""`centella server`: the local Lichess by itself, for any bot or person to play on."""
from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Final

from bot import configfile
from bot.commands import OK, USAGE, CommandFailed
from bot.commands.administration import add_subcommands
from bot.commands.exposure import add_exposure, exposed, warn_of_strangers
from bot.commands.options import add_config
from bot.server.app import create_app
from bot.server.running import bind, serve
from bot.server.settings import ServerSettings
from bot.server.site import Site
from bot.server.users import ADMIN_SCOPE, PERSON_SCOPES

_ADMIN_MADE: Final = "admin_made"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    usual = ServerSettings()
    parser = subparsers.add_parser("server", help="run the local Lichess-compatible server")
    parser.add_argument("--host", default=usual.host, help=f"address to listen on (default {usual.host})")
    parser.add_argument("--port", type=_port, default=usual.port, help=f"port, 0 for any (default {usual.port})")
    parser.add_argument(
        "--fault",
        metavar="SPEC",
        action="append",
        default=[],
        help="something that shall go wrong, KIND[=VALUE]@[USER]/PATH[#TIMES][%%PERCENT]; may be given several times",
    )
    parser.add_argument("--fault-seed", type=int, metavar="N", default=0, help="decides faults that come by chance")
    parser.add_argument(
        "--mint", metavar="NAME", nargs="+", default=[], help="make bot accounts and print a token for each"
    )
    parser.add_argument("--memory", action="store_true", help="keep nothing: games and accounts end with the server")
    parser.add_argument(
        "--rook-castling", action="store_true", help="write castling as king takes rook (e1h1) in standard chess too"
    )
    add_exposure(parser)
    add_config(parser)
    parser.set_defaults(run=run)
    add_subcommands(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal comes."""
    folder = None if args.memory else configfile.prepared_data_folder(args.data, configfile.load(args.config))
    settings = ServerSettings(
        host=args.host, port=args.port, data=folder, rook_castling=args.rook_castling, fault_seed=args.fault_seed
    )
    settings = exposed(settings, args)
    try:
        listener = bind(settings.host, settings.port)
    except OSError as error:
        raise CommandFailed(f"cannot listen on {settings.url}: {error.strerror or error}") from None
    with listener:
        settings = replace(settings, port=listener.getsockname()[1])
        warn_of_strangers(settings)
        app = create_app(settings)
        lines = [f"Local Lichess (not affiliated with lichess.org) at {settings.url}"]
        try:
            for spec in args.fault:
                app.state.faults.add(spec)
            lines += [f"token of {name}: {_mint(app.state.site, name)}" for name in args.mint]
            lines += _first_admin(app.state.site)
        except ValueError as error:
            raise CommandFailed(str(error), USAGE) from None
        print("\n".join(lines), flush=True)
        serve(app, listener)
    return OK


def _mint(site: Site, name: str) -> str:
    return site.users.mint(site.users.ensure(name, site.now_ms(), bot=True), None, site.now_ms())


def _first_admin(site: Site) -> list[str]:
    """What to say of the administrator's token: it is made, and told, once in the life of a database."""
    if site.store.database.fact(_ADMIN_MADE) is not None:
        return []
    with site.store.database.transaction():
        admin = site.users.administrator(site.now_ms())
        token = site.users.mint(admin, PERSON_SCOPES | {ADMIN_SCOPE}, site.now_ms())
        site.store.database.set_fact(_ADMIN_MADE, "yes")
    return [f"token of the administrator, told only this once: {token}"]


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else -1
    if not 0 <= port <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return port

