"""Who can reach the local server: options for one that others use too, and a warning when strangers could."""

from __future__ import annotations

import argparse
import ipaddress
import sys
from dataclasses import replace
from urllib.parse import urlsplit

from bot.server.quotas import SHARED_LIMITS, UNLIMITED, Limits, limits_named
from bot.server.settings import ServerSettings


def add_exposure(parser: argparse.ArgumentParser) -> None:
    """The options of a server beyond this machine."""
    parser.add_argument("--public-url", metavar="URL", type=_url, help="the address that people use (behind a proxy)")
    parser.add_argument(
        "--allow-host", metavar="NAME", action="append", default=[], help="a name by which the server may be asked for"
    )
    parser.add_argument(
        "--trust-proxy",
        metavar="ADDRESS",
        type=_address,
        action="append",
        default=[],
        help="a proxy that is believed when it says for whom it asks (X-Forwarded-For, X-Forwarded-Proto)",
    )
    parser.add_argument(
        "--limits",
        metavar="NAMES",
        type=_limits,
        help="off, shared, lichess or single limits (default: off on this machine, shared beyond it)",
    )


def exposed(settings: ServerSettings, args: argparse.Namespace) -> ServerSettings:
    """The settings with what these options ask for."""
    alone = is_loopback(settings.host) and not args.trust_proxy
    return replace(
        settings,
        public_url=args.public_url,
        allowed_hosts=tuple(args.allow_host),
        trusted_proxies=tuple(args.trust_proxy),
        limits=args.limits or (UNLIMITED if alone else SHARED_LIMITS),
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def warn_of_strangers(settings: ServerSettings) -> None:
    """Say on the error output that others can reach the server, if they can."""
    if not is_loopback(settings.host):
        print(
            f"centella: warning: everyone who can reach {settings.host} port {settings.port} can play here as a guest,"
            " and nothing is encrypted; docs/local-lichess.md tells how to put a proxy before it",
            file=sys.stderr,
            flush=True,
        )


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address such as https://chess.example")
    return text


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text) if "/" in text else ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not the address of a proxy") from None


def _limits(text: str) -> Limits:
    try:
        return limits_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
