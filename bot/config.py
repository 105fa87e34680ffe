"""What an operator may decide: strict, frozen values with their defaults.

    Exception
    └── ConfigError      everything that is wrong with a configuration, one line each
        └── NoToken      nothing says which account to play as
"""

from __future__ import annotations

import difflib
import ipaddress
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
)

from rules import variants

Speed = Literal["bullet", "blitz", "rapid", "classical", "correspondence"]


class ConfigError(Exception):
    """A configuration that cannot be used; `problems` has one line for each thing that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class NoToken(ConfigError):
    """No place that may hold a token has one."""


def suggestion(word: str, known: Sequence[str]) -> str:
    """What an unknown word may have been meant to be, to be put after an error."""
    lowered = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f"; did you mean {lowered[near[0]]!r}?" if near else f" (known: {', '.join(known)})"


def _known_game(key: str) -> str:
    keys = [variant.key for variant in variants.ALL]
    if key not in keys:
        raise ValueError(f"no game has the key {key!r}{suggestion(key, keys)}")
    return key


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


VariantKey = Annotated[str, AfterValidator(_known_game)]


class Section(BaseModel):
    """A part of the configuration: every key known, every value of its type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Log(Section):
    """What is logged, and how much of it is kept."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    size_mb: PositiveFloat = 5
    files: PositiveInt = 5


class Audience(Section):
    """What is accepted from one kind of player: variants by mode, and speeds."""

    allow: bool = True
    casual: tuple[VariantKey, ...] = tuple(variant.key for variant in variants.ALL)
    rated: tuple[VariantKey, ...] = ()
    speeds: tuple[Speed, ...] = get_args(Speed)


class Humans(Audience):
    """What is accepted from people: rated games in the ordinary game only."""

    rated: tuple[VariantKey, ...] = (variants.ALL[0].key,)


class Bots(Audience):
    """What is accepted from other bots: every game that Lichess rates."""

    rated: tuple[VariantKey, ...] = tuple(game.key for game in variants.ALL if game.lichess and not game.needs_fen)


class Acceptance(Section):
    """Which challenges are taken, and how many games at once."""

    max_games: PositiveInt = 4
    humans: Humans = Humans()
    bots: Bots = Bots()


class SearchLimits(Section):
    """Caps on every search; None means that only the clock decides."""

    time_ms: PositiveInt | None = None
    depth: PositiveInt | None = None
    nodes: PositiveInt | None = None


class GameStrength(Section):
    """What one game changes of the strength; an absent value keeps the common one."""

    hash_mb: PositiveInt | None = None
    limits: SearchLimits = SearchLimits()


class Strength(Section):
    """How strongly every game is played, and what single games change of it."""

    hash_mb: PositiveInt = 64
    limits: SearchLimits = SearchLimits()
    variants: Mapping[VariantKey, GameStrength] = {}

    def limits_for(self, key: str) -> SearchLimits:
        """The caps that hold in that game."""
        own = self.variants.get(key, GameStrength()).limits
        return self.limits.model_copy(update=own.model_dump(exclude_none=True))

    def hash_mb_for(self, key: str) -> int:
        """The size of a running game's transposition table."""
        return self.variants.get(key, GameStrength()).hash_mb or self.hash_mb


class Timing(Section):
    """How long to think."""

    overhead_ms: NonNegativeInt = 100
    margin_ms: NonNegativeInt = 40
    first_move_ms: PositiveInt = 2000
    correspondence_ms: PositiveInt = 10000
    unlimited_ms: PositiveInt = 5000
    overdue_ms: PositiveInt = 1000


class Takebacks(Section):
    """How many takebacks an opponent is granted in a game."""

    humans: NonNegativeInt = 3
    bots: NonNegativeInt = 0
    rated: bool = False


class Draws(Section):
    """When draws are offered and accepted: after `moves` thoughts in a row within `score_cp` of level."""

    accept: bool = True
    offer: bool = True
    score_cp: NonNegativeInt = 15
    moves: PositiveInt = 5
    from_move: PositiveInt = 40


class Resignation(Section):
    """When to resign: after `moves` thoughts in a row that are `score_cp` or more behind."""

    allow: bool = False
    score_cp: PositiveInt = 900
    moves: PositiveInt = 5


class OpponentStart(Section):
    """How long an opponent may take over the first move before the game is aborted."""

    humans_s: PositiveFloat = 60
    bots_s: PositiveFloat = 30


class Conduct(Section):
    """Manners at the board."""

    takebacks: Takebacks = Takebacks()
    draws: Draws = Draws()
    resign: Resignation = Resignation()
    abort_after: OpponentStart = OpponentStart()
    claim_when_gone: bool = True


class Network(Section):
    """Time-outs and periods of the conversation with Lichess, in seconds."""

    connect_timeout_s: PositiveFloat = 5
    request_timeout_s: PositiveFloat = 5
    move_timeout_s: PositiveFloat = 5
    stall_timeout_s: PositiveFloat = 15
    reopen_first_s: PositiveFloat = 1
    reopen_most_s: PositiveFloat = 30
    game_reopen_first_s: PositiveFloat = 0.25
    game_reopen_most_s: PositiveFloat = 10
    event_opens: PositiveInt = 29
    event_opens_period_s: PositiveFloat = 600
    kick_window_s: PositiveFloat = 15
    move_retry_first_s: PositiveFloat = 0.1
    move_retry_most_s: PositiveFloat = 1
    move_limited_retry_s: PositiveFloat = 1.5
    limited_pause_s: PositiveFloat = 60
    settle_s: PositiveFloat = 2
    reconcile_every_s: PositiveFloat = 60
    start_within_s: PositiveFloat = 30


class Shutdown(Section):
    """What a first signal leaves time for."""

    finish_games_s: NonNegativeFloat = 60


class Local(Section):
    """The local board: where it is served, and how long the bot thinks on it."""

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    browser: bool = True
    think_ms: PositiveInt = 1000


class Config(Section):
    """Everything an operator may decide."""

    url: Annotated[str, AfterValidator(_safe_address)] = "https://lichess.org"
    token: SecretStr | None = None
    token_file: str | None = None
    data: str | None = None
    contact: str | None = None
    log: Log = Log()
    accept: Acceptance = Acceptance()
    strength: Strength = Strength()
    timing: Timing = Timing()
    conduct: Conduct = Conduct()
    network: Network = Network()
    shutdown: Shutdown = Shutdown()
    local: Local = Local()
