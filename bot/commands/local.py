"""`centella local`: a Lichess on this machine, with the bot waiting on it for a person to play."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from bot import configfile
from bot.commands import OK, CommandFailed
from bot.commands.exposure import is_loopback, warn_of_strangers
from bot.commands.options import add_config
from bot.commands.playing import Seat, play
from bot.commands.signals import Signals
from bot.config import Acceptance, Config, CoolOff, Local
from bot.configfile import Loaded
from bot.lichess import Lichess
from bot.logs import logging_to
from bot.records.database import Records
from bot.server.app import LocalLichess
from bot.server.quotas import SHARED_LIMITS, UNLIMITED
from bot.server.settings import ServerSettings
from bot.server.store.database import StoreError

BOT_NAME: Final = "centella"
SOURCE: Final = "local"
EVERY_ADDRESS: Final = ("0.0.0.0", "::")
# a game that nobody begins holds a place no longer than this, and if the person has left the page than that
A_PERSON_MAY_WAIT_S: Final = 300.0
A_PERSON_MAY_BE_AWAY_MS: Final = 30_000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    usual = Local()
    purpose = "Serve a board on this machine and play on it until a signal comes."
    parser = subparsers.add_parser("local", help="play on a local board in the browser", description=purpose)
    parser.add_argument("--host", metavar="H", help=f"address to listen on (default {usual.host})")
    parser.add_argument("--port", metavar="P", type=_port, help=f"port, 0 for any (default {usual.port})")
    parser.add_argument("--no-browser", action="store_true", help="do not open the board in the browser")
    parser.add_argument(
        "--think-ms", metavar="MS", type=_milliseconds, help=f"at most this for a move (default {usual.think_ms})"
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve and play until a signal comes."""
    wanted = {"host": args.host, "port": args.port, "think_ms": args.think_ms}
    changes: dict[str, object] = {name: value for name, value in wanted.items() if value is not None}
    if args.no_browser:
        changes["browser"] = False

    def load() -> Loaded:
        loaded = configfile.load(args.config)
        local = loaded.config.local.model_copy(update=changes)
        return loaded._replace(config=loaded.config.model_copy(update={"local": local}))

    return play_locally(load, args.data)


def play_locally(load: Callable[[], Loaded], data: str | None, *, console: bool = False) -> int:
    """Serve and play until a signal comes; `load` reads the configuration."""
    loaded = load()
    folder = configfile.prepared_data_folder(data, loaded)
    config = _at_home(loaded.config)
    failures: list[StoreError] = []
    log = logging_to(folder, config.log, [], echo=False)
    with log, Signals() as signals, Records(folder) as records, _server(config.local, folder, failures) as server:
        token = _token(server)
        url = server.url
        for address in EVERY_ADDRESS:
            url = url.replace(f"//{address}:", "//127.0.0.1:").replace(f"//[{address}]:", "//[::1]:")
        print(f"Play against {BOT_NAME} at {url} (not affiliated with lichess.org; Ctrl-C stops it)", flush=True)
        if config.local.browser and _has_screen(os.environ):
            webbrowser.open(url)
        seat = Seat("", config, Lichess(url, token, config.network), SOURCE)
        play([seat], config, records, signals, lambda: {"": _at_home(load().config)}, console=console)
    if failures:
        raise failures[0]
    return OK


def _server(where: Local, folder: Path, failures: list[StoreError]) -> LocalLichess:
    """The server; when it goes down by itself, it says why in `failures` and ends the command by a signal."""

    def on_failure(failure: StoreError) -> None:
        failures.append(failure)
        signal.raise_signal(signal.SIGTERM)

    limits = UNLIMITED if is_loopback(where.host) else SHARED_LIMITS
    settings = ServerSettings(
        host=where.host, port=where.port, data=folder, limits=limits, unbegun_ms=A_PERSON_MAY_BE_AWAY_MS
    )
    try:
        server = LocalLichess(settings, on_failure=on_failure)
    except OSError as error:
        raise CommandFailed(f"cannot listen on {settings.url}: {error.strerror or error}") from None
    warn_of_strangers(server.settings)
    return server


def _token(server: LocalLichess) -> str:
    try:
        return server.mint(BOT_NAME, lasting=False)
    except ValueError as error:
        raise CommandFailed(str(error)) from None


def _at_home(config: Config) -> Config:
    """The configuration for a board at home: quick answers, a patient bot, and no waiting at the end."""
    think_ms, strength = config.local.think_ms, config.strength
    common = strength.limits.model_copy(update={"time_ms": min(think_ms, strength.limits.time_ms or think_ms)})
    games = {}
    for key, own in strength.variants.items():
        limits = own.limits.model_copy(update={"time_ms": min(think_ms, own.limits.time_ms or think_ms)})
        games[key] = own.model_copy(update={"limits": limits})
    patience = config.conduct.abort_after.model_copy(update={"humans_s": A_PERSON_MAY_WAIT_S})
    return config.model_copy(
        update={
            "accept": _among_friends(config.accept),
            "strength": strength.model_copy(update={"limits": common, "variants": games}),
            "conduct": config.conduct.model_copy(update={"abort_after": patience}),
            "shutdown": config.shutdown.model_copy(update={"finish_games_s": 0.0}),
        }
    )


def _among_friends(accept: Acceptance) -> Acceptance:
    """The same games, without the limits that strangers need, and with an eye on every game."""
    free = {"rated_games_a_day": None, "alternate_colors": False, "cool_off": CoolOff(aborts=None)}
    return accept.model_copy(
        update={
            "humans": accept.humans.model_copy(update=free),
            "slow": accept.slow.model_copy(update={"rest_after_s": A_PERSON_MAY_WAIT_S}),
        }
    )


def _has_screen(environment: Mapping[str, str]) -> bool:
    # without a screen a browser of the terminal would start, and take it over
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else -1
    if not 0 <= port <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return port


def _milliseconds(text: str) -> int:
    milliseconds = int(text) if text.isdecimal() else 0
    if milliseconds < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of milliseconds")
    return milliseconds
