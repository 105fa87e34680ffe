"""Draw offers and takeback proposals of one game: who has one open, and who may make one."""
from __future__ import annotations

from dataclasses import dataclass, field

from rules.move import Color

_PLIES_BEFORE_OFFERS = 2
_PLIES_BETWEEN_DRAW_OFFERS = 20
_WAIT_PER_SQUARED_REFUSAL_MS = 10_000


@dataclass(frozen=True, slots=True)
class OffersMemory:
    """What offers of one kind have to remember; the numbers are by color."""

    open: Color | None = None
    last_ply: dict[Color, int] = field(default_factory=dict)
    refusals: dict[Color, int] = field(default_factory=dict)
    wait_until_ms: dict[Color, int] = field(default_factory=dict)


class DrawOffers:
    """At most one open offer, and when each side made its last one."""

    def __init__(self, earliest_ply: int = 0) -> None:
        self._earliest_ply = max(earliest_ply, _PLIES_BEFORE_OFFERS)
        self._last_ply: dict[Color, int] = {}
        self.open: Color | None = None

    @property
    def flags(self) -> tuple[bool, bool]:
        """Whether White and whether Black has an offer open."""
        return self.open is Color.WHITE, self.open is Color.BLACK

    def allowed(self, color: Color, plies: int) -> bool:
        """Whether `color` may offer now: not too early, and not again within twenty plies."""
        if self.open is color or plies < self._earliest_ply:
            return False
        last_ply = self._last_ply.get(color)
        return last_ply is None or plies - last_ply >= _PLIES_BETWEEN_DRAW_OFFERS

    def make(self, color: Color, plies: int) -> None:
        """Note an offer."""
        self.open = color
        self._last_ply[color] = plies

    def close(self) -> None:
        """No offer is open any more."""
        self.open = None

    def memory(self) -> OffersMemory:
        """All that it takes to go on with `recall`."""
        return OffersMemory(self.open, last_ply=dict(self._last_ply))

    def recall(self, memory: OffersMemory) -> None:
        """Stand as it stood then."""
        self.open = memory.open
        self._last_ply = dict(memory.last_ply)


class Takebacks:
    """At most one open proposal, and how long each side has to wait after refusals."""

    def __init__(self) -> None:
        self._refusals: dict[Color, int] = {}
        self._wait_until_ms: dict[Color, int] = {}
        self.open: Color | None = None

    @property
    def flags(self) -> tuple[bool, bool]:
        """Whether White and whether Black has a proposal open."""
        return self.open is Color.WHITE, self.open is Color.BLACK

    def allowed(self, color: Color, plies: int, now_ms: int) -> bool:
        """Whether `color` may propose now: both have moved, and a refusal was long enough ago."""
        return self.open is None and plies >= _PLIES_BEFORE_OFFERS and now_ms >= self._wait_until_ms.get(color, 0)

    def make(self, color: Color) -> None:
        """Note a proposal."""
        self.open = color

    def refuse(self, now_ms: int) -> None:
        """The opponent says no: ten seconds to wait, then forty, ninety ..."""
        if self.open is not None:
            count = self._refusals[self.open] = self._refusals.get(self.open, 0) + 1
            self._wait_until_ms[self.open] = now_ms + _WAIT_PER_SQUARED_REFUSAL_MS * count * count
            self.open = None

    def close(self) -> None:
        """No proposal is open any more."""
        self.open = None

    def memory(self) -> OffersMemory:
        """All that it takes to go on with `recall`."""
        return OffersMemory(self.open, refusals=dict(self._refusals), wait_until_ms=dict(self._wait_until_ms))

    def recall(self, memory: OffersMemory) -> None:
        """Stand as it stood then."""
        self.open = memory.open
        self._refusals, self._wait_until_ms = dict(memory.refusals), dict(memory.wait_until_ms)
