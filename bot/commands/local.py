"""`centella local`: a Lichess on this machine, with the bot waiting on it for a person to play."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot import configfile
from bot.commands import CommandFailed
from bot.commands.options import add_config
from bot.commands.playing import play
from bot.config import Config
from bot.configfile import Loaded
from bot.lichess import Lichess
from bot.logs import logging_to
from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings

BOT_NAME: Final = "centella"
SOURCE: Final = "local"
EVERY_ADDRESS: Final = ("0.0.0.0", "::")
A_PERSON_MAY_WAIT_S: Final = 3600.0


@dataclass(frozen=True)
class LocalOptions:
    """Where the board is served, and how long the bot thinks (None: as configured)."""

    host: str = "127.0.0.1"
    port: int = 8080
    browser: bool = True
    think_ms: int | None = None


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    usual = LocalOptions()
    purpose = "Serve a board on this machine and play on it until a signal comes."
    parser = subparsers.add_parser("local", help="play on a local board in the browser", description=purpose)
    parser.add_argument("--host", default=usual.host, help=f"address to listen on (default {usual.host})")
    parser.add_argument("--port", type=_port, default=usual.port, help=f"port, 0 for any (default {usual.port})")
    parser.add_argument("--no-browser", action="store_true", help="do not open the board in the browser")
    parser.add_argument("--think-ms", metavar="MS", type=_milliseconds, help="at most this for a move (default 1000)")
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve and play until a signal comes."""
    options = LocalOptions(args.host, args.port, not args.no_browser, args.think_ms)
    return play_locally(options, configfile.load(args.config), args.data)


def play_locally(options: LocalOptions, loaded: Loaded, data: str | None) -> int:
    """Serve and play until a signal comes."""
    folder = configfile.prepared_data_folder(data, loaded)
    config = _at_home(loaded.config, options.think_ms)
    with logging_to(folder, config.log, [], echo=False), _server(options) as server:
        token = server.mint(BOT_NAME)
        url = server.url
        for address in EVERY_ADDRESS:
            url = url.replace(f"//{address}:", "//127.0.0.1:").replace(f"//[{address}]:", "//[::1]:")
        print(f"Play against {BOT_NAME} at {url} (not affiliated with lichess.org; Ctrl-C stops it)", flush=True)
        if options.browser and _has_screen(os.environ):
            webbrowser.open(url)
        return play(config, Lichess(url, token, config.network), folder, SOURCE)


def _server(options: LocalOptions) -> LocalLichess:
    settings = ServerSettings(host=options.host, port=options.port)
    try:
        return LocalLichess(settings)
    except OSError as error:
        raise CommandFailed(f"cannot listen on {settings.url}: {error.strerror or error}") from None


def _at_home(config: Config, think_ms: int | None) -> Config:
    """The configuration for a board at home: quick answers, a patient bot, and no waiting at the end."""
    think_ms = think_ms or config.local.think_ms
    strength = config.strength
    common = strength.limits.model_copy(update={"time_ms": min(think_ms, strength.limits.time_ms or think_ms)})
    games = {}
    for key, own in strength.variants.items():
        limits = own.limits.model_copy(update={"time_ms": min(think_ms, own.limits.time_ms or think_ms)})
        games[key] = own.model_copy(update={"limits": limits})
    patience = config.conduct.abort_after.model_copy(update={"humans_s": A_PERSON_MAY_WAIT_S})
    return config.model_copy(
        update={
            "strength": strength.model_copy(update={"limits": common, "variants": games}),
            "conduct": config.conduct.model_copy(update={"abort_after": patience}),
            "shutdown": config.shutdown.model_copy(update={"finish_games_s": 0.0}),
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
