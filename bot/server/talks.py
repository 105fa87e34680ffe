"""What the players of a table ask of each other: draws and takebacks. Whatever does not fit does nothing."""
from __future__ import annotations

from typing import TYPE_CHECKING

from bot.server.verdict import GameStatus, Verdict
from rules import draws
from rules.move import Color
from rules.outcome import Reason

if TYPE_CHECKING:
    from bot.server.table import Table

_OCCURRENCES_TO_CLAIM = 3


def answer_draw(table: Table, color: Color, yes: bool, now_ms: int) -> None:
    """Offer, accept, claim, refuse or withdraw a draw."""
    if table.over:
        return
    if not yes:
        _drop_draw_offer(table, color, now_ms)
    elif table.draws.open is color.other:
        table.say_system("Draw offer accepted")
        table.finish(Verdict(GameStatus.DRAW, None, Reason.AGREEMENT), now_ms)
    elif table.policy is draws.LICHESS and table.game.occurrences() >= _OCCURRENCES_TO_CLAIM:
        table.finish(Verdict(GameStatus.DRAW, None, Reason.REPETITION), now_ms)
    elif table.ai_color is None and table.draws.allowed(color, _moment(table, color)):
        if not table.can_be_won_by(color.other):
            claim = Verdict(GameStatus.INSUFFICIENT_MATERIAL_CLAIM, None, Reason.DEAD_MATERIAL)
            table.finish(claim, now_ms)
            return
        table.draws.make(color, _moment(table, color))
        table.say_system(f"{color.wire.capitalize()} offers draw")
        table.tell_state(now_ms)


def _moment(table: Table, color: Color) -> int:
    """The ply by which offers are rationed: one in twenty plies, or at the parlour in ten moves of one's own."""
    return 2 * table.moves_by(color) if table.terms.parlour else table.plies


def _drop_draw_offer(table: Table, color: Color, now_ms: int) -> None:
    if table.draws.open is color:
        table.draws.close()
        table.say_system("Draw offer canceled")
        table.tell_state(now_ms)
    elif table.draws.open is color.other:
        # Lichess pushes no state for a refusal.
        table.draws.close()
        table.say_system(f"{color.wire.capitalize()} declines draw")


def answer_takeback(table: Table, color: Color, yes: bool, now_ms: int) -> None:
    """Propose, accept, refuse or withdraw a takeback; a machine accepts at once."""
    takebacks = table.takebacks
    if table.over or table.origin.tournament_id is not None:
        return
    if yes and takebacks.open is color.other:
        _grant_takeback(table, color, now_ms)
    elif yes and takebacks.allowed(color, table.plies, now_ms):
        takebacks.make(color)
        if table.ai_color is not None:
            _grant_takeback(table, table.ai_color, now_ms)
            return
        table.say_system(f"{color.wire.capitalize()} proposes takeback")
        table.tell_state(now_ms)
    elif not yes and takebacks.open is color.other:
        _refuse_takeback(table, now_ms)
    elif not yes and takebacks.open is color:
        takebacks.close()
        table.say_system("Takeback offer canceled")
        table.tell_state(now_ms)


def _grant_takeback(table: Table, color: Color, now_ms: int) -> None:
    """`color` lets the opponent have the last move back, and its own answer with it."""
    table.say_system(f"{color.wire.capitalize()} accepts takeback")
    table.take_back(2 if table.game.turn is color.other else 1, now_ms)


def _refuse_takeback(table: Table, now_ms: int) -> None:
    if table.takebacks.open is not None:
        table.say_system(f"{table.takebacks.open.other.wire.capitalize()} declines takeback")
        table.takebacks.refuse(now_ms)
        table.tell_state(now_ms)


def refuse_by_moving(table: Table, color: Color, now_ms: int) -> None:
    """`color` has moved instead of answering; only a refused takeback is followed by a state."""
    if table.draws.open is color.other:
        table.say_system(f"{color.wire.capitalize()} declines draw")
        table.draws.close()
    if table.takebacks.open is color.other:
        _refuse_takeback(table, now_ms)
