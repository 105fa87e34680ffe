"""The JSON of the wire: field names, units and order as on Lichess.

Times of streams are milliseconds; a field that does not apply is left out, unless Lichess writes null.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.ratings import Ladders
from bot.server.events import ChatEvent, GoneEvent, StateEvent
from bot.server.lobby import Challenge, ChallengeStatus
from bot.server.perfs import Perf, month_of
from bot.server.table import Seat, Table
from bot.server.terms import Correspondence, Countdown, PerTurn, Terms, TimeControl, is_plain_chess
from bot.server.users import User
from bot.server.verdict import GameStatus
from rules import variants
from rules.move import Color
from rules.variant import Variant

Json = dict[str, Any]
_SPEED_ICONS = {
    "ultraBullet": "\ue059",
    "bullet": "\ue032",
    "blitz": "\ue01d",
    "rapid": "\ue002",
    "classical": "\ue00a",
    "correspondence": "\ue019",
}
_VARIANT_ICON = "\ue000"


def variant_name(variant: Variant) -> Json:
    """Key, name and short name."""
    return {"key": variant.key, "name": variant.name, "short": variant.short}


def time_control(time: TimeControl) -> Json:
    """A time control as challenges tell it."""
    match time:
        case Countdown():
            return {"type": "clock", "limit": time.limit_s, "increment": time.increment_s, "show": time.shown}
        case PerTurn():
            return {"type": "turn", "limit": time.limit_s, "show": time.shown}
        case Correspondence():
            return {"type": "correspondence", "daysPerTurn": time.days}
        case _:
            return {"type": "unlimited"}


def compat(terms: Terms) -> Json:
    """Which of Lichess's APIs may play on these terms."""
    return {"bot": terms.bots_can_play, "board": terms.boards_can_play}


def challenge_user(user: User, perf_key: str, online: bool) -> Json:
    """A player as challenges name them."""
    shape: Json = {"id": user.id, "name": user.name, "rating": user.rating(perf_key)}
    if user.provisional(perf_key):
        shape["provisional"] = True
    if user.title:
        shape["title"] = user.title
    if online:
        shape["online"] = True
    return shape


def perf_icon(terms: Terms) -> str:
    """The character of Lichess's font for a rating category."""
    return _SPEED_ICONS[terms.speed.value] if is_plain_chess(terms.variant) else _VARIANT_ICON


def challenge(each: Challenge, challenger: Json | None, dest: Json | None, site_url: str) -> Json:
    """A challenge; the players, as far as they are known, come as `challenge_user` writes them."""
    terms = each.terms
    shape: Json = {
        "id": each.id,
        "url": f"{site_url}/{each.id}",
        "status": each.status.value,
        "challenger": challenger,
        "destUser": dest,
        "variant": variant_name(terms.variant),
        "rated": terms.rated,
        "speed": terms.speed.value,
        "timeControl": time_control(terms.time),
        "color": "random" if each.color is None else each.color.wire,
        "finalColor": each.final_color.wire,
        "perf": {"icon": perf_icon(terms), "name": terms.perf_name},
    }
    start_fen = terms.start_fen or _unusual_start(terms.variant)
    if start_fen is not None:
        shape["initialFen"] = start_fen
    if each.status is ChallengeStatus.DECLINED:
        shape |= {"declineReason": each.decline_reason, "declineReasonKey": each.decline_key}
    if each.open is not None:
        shape["open"] = {"userIds": list(each.open.user_ids)} if each.open.user_ids else {}
    if terms.rules:
        shape["rules"] = list(terms.rules)
    if each.rematch_of is not None:
        shape["rematchOf"] = each.rematch_of
    if each.open is not None:
        shape |= {f"url{color.wire.capitalize()}": f"{site_url}/{each.id}?color={color.wire}" for color in Color}
        if each.open.name is not None:
            shape["name"] = each.open.name
    return shape | _own_terms(terms)


def _own_terms(terms: Terms) -> Json:
    """What Lichess's games do not have."""
    return ({"drawPolicy": "engine"} if terms.engine_draws else {}) | ({"watch": True} if terms.watched else {})


