"""One arena: who takes part, who plays whom next, and how they stand. It is told the time, and who is there."""
from __future__ import annotations

import hmac
from collections.abc import Set
from dataclasses import dataclass, field
from enum import Enum

from bot.server.errors import Refused
from bot.server.terms import Terms
from bot.server.users import User
from rules.move import Color

_MINUTE_MS = 60_000
_WINS_TO_CATCH_FIRE = 2
_EAGER_MS = 60_000


class ArenaStatus(Enum):
    """Where an arena stands; the numbers are Lichess's."""

    CREATED = 10
    STARTED = 20
    FINISHED = 30


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """What is known of an arena beforehand; `team_id` keeps those out who are not in that team."""

    name: str
    terms: Terms
    minutes: int
    starts_at_ms: int
    berserkable: bool
    streakable: bool
    bots_allowed: bool
    password: str | None = None
    team_id: str | None = None

    @property
    def ends_at_ms(self) -> int:
        """From then on no game begins, and none counts."""
        return self.starts_at_ms + self.minutes * _MINUTE_MS


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game of one player: 2, 1 or 0 points, and one more for a win with half the time."""

    points: int
    berserk: bool = False

    @property
    def won(self) -> bool:
        """Whether it was won."""
        return self.points == 2


@dataclass(slots=True)
class Entrant:
    """A player in an arena."""

    user_id: str
    name: str
    title: str | None
    rating: int
    paused: bool = False
    eager_until_ms: int = 0
    results: list[Result] = field(default_factory=list)
    whites: int = 0
    last_opponent_id: str | None = None
    game_id: str | None = None

    def on_fire(self, results: list[Result]) -> bool:
        """Whether the next game after these counts double: the two before it were won."""
        latest = results[-_WINS_TO_CATCH_FIRE:]
        return len(latest) == _WINS_TO_CATCH_FIRE and all(result.won for result in latest)


class Arena:
    """A plan, its players and their results."""

    def __init__(self, arena_id: str, plan: ArenaPlan, creator_id: str) -> None:
        self.id = arena_id
        self.plan = plan
        self.creator_id = creator_id
        self.entrants: dict[str, Entrant] = {}
        self.games: list[str] = []

    def status(self, now_ms: int) -> ArenaStatus:
        """Where the arena stands."""
        if now_ms >= self.plan.ends_at_ms:
            return ArenaStatus.FINISHED
        return ArenaStatus.STARTED if now_ms >= self.plan.starts_at_ms else ArenaStatus.CREATED

    def join(self, user: User, password: str, now_ms: int, *, in_team: bool, eager: bool) -> None:
        """Take part, for the first time or again; an `eager` player is paired without reading events for a minute.

        Raises: Refused.
        """
        if self.status(now_ms) is ArenaStatus.FINISHED:
            raise Refused("The tournament is over")
        if user.is_bot and not self.plan.bots_allowed:
            raise Refused("Bot players are not allowed")
        if self.plan.password is not None and not hmac.compare_digest(self.plan.password.encode(), password.encode()):
            raise Refused("Invalid password")
        if self.plan.team_id is not None and not in_team:
            raise Refused("Not in the required team")
        rating = user.rating(self.plan.terms.perf_key)
        entrant = self.entrants.setdefault(user.id, Entrant(user.id, user.name, user.title, rating))
        entrant.paused = False
        if eager:
            entrant.eager_until_ms = now_ms + _EAGER_MS

    def withdraw(self, user_id: str, now_ms: int) -> None:
        """Play no more; who does so before the start is forgotten."""
        if self.status(now_ms) is ArenaStatus.CREATED:
            self.entrants.pop(user_id, None)
        elif user_id in self.entrants:
            self.entrants[user_id].paused = True

    def pairs(self, present_ids: Set[str], now_ms: int) -> list[tuple[str, str]]:
        """Whom to let play now, White first: neighbours in the table, but not twice in a row if that can be helped."""
        free = [
            entrant
            for entrant in self.standing()
            if entrant.game_id is None
            and not entrant.paused
            and (entrant.user_id in present_ids or now_ms < entrant.eager_until_ms)
        ]
        pairs = []
        while len(free) > 1:
            one = free.pop(0)
            fresh = (each for each in free if each.user_id != one.last_opponent_id)
            other = next(fresh, free[0])
            free.remove(other)
            white, black = (one, other) if one.whites <= other.whites else (other, one)
            pairs.append((white.user_id, black.user_id))
        return pairs

    def begin_game(self, game_id: str, player_ids: tuple[str, str]) -> None:
        """Two players, White first, begin a game."""
        self.games.append(game_id)
        white, black = (self.entrants[user_id] for user_id in player_ids)
        white.whites += 1
        for entrant, opponent in ((white, black), (black, white)):
            entrant.game_id, entrant.last_opponent_id = game_id, opponent.user_id

    def end_game(
        self, player_ids: tuple[str, str], winner: Color | None, berserk: Set[Color], now_ms: int, *, started: bool
    ) -> None:
        """Their game is over; it counts if the arena still runs. Who has not `started` it plays no more."""
        for color in Color:
            entrant = self.entrants[player_ids[color]]
            entrant.game_id = None
            if self.status(now_ms) is ArenaStatus.STARTED:
                points = 1 if winner is None else 2 if winner is color else 0
                entrant.results.append(Result(points, color in berserk))
            if not started and winner is color.other:
                entrant.paused = True

    def scores(self, entrant: Entrant) -> list[int]:
        """What each game of a player was worth."""
        scores = []
        for index, result in enumerate(entrant.results):
            double = self.plan.streakable and entrant.on_fire(entrant.results[:index])
            scores.append(result.points * (2 if double else 1) + (result.won and result.berserk))
        return scores

    def standing(self) -> list[Entrant]:
        """The players, the leader first."""
        return sorted(self.entrants.values(), key=lambda each: (-sum(self.scores(each)), -each.rating))
