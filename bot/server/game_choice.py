"""Which games of a user are wanted: Lichess's filters."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.server.errors import FormError
from bot.server.table import Table
from rules.move import Color

_MOST_GAMES = 300
_FLAGS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Filters; None lets everything through. Without `ongoing`, running games are left out."""

    since_ms: int | None
    until_ms: int | None
    most: int
    opponent_id: str | None
    rated: bool | None
    perf_keys: frozenset[str]
    color: Color | None
    ongoing: bool
    finished: bool
    oldest_first: bool

    def wants(self, table: Table, user_id: str) -> bool:
        """Whether this game of a user is wanted."""
        color = table.seat_of(user_id)
        if color is None or not (self.finished if table.over else self.ongoing):
            return False
        terms = table.terms
        return (
            (self.since_ms is None or table.created_at_ms >= self.since_ms)
            and (self.until_ms is None or table.created_at_ms <= self.until_ms)
            and (self.opponent_id is None or table.seats[color.other].user_id == self.opponent_id)
            and (self.rated is None or terms.rated is self.rated)
            and (not self.perf_keys or terms.perf_key in self.perf_keys)
            and (self.color is None or color is self.color)
        )


def read_choice(query: Mapping[str, str]) -> GameChoice:
    """The filters in typed form.

    Raises: FormError, naming every one that is wrong.
    """
    errors: dict[str, str] = {}
    choice = GameChoice(
        since_ms=_number(query, "since", errors),
        until_ms=_number(query, "until", errors),
        most=min(_number(query, "max", errors) or _MOST_GAMES, _MOST_GAMES),
        opponent_id=query["vs"].lower() if query.get("vs") else None,
        rated=_flag(query, "rated"),
        perf_keys=frozenset(key for key in query.get("perfType", "").split(",") if key),
        color={"white": Color.WHITE, "black": Color.BLACK}.get(query.get("color", "")),
        ongoing=_flag(query, "ongoing") or False,
        finished=_flag(query, "finished") is not False,
        oldest_first=query.get("sort") == "dateAsc",
    )
    if errors:
        raise FormError(errors)
    return choice


def _number(query: Mapping[str, str], name: str, errors: dict[str, str]) -> int | None:
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        errors[name] = "Numeric value expected"
        return None
    return int(text)


def _flag(query: Mapping[str, str], name: str) -> bool | None:
    return _FLAGS.get(query.get(name, "").lower())