def _unusual_start(variant: Variant) -> str | None:
    """The start position of a game whose men do not start as in chess; challenges show it."""
    usual = variants.STANDARD.start_fen.split()[0]
    placement = variant.start_fen.split()[0].partition("[")[0]
    return None if placement == usual else str(variant.start_fen)


def game_full(table: Table, state: StateEvent) -> Json:
    """The first line of a game stream."""
    terms = table.terms
    shape: Json = {
        "id": table.id,
        "variant": variant_name(terms.variant),
        "speed": terms.speed.value,
        "perf": {"name": terms.perf_name},
        "rated": terms.rated,
        "createdAt": table.created_at_ms,
        "white": _player(table.seats[Color.WHITE]),
        "black": _player(table.seats[Color.BLACK]),
        "initialFen": terms.start_fen or terms.variant.start_on_wire,
    }
    match terms.time:
        case Countdown(limit_s, increment_s):
            shape["clock"] = {"initial": limit_s * 1000, "increment": increment_s * 1000}
        case PerTurn(limit_s):
            shape["secondsPerTurn"] = limit_s
        case Correspondence(days):
            shape["daysPerTurn"] = days
    if table.origin.tournament_id is not None:
        shape["tournamentId"] = table.origin.tournament_id
    shape |= _own_terms(terms)
    shape |= {"type": "gameFull", "state": game_state(state, own_game=not terms.variant.lichess)}
    return shape


def _player(seat: Seat) -> Json:
    """A player; a machine has a level, and on Lichess nothing else."""
    if seat.ai_level is not None:
        return {"aiLevel": seat.ai_level}
    shape: Json = {"id": seat.user_id, "name": seat.name, "title": seat.title, "rating": seat.rating}
    return shape | ({"provisional": True} if seat.provisional else {})


def game_state(state: StateEvent, *, own_game: bool) -> Json:
    """A state line; a game that Lichess does not have also tells the reason of its end."""
    white_ms, black_ms = state.left_ms
    shape: Json = {
        "type": "gameState",
        "moves": state.moves,
        "wtime": white_ms,
        "btime": black_ms,
        "winc": state.increment_ms,
        "binc": state.increment_ms,
        "status": state.verdict.status.wire,
    }
    if state.verdict.winner is not None:
        shape["winner"] = state.verdict.winner.wire
    names = ("wdraw", "bdraw", "wtakeback", "btakeback", "wautomatic", "bautomatic", "wlookedAway", "blookedAway")
    flags = (*state.draw_offered, *state.takeback_proposed, *state.automatic, *state.looked_away)
    shape |= {name: True for name, flag in zip(names, flags, strict=True) if flag}
    if state.expiration is not None:
        shape["expiration"] = {"idleMillis": state.expiration.idle_ms, "millisToMove": state.expiration.to_move_ms}
    if state.rematch_id is not None:
        shape["rematch"] = state.rematch_id
    if own_game and state.verdict.reason is not None:
        shape["reason"] = state.verdict.reason.value
    return shape


def chat_line(line: ChatEvent) -> Json:
    """A line of chat in a game stream."""
    return {"type": "chatLine", "room": line.room.value, "username": line.username, "text": line.text}


def opponent_gone(event: GoneEvent) -> Json:
    """The opponent has left, or is back."""
    shape: Json = {"type": "opponentGone", "gone": event.gone}
    if event.gone:
        shape["claimWinInSeconds"] = event.claim_in_s
    return shape


def begun_game(table: Table, color: Color) -> Json:
    """A game that has begun at once, told to the player of `color` who has asked for it."""
    terms = table.terms
    return {
        "id": table.id,
        "variant": variant_name(terms.variant),
        "speed": terms.speed.value,
        "perf": terms.perf_key,
        "rated": terms.rated,
        "source": table.origin.source.value,
        "createdAt": table.created_at_ms,
        "fen": table.game.position.fen(),
        "turns": table.plies,
        "status": status(table.verdict.status),
        "player": table.game.turn.wire,
        "fullId": table.id + table.seats[color].key,
    }


def status(of: GameStatus) -> Json:
    """A status with its number."""
    return {"id": of.number, "name": of.wire}


