"""What the operator of the program decides: its log, its time-outs, its end, and the local board."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from bot.config.section import Section

Port = Annotated[int, Field(ge=0, le=65_535)]


class Log(Section):
    """What is logged, and how much of it is kept."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"
    size_mb: PositiveFloat = 5
    files: PositiveInt = 5


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
    news_least_s: PositiveFloat = 3
    start_within_s: PositiveFloat = 30


class Shutdown(Section):
    """What a first signal leaves time for."""

    finish_games_s: NonNegativeFloat = 60


class Watch(Section):
    """Where others may see how the bot fares, and how long a stream may be silent before that is an illness."""

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Port | None = None
    dead_after_s: PositiveFloat = 60


class Local(Section):
    """The local board: where it is served, and how long the bot thinks on it."""

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Port = 8080
    browser: bool = True
    think_ms: PositiveInt = 1000
