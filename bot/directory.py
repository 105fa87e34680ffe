"""What the site tells everybody who asks: which bots are online, who plays, how an arena stands, what was played."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator

from bot.wire import Perf, Shape


class OnlineBot(Shape):
    """A bot that may be challenged; a kind of game that it has never played may be missing from `perfs`."""

    id: str
    username: str
    perfs: dict[str, Perf] = {}
    disabled: bool = False
    tos_violation: bool = False


class OnlineBots(Shape):
    """All of them, or as many as were asked for."""

    bots: tuple[OnlineBot, ...]


class UserStatus(Shape):
    """What somebody is doing just now."""

    id: str
    online: bool = False
    playing: bool = False


class UserStatuses(Shape):
    """Those who were asked for, in any order; unknown ones are left out."""

    users: tuple[UserStatus, ...]


class OpenChallenge(Shape):
    """A challenge for anybody who has one of its addresses."""

    id: str
    url: str
    url_white: str
    url_black: str


class Arena(Shape):
    """A tournament; which of the two times is there tells where it stands."""

    id: str
    full_name: str = ""
    seconds_to_start: int | None = None
    seconds_to_finish: int | None = None
    is_finished: bool = False
    bots_allowed: bool = False


def _milliseconds(value: object) -> object:
    # berserk has made a datetime of it
    return round(value.timestamp() * 1000) if isinstance(value, datetime) else value


class ExportedGame(Shape):
    """A game as the export tells it; `moves` are in SAN."""

    id: str
    status: str
    winner: str | None = None
    moves: str = ""
    last_move_at: Annotated[int | None, BeforeValidator(_milliseconds)] = None