def ongoing_game(table: Table, color: Color, now_ms: int) -> Json:
    """A game as `/api/account/playing` tells it to the player of `color`."""
    terms, moves = table.terms, table.moves()
    shape: Json = {
        "fullId": table.id + table.seats[color].key,
        "gameId": table.id,
        "fen": table.game.position.fen(),
        "color": color.wire,
        "lastMove": _last_move(moves),
        "source": table.origin.source.value,
        "status": status(table.verdict.status),
        "variant": {"key": terms.variant.key, "name": terms.variant.name},
        "speed": terms.speed.value,
        "perf": terms.perf_key,
        "rated": terms.rated,
        "hasMoved": table.has_moved(color),
        "opponent": _opponent(table, color.other),
        "isMyTurn": table.game.turn is color,
    }
    if table.clock.measured:
        shape["secondsLeft"] = table.clock.left_ms(color, now_ms) // 1000
    if table.verdict.winner is not None:
        shape["winner"] = table.verdict.winner.wire
    if table.origin.tournament_id is not None:
        shape["tournamentId"] = table.origin.tournament_id
    return shape


def event_game(table: Table, color: Color, now_ms: int) -> Json:
    """A game as the event stream tells it to the player of `color`."""
    return {
        **ongoing_game(table, color, now_ms),
        "rating": table.seats[color].rating,
        **rating_change(table, color),
        "compat": compat(table.terms),
        "id": table.id,
    }


def _last_move(moves: Sequence[str]) -> str:
    """A drop is shown as its square, twice."""
    if not moves:
        return ""
    return moves[-1][2:] * 2 if "@" in moves[-1] else moves[-1]


def _opponent(table: Table, color: Color) -> Json:
    seat = table.seats[color]
    if seat.ai_level is not None:
        return {"id": None, "username": seat.name, "ai": seat.ai_level}
    shown = f"{seat.title} {seat.name}" if seat.title else seat.name
    return {"id": seat.user_id, "username": shown, "rating": seat.rating} | rating_change(table, color)


def rating_change(table: Table, color: Color) -> Json:
    """What a rated game has brought a player, once it is over."""
    return {} if table.rating_changes is None else {"ratingDiff": table.rating_changes[color]}


def user_brief(each: User, seen_at_ms: int) -> Json:
    """What is told of a user among many."""
    shape: Json = {"id": each.id, "username": each.name, "perfs": _perfs(each.perfs, seen_at_ms)}
    if each.title:
        shape["title"] = each.title
    return shape | {"createdAt": each.created_at_ms, "seenAt": seen_at_ms, "playTime": {"total": 0, "tv": 0}}


def user(each: User, site_url: str, seen_at_ms: int) -> Json:
    """The public profile of a user."""
    tally = each.tally
    count = {
        "all": tally.played,
        "rated": tally.rated,
        "draw": tally.drawn,
        "loss": tally.lost,
        "win": tally.won,
        "bookmark": 0,
        "playing": 0,
        "import": 0,
        "me": 0,
    }
    return user_brief(each, seen_at_ms) | {"url": f"{site_url}/@/{each.name}", "count": count}


def game_meta(table: Table) -> Json:
    """What is played, for those who only want to know that."""
    shape: Json = {"id": table.id}
    if isinstance(table.terms.time, Countdown):
        shape["clock"] = table.terms.time.shown
    return shape | {"variant": table.terms.variant.key}


def _perfs(perfs: Mapping[str, Perf], now_ms: int) -> Json:
    return {key: _perf(perf, now_ms) for key, perf in perfs.items()}


def _perf(perf: Perf, now_ms: int) -> Json:
    """A category; one with ladders has no deviation, and tells of the month's ladder as well."""
    standing = perf.standing
    shape: Json = {"games": perf.games, "rating": standing.shown, "rd": 0, "prog": perf.progress}
    if isinstance(standing, Ladders):
        return shape | {"monthly": standing.in_month(month_of(now_ms)).monthly}
    current = standing.aged(now_ms) if standing.at_ms else standing
    return shape | {"rd": round(current.deviation)} | ({"prov": True} if current.provisional else {})
