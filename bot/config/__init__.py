"""What an operator may decide: strict, frozen values with their defaults."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr

from bot.config.acceptance import Acceptance, Audience, Bots, Citizenship, CoolOff, Humans, Queue, SlowGames, Span
from bot.config.chat import Chat
from bot.config.company import Arena, Matchmaking, MatchType, Names, PlayerLists, Rematches, Rests, Tournaments
from bot.config.conduct import Conduct, Draws, OpponentStart, Resignation, Takebacks, Variety
from bot.config.operation import Local, Log, Network, Shutdown, Watch
from bot.config.play import GameStrength, SearchLimits, Strength, Timing
from bot.config.section import ConfigError, NoToken, Section, Speed, VariantKey, suggestion
from bot.config.sources import Source

__all__ = [
    "Acceptance",
    "Account",
    "Arena",
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
    "MatchType",
    "Matchmaking",
    "Names",
    "Network",
    "NoToken",
    "OpponentStart",
    "PlayerLists",
    "Queue",
    "Rematches",
    "Resignation",
    "Rests",
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
    "Tournaments",
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


class Account(Section):
    """What may differ from one account to another."""

    url: Annotated[str, AfterValidator(_safe_address)] = "https://lichess.org"
    token: SecretStr | None = None
    token_file: str | None = None
    token_variable: Annotated[str, Field(pattern=r"^\w+$")] | None = None
    accept: Acceptance = Acceptance()
    citizenship: Citizenship = Citizenship()
    lists: PlayerLists = PlayerLists()
    matchmaking: Matchmaking = Matchmaking()
    rematches: Rematches = Rematches()
    tournaments: Tournaments = Tournaments()
    strength: Strength = Strength()
    sources: tuple[Source, ...] = ()
    timing: Timing = Timing()
    conduct: Conduct = Conduct()
    chat: Chat = Chat()


class Config(Account):
    """Everything an operator may decide; an account that is named in `accounts` has all of Account from there."""

    data: str | None = None
    contact: str | None = None
    log: Log = Log()
    network: Network = Network()
    shutdown: Shutdown = Shutdown()
    watch: Watch = Watch()
    local: Local = Local()
    accounts: Mapping[Annotated[str, Field(pattern=r"^[\w-]+$")], Account] = {}

    def of_account(self, name: str) -> Config:
        """What one of the accounts goes by; the memory for searches is shared out among all."""
        own = self.accounts[name]
        values = {field: getattr(own, field) for field in Account.model_fields}
        total_mb = max(1, own.strength.hash_total_mb // len(self.accounts))
        strength = own.strength.model_copy(update={"hash_total_mb": total_mb})
        return self.model_copy(update={**values, "strength": strength, "accounts": {}})
