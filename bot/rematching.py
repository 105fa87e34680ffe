"""Whether to ask for another game after one: a pure decision."""

from __future__ import annotations

from collections.abc import Sequence

from bot import time_controls, wire
from bot.admission import Accept, Known, Load, answer
from bot.config import Acceptance, Rematches
from bot.matchmaking import Proposal, other_color
from bot.records.game import GameRecord

NO_REMATCH = "noRematch"
# who has left does not want another one, and what was no game needs none
NO_REASON_FOR_MORE = ("timeout", "noStart", "cheat", "aborted", "unknownFinish")


def challenge_back(
    record: GameRecord, full: wire.GameFull, rules: Sequence[str], account_id: str
) -> wire.Challenge | None:
    """The challenge that the opponent might send for a rematch; None when it cannot, or would hardly want to."""
    ours = record.color == "white"
    us, opponent = (full.white, full.black) if ours else (full.black, full.white)
    if opponent.id is None or full.tournament_id is not None or record.status in NO_REASON_FOR_MORE:
        return None
    if NO_REMATCH in rules:
        return None
    return wire.Challenge(
        id="",
        challenger=_user(opponent, opponent.id),
        dest_user=_user(us, account_id),
        variant=full.variant,
        rated=full.rated,
        speed=full.speed,
        time_control=_on_wire(time_controls.of_game(full)),
        color=record.color,
        initial_fen=full.fen,
        rematch_of=record.game_id,
    )


def rematch(
    wanted: wire.Challenge,
    record: GameRecord,
    full: wire.GameFull,
    settings: Rematches,
    policy: Acceptance,
    load: Load,
    known: Known,
) -> Proposal | None:
    """The rematch to offer: one that we would accept ourselves, if that many in a row are offered at all."""
    opponent, us = wanted.challenger, wanted.dest_user
    if opponent is None or us is None:
        return None
    if known.rematches >= (settings.bots if opponent.is_bot else settings.humans):
        return None
    if not isinstance(answer(wanted, wire.Compat(), policy, load, us.id, known), Accept):
        return None
    return Proposal(
        opponent.id,
        full.variant.key,
        time_controls.of_game(full),
        full.rated,
        other_color(record.color),
        full.fen,
        rematch_of=record.game_id,
    )


def _user(player: wire.Player, player_id: str) -> wire.User:
    return wire.User(
        id=player_id,
        name=player.shown_name,
        title=player.title,
        rating=player.rating,
        provisional=player.provisional,
    )


def _on_wire(control: time_controls.TimeControl) -> wire.TimeControl:
    match control:
        case time_controls.Countdown(limit_s, increment_s):
            return wire.TimeControl(type="clock", limit=limit_s, increment=increment_s)
        case time_controls.PerTurn(seconds):
            return wire.TimeControl(type="turn", limit=seconds)
        case time_controls.PerDays(days):
            return wire.TimeControl(type="correspondence", days_per_turn=days)
        case time_controls.Unlimited():
            return wire.TimeControl(type="unlimited")
