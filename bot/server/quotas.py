"""How often a thing may be done, as far as Lichess limits it; on a local server every limit is off until it is set.

    Exception
    └── Limited            somebody has done something too often: 429, or 400 when it is the opponent
"""
from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, fields
from typing import Any

_MINUTE_MS = 60_000
_DAY_MS = 86_400_000


class Limited(Exception):
    """A limit is reached; `key` and `seconds` are told where Lichess tells them."""

    def __init__(self, text: str, key: str | None = None, seconds: int = 0, status: int = 429) -> None:
        self.status = status
        self.key = key
        self.seconds = seconds
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Quota:
    """So many points within any stretch of that length."""

    points: int
    window_ms: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What is limited; None is not.

    Challenges cost 5 points when they go to a person, 1 to a bot and nothing to somebody who follows the challenger.
    Lines of chat beyond their quota are dropped in silence.
    """

    bot_games: Quota | None = None
    challenges_by_user: tuple[Quota, ...] = ()
    challenges_by_address: Quota | None = None
    ai_games: tuple[Quota, ...] = ()
    account_reads: Quota | None = None
    event_streams: Quota | None = None
    token_tests: Quota | None = None
    chat_lines: Quota | None = None
    requests_by_address: Quota | None = None
    guests_by_address: Quota | None = None
    games_at_once: int | None = None
    live_games_at_once: int | None = None


UNLIMITED = Limits()
LICHESS_LIMITS = Limits(
    bot_games=Quota(100, _DAY_MS),
    challenges_by_user=(Quota(25, _MINUTE_MS), Quota(200, _DAY_MS)),
    challenges_by_address=Quota(500, 10 * _MINUTE_MS),
    ai_games=(Quota(5, _MINUTE_MS), Quota(20, _DAY_MS)),
    account_reads=Quota(30, 5 * _MINUTE_MS),
    event_streams=Quota(30, 10 * _MINUTE_MS),
    token_tests=Quota(10_000, 10 * _MINUTE_MS),
    chat_lines=Quota(5, 10_000),
    games_at_once=200,
    live_games_at_once=100,
)
# Of our own, for a server that strangers can reach.
SHARED_LIMITS = Limits(
    requests_by_address=Quota(1_800, _MINUTE_MS),
    guests_by_address=Quota(30, 10 * _MINUTE_MS),
    challenges_by_address=LICHESS_LIMITS.challenges_by_address,
    games_at_once=LICHESS_LIMITS.games_at_once,
)


def limits_named(text: str) -> Limits:
    """The limits of a list: all of Lichess's (`lichess`), our own (`shared`), none (`off`), single ones by name.

    Raises: ValueError for a name that is none of these.
    """
    every = {
        each.name: getattr(preset, each.name)
        for preset in (LICHESS_LIMITS, SHARED_LIMITS)
        for each in fields(Limits)
        if getattr(preset, each.name)
    }
    groups = {"off": UNLIMITED, "lichess": LICHESS_LIMITS, "shared": SHARED_LIMITS}
    chosen: dict[str, Any] = {}
    for name in text.split(","):
        if name in groups:
            chosen |= {each: every[each] for each in every if getattr(groups[name], each)}
        elif name in every:
            chosen[name] = every[name]
        else:
            raise ValueError(f"{name!r} is no limit (known: {', '.join([*groups, *every])})")
    return Limits(**chosen)


class Meter:
    """Who has spent how many points of a quota lately; without one everything is free."""

    def __init__(self, quota: Quota | None) -> None:
        self._quota = quota
        self._spent: defaultdict[str, deque[tuple[int, int]]] = defaultdict(deque)
        self._tidied_at_ms = 0

    def wait_ms(self, who: str, points: int, now_ms: int) -> int:
        """How long `who` has to wait before so many points can be spent; 0 if not at all."""
        if self._quota is None or points == 0:
            return 0
        spent = self._lately(who, now_ms, self._quota)
        excess = sum(cost for _, cost in spent) + points - self._quota.points
        for at_ms, cost in spent:
            if excess <= 0:
                break
            excess -= cost
            if excess <= 0:
                return at_ms + self._quota.window_ms - now_ms
        return 0 if excess <= 0 else self._quota.window_ms

    def spend(self, who: str, points: int, now_ms: int) -> None:
        """Note that points were spent."""
        if self._quota is not None and points:
            self._lately(who, now_ms, self._quota).append((now_ms, points))

    def _lately(self, who: str, now_ms: int, quota: Quota) -> deque[tuple[int, int]]:
        if now_ms >= self._tidied_at_ms + quota.window_ms:
            self._tidied_at_ms = now_ms
            past_ms = now_ms - quota.window_ms
            lately = {each: spent for each, spent in self._spent.items() if spent and spent[-1][0] > past_ms}
            self._spent = defaultdict(deque, lately)
        spent = self._spent[who]
        while spent and spent[0][0] <= now_ms - quota.window_ms:
            spent.popleft()
        return spent


class Meters:
    """Several quotas for one thing: it is done when all allow it, and counts for all."""

    def __init__(self, *quotas: Quota | None) -> None:
        self._meters = [Meter(quota) for quota in quotas]

    def wait_ms(self, who: str, points: int, now_ms: int) -> int:
        """How long `who` has to wait; 0 if not at all."""
        return max((meter.wait_ms(who, points, now_ms) for meter in self._meters), default=0)

    def spend(self, who: str, points: int, now_ms: int) -> None:
        """Note that points were spent."""
        for meter in self._meters:
            meter.spend(who, points, now_ms)

    def take(self, who: str, points: int, now_ms: int, text: str) -> None:
        """Spend points.

        Raises: Limited.
        """
        wait_ms = self.wait_ms(who, points, now_ms)
        if wait_ms:
            raise Limited(text, seconds=-(-wait_ms // 1000))
        self.spend(who, points, now_ms)
