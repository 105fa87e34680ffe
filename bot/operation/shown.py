"""How the bot fares, in words for people and in values for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bot.status import AccountStatus, GameStatus, State


def as_values(statuses: Sequence[AccountStatus], problems: Sequence[str]) -> dict[str, Any]:
    """Everything, for JSON."""
    return {"healthy": not problems, "problems": list(problems), "accounts": [asdict(status) for status in statuses]}


def as_text(statuses: Sequence[AccountStatus], problems: Sequence[str]) -> str:
    """Everything, a line for each account, game and problem."""
    lines = []
    for status in statuses:
        lines.append(account_line(status))
        lines += [f"  {game_line(game)}" for game in status.games]
    lines += [f"unwell: {problem}" for problem in problems]
    return "\n".join(lines)


def games_text(statuses: Sequence[AccountStatus]) -> str:
    """The running games with their addresses."""
    lines = [f"{status.account}: {game_line(game)}" for status in statuses for game in status.games]
    return "\n".join(lines) if lines else "no game is running"


def account_line(status: AccountStatus) -> str:
    """One account in a line."""
    parts = [f"{status.account} on {status.site}: {status.state}"]
    if status.state is not State.STOPPED:
        parts.append(f"{status.places} of {status.most_games} places taken")
        parts.append(f"last sign of life {status.heard_s:.0f} s ago")
    if status.waiting:
        parts.append(f"{status.waiting} challenges waiting")
    if status.limited_s > 0:
        parts.append(f"only moves for {status.limited_s:.0f} s, the site has asked")
    if status.problem is not None:
        parts.append(status.problem)
    return ", ".join(parts)


def game_line(game: GameStatus) -> str:
    """One game in a line."""
    mode = "rated" if game.rated else "casual"
    turn = "our move" if game.our_turn else "their move"
    clock = "" if game.left_s is None else f", {game.left_s:.0f} s left"
    return (
        f"{game.url} {game.variant}, {game.speed}, {mode}, {game.color} against {game.opponent}, "
        f"{game.plies} plies, {turn}{clock}"
    )
