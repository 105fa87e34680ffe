"""What a finished game does to its players: their counts, and their standing if it was rated."""
from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.ratings import Glicko, Ladders, after_parlour_game
from bot.server.clock import PLIES_BEFORE_START
from bot.server.perfs import Standing, month_of
from bot.server.table import Table
from bot.server.terms import Terms
from bot.server.users import User
from bot.server.verdict import GameStatus
from rules.move import Color

_MOVES_WITHOUT_CREDIT = 10
Players = tuple[User | None, User | None]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The players as they are after the game, White first, and what it has done to the ratings they show."""

    players: Players
    rating_changes: tuple[int, int] | None = None


def ratable(terms: Terms, players: Iterable[User], addresses: Sequence[str]) -> Terms:
    """The terms as these two can play them: casual with a guest, and at the parlour from behind one address.

    Decision: neighbours on this machine are not meant; `addresses` are empty where not known.
    """
    one_address = addresses[0] == addresses[1] and not _is_here(addresses[0])
    if any(player.guest for player in players) or (one_address and terms.parlour):
        return replace(terms, rated=False)
    return terms


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True


def settle(table: Table, players: Players, now_ms: int) -> Settlement:
    """Settle a game that has ended; None stands for a machine, or for an account that is gone."""
    key = table.terms.perf_key
    white, black = (
        None if player is None else _counted(player, table, color) for color, player in zip(Color, players, strict=True)
    )
    if white is None or black is None or white.guest or black.guest or not _counts_for_ratings(table):
        return Settlement((white, black))
    before = white.perf(key).standing, black.perf(key).standing
    after = _standings(table, *before, now_ms)
    white, black = _rated(white, key, after[0]), _rated(black, key, after[1])
    return Settlement((white, black), (after[0].shown - before[0].shown, after[1].shown - before[1].shown))


def _counted(player: User, table: Table, color: Color) -> User:
    key, verdict = table.terms.perf_key, table.verdict
    perfs = {**player.perfs, key: player.perf(key).played()}
    if verdict.winner is color and not _credited(table):
        return replace(player, perfs=perfs)
    return replace(player, perfs=perfs, tally=player.tally.plus(verdict.score(color), table.terms.rated))


def _rated(player: User, key: str, standing: Standing) -> User:
    return replace(player, perfs={**player.perfs, key: player.perf(key).rated(standing)})


def _counts_for_ratings(table: Table) -> bool:
    """As on Lichess, a game in which not both have moved changes no rating."""
    return table.terms.rated and table.plies >= PLIES_BEFORE_START


def _credited(table: Table) -> bool:
    """Whether the winner is credited with its win: if the other gave up, at the parlour only after ten moves."""
    given_up = table.verdict.status in (GameStatus.RESIGN, GameStatus.TIMEOUT)
    if not given_up or table.verdict.winner is None or not table.terms.parlour:
        return True
    return table.moves_by(table.verdict.winner) > _MOVES_WITHOUT_CREDIT


def _standings(table: Table, white: Standing, black: Standing, now_ms: int) -> tuple[Standing, Standing]:
    score = table.verdict.score(Color.WHITE)
    match white, black:
        case Glicko(), Glicko():
            return white.after(black, score, now_ms), black.after(white, 1 - score, now_ms)
        case Ladders(), Ladders():
            month, abandoned = month_of(now_ms), table.verdict.status is GameStatus.TIMEOUT
            return after_parlour_game(
                white.in_month(month), black.in_month(month), score, abandoned=abandoned, credited=_credited(table)
            )
    raise TypeError(f"{white} and {black} are not of one kind")
