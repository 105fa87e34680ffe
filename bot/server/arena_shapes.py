"""The JSON of arenas, as on Lichess."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.server.arena import Arena, ArenaStatus, Entrant
from bot.server.shapes import Json, perf_icon
from bot.server.table import Table
from bot.server.terms import Countdown
from rules import variants
from rules.move import Color

_PAGE_ENTRANTS = 10
_PODIUM = 3


def arena_full(arena: Arena, tables: Sequence[Table], now_ms: int, page: int) -> Json:
    """All about an arena, with one page of its players; `tables` are its games as far as they are remembered."""
    plan, status = arena.plan, arena.status(now_ms)
    standing = arena.standing()
    first = (page - 1) * _PAGE_ENTRANTS
    shape: Json = {"nbPlayers": len(standing), "duels": []}
    if status is ArenaStatus.CREATED:
        shape["secondsToStart"] = -(-(plan.starts_at_ms - now_ms) // 1000)
    elif status is ArenaStatus.STARTED:
        shape["secondsToFinish"] = -(-(plan.ends_at_ms - now_ms) // 1000)
    else:
        shape |= {"isFinished": True, "pairingsClosed": True, "podium": _podium(arena, standing)}
        shape["stats"] = _stats(tables)
    rows = [
        _row(arena, entrant, rank)
        for rank, entrant in enumerate(standing[first : first + _PAGE_ENTRANTS], start=first + 1)
    ]
    shape["standing"] = {"page": page, "players": rows}
    return shape | _plan(arena)


def arena_brief(arena: Arena, now_ms: int) -> Json:
    """An arena in the list of all."""
    plan = arena.plan
    return _plan(arena) | {
        "nbPlayers": len(arena.entrants),
        "status": arena.status(now_ms).value,
        "startsAt": plan.starts_at_ms,
        "finishesAt": plan.ends_at_ms,
    }


def _plan(arena: Arena) -> Json:
    plan, terms = arena.plan, arena.plan.terms
    assert isinstance(terms.time, Countdown)
    shape: Json = {
        "id": arena.id,
        "createdBy": arena.creator_id,
        "startsAt": datetime.fromtimestamp(plan.starts_at_ms / 1000, UTC).isoformat().replace("+00:00", "Z"),
        "system": "arena",
        "fullName": plan.name,
        "minutes": plan.minutes,
        "perf": {"key": terms.perf_key, "name": terms.perf_name, "icon": perf_icon(terms)},
        "clock": {"limit": terms.time.limit_s, "increment": terms.time.increment_s},
        # Lichess calls an arena from a position standard, and shows the position beside it.
        "variant": variants.STANDARD.key if terms.variant.needs_fen else terms.variant.key,
        "rated": terms.rated,
    }
    if terms.start_fen is not None:
        shape["position"] = {"name": "Custom position", "fen": terms.start_fen}
    flags = {"berserkable": plan.berserkable, "botsAllowed": plan.bots_allowed, "private": plan.password is not None}
    return shape | {name: True for name, flag in flags.items() if flag} | {"verdicts": {"list": [], "accepted": True}}


def _player(entrant: Entrant) -> Json:
    return {"name": entrant.name} | ({"title": entrant.title} if entrant.title else {})


def _row(arena: Arena, entrant: Entrant, rank: int) -> Json:
    scores = arena.scores(entrant)
    sheet: Json = {"scores": "".join(map(str, scores))}
    if arena.plan.streakable and entrant.on_fire(entrant.results):
        sheet["fire"] = True
    row = _player(entrant) | {"rank": rank, "rating": entrant.rating, "score": sum(scores), "sheet": sheet}
    return row | ({"withdraw": True} if entrant.paused else {})


def _podium(arena: Arena, standing: Sequence[Entrant]) -> list[Json]:
    podium = []
    for rank, entrant in enumerate(standing[:_PODIUM], start=1):
        results = entrant.results
        counts = {
            "game": len(results),
            "berserk": sum(result.berserk for result in results),
            "win": sum(result.won for result in results),
        }
        score = sum(arena.scores(entrant))
        podium.append(_player(entrant) | {"rank": rank, "rating": entrant.rating, "score": score, "nb": counts})
    return podium


def _stats(tables: Sequence[Table]) -> Json:
    finished = [table for table in tables if table.over]
    winners = [table.verdict.winner for table in finished]
    ratings = [seat.rating for table in finished for seat in table.seats if seat.rating is not None]
    return {
        "games": len(finished),
        "moves": sum(table.plies for table in finished),
        "whiteWins": winners.count(Color.WHITE),
        "blackWins": winners.count(Color.BLACK),
        "draws": winners.count(None),
        "berserks": sum(len(table.berserk) for table in finished),
        "averageRating": sum(ratings) // len(ratings) if ratings else 0,
    }
