"""From the last word on a game to its record."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from bot.directory import ExportedGame
from bot.records.game import VANISHED, GameRecord, OpenGame, result_of
from bot.wire import GameFull, GameState

# what a status alone says; the others depend on the game
REASONS: Final = {
    "mate": "checkmate",
    "stalemate": "stalemate",
    "resign": "resignation",
    "outoftime": "flag",
    "timeout": "abandonment",
    "aborted": "aborted",
    "noStart": "noStart",
}


def record_of_state(
    entry: OpenGame, full: GameFull, state: GameState, color: str, rules_reason: str | None, now: datetime
) -> GameRecord:
    """The record of a game whose final state we saw; `rules_reason` is why our own rules see it ended, if they do."""
    opponent = full.black if color == "white" else full.white
    started = full.created_at
    return GameRecord(
        game_id=entry.game_id,
        url=entry.url,
        source=entry.source,
        account=entry.account,
        variant=full.variant.key,
        rated=full.rated,
        speed=full.speed or entry.speed,
        color=color,
        opponent=opponent.shown_name,
        result=result_of(state.status, state.winner),
        status=state.status,
        reason=state.reason or _reason(state.status, rules_reason),
        plies=len(state.move_list),
        started_at=_from_ms(started) if started else entry.started_at,
        ended_at=utc_text(now),
        initial_fen=full.fen,
        moves=state.moves,
    )


def record_of_export(entry: OpenGame, exported: ExportedGame | None, now: datetime) -> GameRecord:
    """The record of a game that ended unseen; None is a game that the site does not know any more."""
    status = VANISHED if exported is None else exported.status
    ended = None if exported is None else exported.last_move_at
    moves = "" if exported is None else exported.moves
    return GameRecord(
        game_id=entry.game_id,
        url=entry.url,
        source=entry.source,
        account=entry.account,
        variant=entry.variant,
        rated=entry.rated,
        speed=entry.speed,
        color=entry.color,
        opponent=entry.opponent,
        result=result_of(status, None if exported is None else exported.winner),
        status=status,
        reason=_reason(status, None),
        plies=len(moves.split()),
        started_at=entry.started_at,
        ended_at=utc_text(now) if ended is None else _from_ms(ended),
        moves=moves,
    )


def utc_text(moment: datetime) -> str:
    """A time as ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_ms(milliseconds: int) -> str:
    return utc_text(datetime.fromtimestamp(milliseconds / 1000, UTC))


def _reason(status: str, rules_reason: str | None) -> str | None:
    """Why it ended, by the status; a draw that our rules do not see was agreed."""
    if status in REASONS:
        return REASONS[status]
    if status == "draw":
        return rules_reason or "agreement"
    return rules_reason if status == "variantEnd" else None
