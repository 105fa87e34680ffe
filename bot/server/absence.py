"""Players who have left a table: what their opponents are told, and may claim."""
from __future__ import annotations

from typing import TYPE_CHECKING

from bot.server.clock import PLIES_BEFORE_START
from bot.server.errors import Refused
from bot.server.events import GoneEvent
from bot.server.material import far_behind
from bot.server.terms import Countdown
from bot.server.verdict import GameStatus, Verdict
from rules.move import Color
from rules.outcome import Reason

if TYPE_CHECKING:
    from bot.server.table import Table


def claims_exist(table: Table) -> bool:
    """Whether leaving can cost the game: with a clock that runs out, once it has started, against no machine.

    Decision: at the parlour with turn time as well, though the system goes on moving for whoever has left.
    """
    started = not table.over and table.plies >= PLIES_BEFORE_START
    limited = isinstance(table.terms.time, Countdown) or (table.terms.parlour and table.terms.live)
    return started and table.ai_color is None and limited


def claim_applies(table: Table, color: Color) -> bool:
    """Whether `color` could ever claim the game as it stands; Lichess quietly passes over a claim that does not."""
    return claims_exist(table) and table.game.turn is not color and "noClaimWin" not in table.terms.rules


def claim(table: Table, color: Color, now_ms: int, *, victory: bool) -> None:
    """Claim the game of an absent opponent; where no such claim exists, nothing happens.

    Raises: Refused while the opponent is there, or has not been gone for long enough.
    """
    if not claim_applies(table, color):
        return
    claim_at_ms = _claim_at_ms(table, color.other)
    if claim_at_ms is None or now_ms < claim_at_ms:
        raise Refused("The opponent has not been gone for long enough")
    if table.terms.parlour and not victory:
        # Who leaves there, loses.
        return
    winner = color if victory and table.can_be_won_by(color) else None
    table.finish(Verdict(GameStatus.TIMEOUT, winner, Reason.ABANDONMENT), now_ms)


def tell(table: Table, now_ms: int) -> list[GoneEvent]:
    """What each player is to be told now about an absent opponent."""
    if not claims_exist(table):
        return []
    return [event for color in Color if (event := _tell_of(table, color, now_ms)) is not None]


def next_notice_ms(table: Table) -> int | None:
    """When there is something to tell next."""
    if not claims_exist(table):
        return None
    notices_ms = (table.presence.next_notice_ms(color) for color in Color)
    return min((each for each in notices_ms if each is not None), default=None)


def _claim_at_ms(table: Table, color: Color) -> int | None:
    return table.presence.claim_at_ms(color, far_behind=far_behind(table.game.position, color))


def _tell_of(table: Table, color: Color, now_ms: int) -> GoneEvent | None:
    presence = table.presence
    due_ms = presence.next_notice_ms(color)
    if due_ms is None or now_ms < due_ms:
        return None
    ends_by_flag = isinstance(table.terms.time, Countdown)
    claim_at_ms, flag_at_ms = _claim_at_ms(table, color), table.clock.flag_at_ms() if ends_by_flag else None
    if claim_at_ms is not None and flag_at_ms is not None and table.game.turn is color and flag_at_ms < claim_at_ms:
        # The flag will fall first, so there is nothing to wait for.
        presence.postpone(color, now_ms)
        return None
    absence = presence.notice(color, now_ms, far_behind=far_behind(table.game.position, color))
    return None if absence is None else GoneEvent(color, gone=True, claim_in_s=-(-absence.claim_in_ms // 1000))
