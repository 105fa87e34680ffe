"""What two players agree on before a game: variant, start, time control, rated or not, special rules."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from rules import draws, variants
from rules.variant import Variant


class Speed(StrEnum):
    """How fast a game is expected to be; ordered from fast to slow."""

    ULTRA_BULLET = "ultraBullet"
    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"

    @property
    def shown(self) -> str:
        """The name with a capital."""
        return self.value[0].upper() + self.value[1:]

    @classmethod
    def of_estimate(cls, seconds: int) -> Speed:
        """The speed of a game in which a player is expected to use that much time."""
        for below_s, speed in _SPEED_BOUNDS:
            if seconds < below_s:
                return speed
        return cls.CORRESPONDENCE


_SPEED_BOUNDS = (
    (30, Speed.ULTRA_BULLET),
    (180, Speed.BULLET),
    (480, Speed.BLITZ),
    (1_500, Speed.RAPID),
    (21_600, Speed.CLASSICAL),
)
_EXPECTED_MOVES = 40
_FIRST_MOVE_MS = {Speed.ULTRA_BULLET: 11_000, Speed.BULLET: 16_000, Speed.BLITZ: 21_000, Speed.RAPID: 25_000}
_SLOW_FIRST_MOVE_MS = 30_000
_FRACTIONS = {15: "¼", 30: "½", 45: "¾"}


@dataclass(frozen=True, slots=True)
class Countdown:
    """So much time for the whole game, and some more after each move."""

    limit_s: int
    increment_s: int

    @property
    def estimate_s(self) -> int:
        """The time that a player is expected to use."""
        return self.limit_s + _EXPECTED_MOVES * self.increment_s

    @property
    def speed(self) -> Speed:
        """The speed by expected use."""
        return Speed.of_estimate(self.estimate_s)

    @property
    def shown(self) -> str:
        """Minutes and increment, such as `3+2` or `½+0`."""
        return f"{_FRACTIONS.get(self.limit_s) or f'{self.limit_s / 60:g}'}+{self.increment_s}"


@dataclass(frozen=True, slots=True)
class PerTurn:
    """So many seconds for every move; the system plays for the player who lets them pass."""

    limit_s: int

    @property
    def speed(self) -> Speed:
        """The speed by expected use."""
        return Speed.of_estimate(_EXPECTED_MOVES * self.limit_s)

    @property
    def shown(self) -> str:
        """Such as `30s/move`."""
        return f"{self.limit_s}s/move"


@dataclass(frozen=True, slots=True)
class Correspondence:
    """So many days for every move."""

    days: int

    @property
    def speed(self) -> Speed:
        """Always correspondence."""
        return Speed.CORRESPONDENCE


@dataclass(frozen=True, slots=True)
class Unlimited:
    """No clock at all."""

    @property
    def speed(self) -> Speed:
        """Always correspondence."""
        return Speed.CORRESPONDENCE


def is_plain_chess(variant: Variant) -> bool:
    """Whether games of this variant share the ratings of standard chess, which are kept by speed."""
    return variant.perf_key == variants.STANDARD.perf_key


def is_parlour(variant: Variant) -> bool:
    """Whether the parlour's rules of the table hold: its flags, offers and leavers, its colors and its ratings."""
    return variant.own_policy is draws.PARLOUR


def castles_by_rook(variant: Variant, everywhere: bool) -> bool:
    """Whether castling is written as king-takes-rook: in all but standard chess, or `everywhere`."""
    return everywhere or variant.chess960 or not is_plain_chess(variant)


TimeControl = Countdown | PerTurn | Correspondence | Unlimited
# A variant is written by its key where terms are kept.
KeptVariant = Annotated[Variant, PlainValidator(variants.by_key), PlainSerializer(lambda variant: variant.key)]


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreed conditions of a game; `start_fen` is None for the usual start (chess960: drawn by lot).

    `watched`: the opponent may annul the game when a player looks away from it.
    """

    variant: KeptVariant
    start_fen: str | None
    time: TimeControl
    rated: bool
    rules: tuple[str, ...] = ()
    engine_draws: bool = False
    watched: bool = False

    @property
    def speed(self) -> Speed:
        """The speed of the game."""
        return self.time.speed

    @property
    def perf_key(self) -> str:
        """The rating category: the speed for plain chess, else the variant's own."""
        return self.speed.value if is_plain_chess(self.variant) else self.variant.perf_key

    @property
    def perf_name(self) -> str:
        """The name of the rating category."""
        return self.speed.shown if is_plain_chess(self.variant) else self.variant.name

    @property
    def parlour(self) -> bool:
        """Whether this is a table of the parlour."""
        return is_parlour(self.variant)

    @property
    def live(self) -> bool:
        """Whether the players have to be there at the same time."""
        return isinstance(self.time, Countdown | PerTurn)

    @property
    def first_move_ms(self) -> int:
        """How long a player has for the first move, where that is limited: longer for a start never seen before."""
        usual_ms = _FIRST_MOVE_MS.get(self.speed, _SLOW_FIRST_MOVE_MS)
        return usual_ms * 5 // 4 if self.variant.chess960 and not self.variant.needs_fen else usual_ms

    @property
    def bots_can_play(self) -> bool:
        """Whether Lichess lets a bot play this: anything slower than ultraBullet."""
        return self.speed is not Speed.ULTRA_BULLET

    @property
    def boards_can_play(self) -> bool:
        """Whether Lichess lets a person play this through the Board API: anything slower than bullet."""
        return self.speed not in (Speed.ULTRA_BULLET, Speed.BULLET)
