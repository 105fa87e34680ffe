"""Finished and running games for reading elsewhere: PGN, and Lichess's JSON."""
from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from bot import pgn
from bot.server.shapes import Json, rating_change
from bot.server.table import Table
from bot.server.terms import Correspondence, Countdown, PerTurn, TimeControl
from bot.server.verdict import GameStatus
from rules.move import Color

_LAG_PLIES = 3
_TERMINATIONS = {
    GameStatus.STARTED: "Unterminated",
    GameStatus.ABORTED: "Unterminated",
    GameStatus.TIMEOUT: "Abandoned",
    GameStatus.OUT_OF_TIME: "Time forfeit",
}


def as_pgn(table: Table, site_url: str, options: Mapping[str, bool]) -> str:
    """A game as PGN; the options `tags`, `moves`, `opening` and `clocks` leave these out when false."""
    clocks_cs = table.clock.after_each_ply_cs(table.first) if options.get("clocks", True) else ()
    return pgn.write(
        table.game,
        _header(table, site_url),
        plies=_shown_plies(table),
        clocks_cs=clocks_cs,
        with_tags=options.get("tags", True),
        with_moves=options.get("moves", True),
        with_opening=options.get("opening", True),
    )


def as_json(table: Table, site_url: str, options: Mapping[str, bool]) -> Json:
    """A game as JSON: start time in seconds, times left after each ply in centiseconds."""
    terms, verdict, plies = table.terms, table.verdict, _shown_plies(table)
    shape: Json = {
        "id": table.id,
        "rated": terms.rated,
        "source": table.origin.source.value,
        "variant": terms.variant.key,
        "speed": terms.speed.value,
        "perf": terms.perf_key,
        "createdAt": table.created_at_ms,
        "lastMoveAt": table.changed_at_ms,
        "status": verdict.status.wire,
        "players": {color.wire: _player(table, color) for color in Color},
    }
    if terms.start_fen is not None:
        shape["initialFen"] = terms.start_fen
    if table.origin.tournament_id is not None:
        shape["tournament"] = table.origin.tournament_id
    if verdict.winner is not None:
        shape["winner"] = verdict.winner.wire
    if options.get("moves", True):
        shape["moves"] = " ".join(table.game.san_moves()[:plies])
    shape |= _time(terms.time)
    clocks_cs = table.clock.after_each_ply_cs(table.first)[:plies]
    if clocks_cs and options.get("clocks", True):
        shape["clocks"] = clocks_cs
    if options.get("pgnInJson", False):
        shape["pgn"] = as_pgn(table, site_url, options)
    if not terms.variant.lichess:
        shape |= {"systemMoves": {color.wire: table.system_moves[color] for color in Color}}
        if verdict.reason is not None:
            shape["reason"] = verdict.reason.value
    return shape


def _shown_plies(table: Table) -> int:
    """A running game is shown without its last moves, so that nobody can be helped."""
    return table.plies if table.over else max(table.plies - _LAG_PLIES, 0)


def _header(table: Table, site_url: str) -> pgn.PgnHeader:
    terms, verdict = table.terms, table.verdict
    aborted = verdict.status is GameStatus.ABORTED
    return pgn.PgnHeader(
        event=_event(table, site_url),
        site=f"{site_url}/{table.id}",
        game_id=table.id,
        started_at=datetime.fromtimestamp(table.created_at_ms / 1000, UTC),
        white=_pgn_player(table, Color.WHITE),
        black=_pgn_player(table, Color.BLACK),
        result=pgn.result_of(table.over and not aborted, verdict.winner),
        time_control=_time_control_tag(terms.time),
        termination=_TERMINATIONS.get(verdict.status, "Normal"),
    )


def _event(table: Table, site_url: str) -> str:
    kind = f"{'Rated' if table.terms.rated else 'Casual'} {table.terms.perf_name}"
    tournament_id = table.origin.tournament_id
    return f"{kind} game" if tournament_id is None else f"{kind} tournament {site_url}/tournament/{tournament_id}"


def _pgn_player(table: Table, color: Color) -> pgn.PgnPlayer:
    seat, changes = table.seats[color], table.rating_changes
    name = seat.name if seat.ai_level is None else f"lichess AI level {seat.ai_level}"
    return pgn.PgnPlayer(name, seat.title, seat.rating, None if changes is None else changes[color])


def _player(table: Table, color: Color) -> Json:
    seat = table.seats[color]
    if seat.ai_level is not None:
        return {"aiLevel": seat.ai_level}
    user: Json = {"name": seat.name, "id": seat.user_id}
    if seat.title:
        user["title"] = seat.title
    shape = {"user": user, "rating": seat.rating} | rating_change(table, color)
    return shape | ({"provisional": True} if seat.provisional else {})


def _time(time: TimeControl) -> Json:
    match time:
        case Countdown():
            total_s = time.estimate_s
            return {"clock": {"initial": time.limit_s, "increment": time.increment_s, "totalTime": total_s}}
        case PerTurn():
            return {"secondsPerTurn": time.limit_s}
        case Correspondence():
            return {"daysPerTurn": time.days}
        case _:
            return {}


def _time_control_tag(time: TimeControl) -> str:
    """Seconds and increment; one move in so many seconds where every move has its own time."""
    match time:
        case Countdown():
            return f"{time.limit_s}+{time.increment_s}"
        case PerTurn():
            return f"1/{time.limit_s}"
        case _:
            return "-"
