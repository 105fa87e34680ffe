"""Who sits at the board, and when an absent player's game may be claimed."""
from __future__ import annotations

from dataclasses import dataclass

from bot.server.settings import ServerSettings
from bot.server.terms import Speed
from rules.move import Color

_CLAIM_FACTOR = {Speed.RAPID: 2, Speed.CLASSICAL: 3}
_FAR_BEHIND_DIVISOR = 3


@dataclass(frozen=True, slots=True)
class Absence:
    """What the opponent of an absent player is told."""

    color: Color
    claim_in_ms: int


class Presence:
    """Open streams of both players; everybody is absent until the first one opens, but for machines."""

    def __init__(
        self, settings: ServerSettings, speed: Speed, now_ms: int, machines: frozenset[Color] = frozenset()
    ) -> None:
        self._settings = settings
        self._claim_after_ms = settings.gone_claim_ms * _CLAIM_FACTOR.get(speed, 1)
        self._streams = {color: int(color in machines) for color in Color}
        self._left_at_ms: dict[Color, int] = dict.fromkeys(Color, now_ms)
        self._next_notice_ms: dict[Color, int] = dict.fromkeys(Color, now_ms + settings.gone_notice_ms)
        self._told = dict.fromkeys(Color, False)
        self._walked_out = dict.fromkeys(Color, False)

    def present(self, color: Color) -> bool:
        """Whether a stream of `color` is open."""
        return self._streams[color] > 0

    def absent_since_ms(self, color: Color) -> int | None:
        """Since when no stream of `color` has been open, None while one is."""
        return None if self.present(color) else self._left_at_ms[color]

    def arrive(self, color: Color) -> bool:
        """A stream opens; true when the opponent has to be told that `color` is back."""
        self._streams[color] += 1
        self._walked_out[color] = False
        told, self._told[color] = self._told[color], False
        return told

    def leave(self, color: Color, now_ms: int) -> None:
        """A stream closes."""
        self._streams[color] -= 1
        if not self.present(color):
            self._note_absence(color, now_ms)

    def walk_out(self, color: Color) -> None:
        """`color` says that it leaves for good; it counts until the next stream opens."""
        self._walked_out[color] = True

    def seen(self, color: Color, now_ms: int) -> None:
        """`color` has moved: who does so without a stream is not gone for that long."""
        if not self.present(color):
            self._note_absence(color, now_ms)

    def claim_at_ms(self, color: Color, *, far_behind: bool) -> int | None:
        """When the opponent may claim the game of an absent `color`: sooner if it is losing, or went on purpose."""
        if self.present(color):
            return None
        after_ms = self._claim_after_ms // (_FAR_BEHIND_DIVISOR if far_behind else 1)
        if self._walked_out[color]:
            after_ms = 0
        after_ms = max(after_ms, self._settings.gone_claim_least_ms)
        return self._left_at_ms[color] + self._settings.gone_after_ms + after_ms

    def next_notice_ms(self, color: Color) -> int | None:
        """When the opponent is to be told next; None while either player's absence makes that pointless."""
        if self.present(color) or not self.present(color.other):
            return None
        return self._next_notice_ms[color]

    def notice(self, color: Color, now_ms: int, *, far_behind: bool) -> Absence | None:
        """What to tell the opponent of `color` now, if anything."""
        due_ms, claim_at_ms = self.next_notice_ms(color), self.claim_at_ms(color, far_behind=far_behind)
        if due_ms is None or claim_at_ms is None or now_ms < due_ms:
            return None
        self._next_notice_ms[color] = now_ms + self._settings.gone_notice_ms
        self._told[color] = True
        return Absence(color, max(claim_at_ms - now_ms, 0))

    def postpone(self, color: Color, now_ms: int) -> None:
        """Say nothing for one period."""
        self._next_notice_ms[color] = now_ms + self._settings.gone_notice_ms

    def _note_absence(self, color: Color, now_ms: int) -> None:
        self._left_at_ms[color] = now_ms
        self._next_notice_ms[color] = now_ms + self._settings.gone_notice_ms
