"""How an account fares, as values that any thread may read, and what of it is a sign of illness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.following import FollowedGame
from bot.records.game import OpenGame
from bot.timing import NoClock


class State(StrEnum):
    """What an account is doing."""

    PLAYING = "playing"
    PAUSED = "paused"
    FINISHING = "finishing"
    STOPPED = "stopped"


@dataclass(frozen=True)
class GameStatus:
    """A running game; `heard_s` is how long ago its stream gave a sign of life, `left_s` what our clock showed last."""

    game_id: str
    url: str
    variant: str
    speed: str
    rated: bool
    color: str
    opponent: str
    plies: int
    our_turn: bool
    left_s: float | None
    heard_s: float


def game_status(entry: OpenGame, game: FollowedGame | None, heard_s: float) -> GameStatus:
    """How a running game stands; None when its stream has told nothing yet."""
    clock = None if game is None else game.clock
    return GameStatus(
        game_id=entry.game_id,
        url=entry.url,
        variant=entry.variant,
        speed=entry.speed,
        rated=entry.rated,
        color=entry.color,
        opponent=entry.opponent if game is None else game.opponent.shown_name,
        plies=0 if game is None else game.plies,
        our_turn=game is not None and game.our_turn,
        left_s=None if clock is None or isinstance(clock, NoClock) else clock.left_ms / 1000,
        heard_s=heard_s,
    )


@dataclass(frozen=True)
class AccountStatus:
    """An account; `heard_s` is of its event stream, `limited_s` for how long the site wants nothing but moves."""

    account: str
    site: str
    state: State
    problem: str | None = None
    heard_s: float = 0.0
    limited_s: float = 0.0
    places: int = 0
    most_games: int = 0
    waiting: int = 0
    games: tuple[GameStatus, ...] = ()


def ailments(statuses: Sequence[AccountStatus], dead_after_s: float) -> list[str]:
    """What is wrong, a line each; nothing when all is well."""
    found = []
    for status in statuses:
        if status.problem is not None:
            found.append(f"{status.account}: {status.problem}")
        elif status.heard_s > dead_after_s and status.state is not State.STOPPED:
            found.append(f"{status.account}: nothing on the event stream for {status.heard_s:.0f} s")
        found += [
            f"{status.account}: nothing on the stream of game {game.game_id} for {game.heard_s:.0f} s"
            for game in status.games
            if game.heard_s > dead_after_s
        ]
    return found
