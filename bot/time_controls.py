"""Time controls: what is written 3+2, 3d, 30s/move or unlimited, and how fast that is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot import wire

EXPECTED_MOVES: Final = 40
SLOWEST: Final = "correspondence"
# a speed is a bound on the seconds that a player is expected to use
SPEED_BOUNDS_S: Final = {"ultraBullet": 30, "bullet": 180, "blitz": 480, "rapid": 1500, "classical": 21_600}
SPEEDS: Final = (*SPEED_BOUNDS_S, SLOWEST)
"""The names of the speeds, from fast to slow."""

DAYS: Final = (1, 2, 3, 5, 7, 10, 14)
SHORT_LIMITS_S: Final = (0, 15, 30, 45, 60, 90)
LONGEST_LIMIT_S: Final = 10_800
LONGEST_INCREMENT_S: Final = 60
_FRACTIONS: Final = {"¼": 0.25, "½": 0.5, "¾": 0.75}
_COUNTDOWN: Final = re.compile(r"(\d{1,3}(?:\.\d{1,2})?|[¼½¾])\+(\d{1,3})")
_PER_TURN: Final = re.compile(r"(\d{1,3})s/move")
_DAYS: Final = re.compile(r"(\d{1,2})d")


@dataclass(frozen=True)
class Countdown:
    """So much time for the whole game, and some more after each move."""

    limit_s: int
    increment_s: int

    @property
    def estimate_s(self) -> int:
        """The time that a player is expected to use."""
        return self.limit_s + EXPECTED_MOVES * self.increment_s

    def __str__(self) -> str:
        return f"{self.limit_s / 60:g}+{self.increment_s}"


@dataclass(frozen=True)
class PerTurn:
    """So many seconds for every move."""

    seconds: int

    @property
    def estimate_s(self) -> int:
        """The time that a player is expected to use."""
        return EXPECTED_MOVES * self.seconds

    def __str__(self) -> str:
        return f"{self.seconds}s/move"


@dataclass(frozen=True)
class PerDays:
    """So many days for every move."""

    days: int

    def __str__(self) -> str:
        return f"{self.days}d"


@dataclass(frozen=True)
class Unlimited:
    """No clock at all."""

    def __str__(self) -> str:
        return "unlimited"


TimeControl = Countdown | PerTurn | PerDays | Unlimited


def read(text: str) -> TimeControl:
    """The time control that is written so. Raises ValueError."""
    if text == str(Unlimited()):
        return Unlimited()
    if found := _DAYS.fullmatch(text):
        return PerDays(int(found[1]))
    if found := _PER_TURN.fullmatch(text):
        return PerTurn(int(found[1]))
    if found := _COUNTDOWN.fullmatch(text):
        minutes = _FRACTIONS.get(found[1]) or float(found[1])
        return Countdown(round(minutes * 60), int(found[2]))
    raise ValueError(f"{text!r} is no time control: write 3+2 (minutes and increment), 3d, 30s/move or unlimited")


def of_challenge(told: wire.TimeControl) -> TimeControl | None:
    """The time control of a challenge; None for one that we do not know."""
    if told.type == "unlimited":
        return Unlimited()
    if told.type == "clock" and told.limit is not None:
        return Countdown(told.limit, told.increment or 0)
    if told.type == "turn" and told.limit is not None:
        return PerTurn(told.limit)
    if told.days_per_turn is not None:
        return PerDays(told.days_per_turn)
    return None


def of_game(full: wire.GameFull) -> TimeControl:
    """The time control that a game is played with."""
    if full.clock is not None:
        return Countdown(full.clock.initial // 1000, full.clock.increment // 1000)
    if full.seconds_per_turn is not None:
        return PerTurn(full.seconds_per_turn)
    return Unlimited() if full.days_per_turn is None else PerDays(full.days_per_turn)


def speed(control: TimeControl) -> str:
    """How fast games with it are called."""
    if isinstance(control, PerDays | Unlimited):
        return SLOWEST
    return next((name for name, below_s in SPEED_BOUNDS_S.items() if control.estimate_s < below_s), SLOWEST)


def can_be_asked_for(control: TimeControl) -> bool:
    """Whether Lichess takes a challenge with it from a bot."""
    match control:
        case PerDays(days):
            return days in DAYS
        case Countdown(limit_s, increment_s):
            whole = limit_s in SHORT_LIMITS_S or (limit_s % 60 == 0 and limit_s <= LONGEST_LIMIT_S)
            # bots play nothing faster than bullet
            return whole and increment_s <= LONGEST_INCREMENT_S and speed(control) != SPEEDS[0]
        case Unlimited():
            return True
    return False


def fields(control: TimeControl) -> dict[str, int]:
    """The fields of a challenge form that ask for it."""
    match control:
        case PerDays(days):
            return {"days": days}
        case Countdown(limit_s, increment_s):
            return {"clock.limit": limit_s, "clock.increment": increment_s}
        case PerTurn(seconds):
            return {"turn.limit": seconds}
        case Unlimited():
            return {}
