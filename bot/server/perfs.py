"""Rating categories, which Lichess calls perfs: what a player has reached in one of them."""
from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.ratings import GLICKO_START, LADDERS_START, Glicko, Ladders
from bot.server.terms import is_parlour
from rules import variants

Standing = Glicko | Ladders
_PROGRESS_GAMES = 12


@dataclass(frozen=True, slots=True)
class Perf:
    """A standing, the games played in its category, and the ratings before each of the latest rated ones."""

    standing: Standing
    games: int = 0
    recent: tuple[int, ...] = ()

    @property
    def progress(self) -> int:
        """What the last twelve rated games have brought."""
        return self.standing.shown - self.recent[0] if self.recent else 0

    def played(self) -> Perf:
        """With one game more."""
        return replace(self, games=self.games + 1)

    def rated(self, standing: Standing) -> Perf:
        """With what a rated game has made of the standing."""
        recent = (*self.recent, self.standing.shown)[-_PROGRESS_GAMES:]
        return replace(self, standing=standing, recent=recent)


_WITH_LADDERS = frozenset(variant.perf_key for variant in variants.ALL if is_parlour(variant))


def first_perf(perf_key: str) -> Perf:
    """What everyone begins with in a category."""
    return Perf(LADDERS_START if perf_key in _WITH_LADDERS else GLICKO_START)


def month_of(at_ms: int) -> str:
    """The month of a time, in UTC, as ladders write it."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m")
