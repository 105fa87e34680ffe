"""What an operator may decide: strict, frozen values with their defaults."""

from __future__ import annotations

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr

from bot.config.acceptance import Acceptance, Audience, Bots, Citizenship, CoolOff, Humans, Queue, SlowGames, Span
from bot.config.chat import Chat
from bot.config.company import Names, PlayerLists
from bot.config.conduct import Conduct, Draws, OpponentStart, Resignation, Takebacks, Variety
from bot.config.operation import Local, Log, Network, Shutdown, Watch
from bot.config.play import GameStrength, SearchLimits, Strength, Timing
from bot.config.section import ConfigError, NoToken, Section, Speed, VariantKey, suggestion
from bot.config.sources import Source

__all__ = [
    "Acceptance",
    "Audience",
    "Bots",
    "Chat",
    "Citizenship",
    "Conduct",
    "Config",
    "ConfigError",
    "CoolOff",
    "Draws",
    "GameStrength",
    "Humans",
    "Local",
    "Log",
    "Names",
    "Network",
    "NoToken",
    "OpponentStart",
    "PlayerLists",
    "Queue",
    "Resignation",
    "SearchLimits",
    "Section",
    "Shutdown",
    "SlowGames",
    "Source",
    "Span",
    "Speed",
    "Strength",
    "Takebacks",
    "Timing",
    "Variety",
    "VariantKey",
    "Watch",
    "suggestion",
]


def _safe_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("not an address") from None
    if parts.scheme not in ("http", "https") or not host or parts.path not in ("", "/") or parts.query:
        raise ValueError("an address is https://HOST, perhaps with :PORT, and nothing after it")
    if parts.username is not None or any(letter.isspace() for letter in url):
        raise ValueError("an address has no blanks and no name or password in it")
    if parts.scheme == "http" and not _is_near(host):
        raise ValueError("the token would travel unencrypted: use https")
    return url


def _is_near(host: str) -> bool:
    """Whether it is this machine or one of its own network."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host


class Config(Section):
    """Everything an operator may decide."""

    url: Annotated[str, AfterValidator(_safe_address)] = "https://lichess.org"
    token: SecretStr | None = None
    token_file: str | None = None
    data: str | None = None
    contact: str | None = None
    log: Log = Log()
    accept: Acceptance = Acceptance()
    citizenship: Citizenship = Citizenship()
    lists: PlayerLists = PlayerLists()
    strength: Strength = Strength()
    sources: tuple[Source, ...] = ()
    timing: Timing = Timing()
    conduct: Conduct = Conduct()
    chat: Chat = Chat()
    network: Network = Network()
    shutdown: Shutdown = Shutdown()
    watch: Watch = Watch()
    local: Local = Local()
