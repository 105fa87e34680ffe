"""The parlour's option to watch the players: who looks away from the game may find it annulled."""
from __future__ import annotations

from typing import TYPE_CHECKING

from bot.server.clock import PLIES_BEFORE_START
from bot.server.errors import Refused
from rules.move import Color
from rules.outcome import Reason

if TYPE_CHECKING:
    from bot.server.table import Table


def look_away(table: Table, color: Color, now_ms: int) -> None:
    """The window in which `color` plays is hidden, or has lost the focus.

    Decision: the opponent may annul the game until it makes its next move; before both have moved, nobody has to look.
    """
    watched = table.terms.watched and not table.over and table.plies >= PLIES_BEFORE_START
    if watched and color not in table.looked_away:
        table.looked_away.add(color)
        table.tell_state(now_ms)


def annul(table: Table, color: Color, now_ms: int) -> None:
    """End the game without a result: the opponent of `color` has looked away.

    Raises: Refused when it has not.
    """
    if table.over or color.other not in table.looked_away:
        raise Refused("This game cannot be annulled")
    table.annul(now_ms, Reason.ANNULLED)
