"""JSON Schema of what the server takes and gives; what may be left out is marked, what may be added is not told."""
from __future__ import annotations

from typing import Any, Final

from bot.server.terms import Speed
from bot.server.verdict import GameStatus
from rules import variants

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "integer"}
FLAG: Final[Schema] = {"type": "boolean"}
GAME_ID: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9]{8}$"}


def choice(*values: str) -> Schema:
    """One of these words."""
    return {"type": "string", "enum": list(values)}


def between(least: int, most: int) -> Schema:
    """A whole number within bounds, both included."""
    return {"type": "integer", "minimum": least, "maximum": most}


def many(of: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": of}


def by_key(of: Schema) -> Schema:
    """An object whose names are not fixed."""
    return {"type": "object", "additionalProperties": of}


def or_null(of: Schema) -> Schema:
    """Null is a value, too."""
    return {"anyOf": [of, {"type": "null"}]}


def named(name: str) -> Schema:
    """One of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def shape(required: Schema, optional: Schema | None = None) -> Schema:
    """An object with these fields, and perhaps others."""
    return {"type": "object", "required": list(required), "properties": required | (optional or {})}


COLOR: Final = choice("white", "black")
VARIANT_KEY: Final = choice(*(variant.key for variant in variants.ALL))
SPEED: Final = choice(*Speed)
_STATUS: Final = shape({"id": NUMBER, "name": choice(*(status.wire for status in GameStatus))})
_TIME: Final = {"type": "integer", "description": "milliseconds since 1970"}
_BRIEF: Final = {
    "id": TEXT,
    "username": TEXT,
    "perfs": by_key(shape({"games": NUMBER, "rating": NUMBER, "rd": NUMBER, "prog": NUMBER}, {"prov": FLAG})),
    "createdAt": _TIME,
    "seenAt": _TIME,
    "playTime": shape({"total": NUMBER, "tv": NUMBER}),
}
_ENTRANT: Final = {"name": TEXT, "rank": NUMBER, "rating": NUMBER, "score": NUMBER}
_ARENA: Final = {
    "id": TEXT,
    "createdBy": TEXT,
    "startsAt": {"description": "ISO 8601, in the list of all arenas milliseconds since 1970"},
    "system": choice("arena"),
    "fullName": TEXT,
    "minutes": NUMBER,
    "perf": shape({"key": TEXT, "name": TEXT, "icon": TEXT}),
    "clock": shape({"limit": NUMBER, "increment": NUMBER}),
    "variant": VARIANT_KEY,
    "rated": FLAG,
    "nbPlayers": NUMBER,
}
_ARENA_EXTRAS: Final = {"position": shape({"fen": TEXT}), "berserkable": FLAG, "botsAllowed": FLAG, "private": FLAG}

SCHEMAS: Final[dict[str, Schema]] = {
    "Done": shape({"ok": {"const": True}}),
    "Error": shape(
        {"error": {"description": "a text, or the messages of each wrong field of a form"}},
        {"ratelimit": shape({"key": TEXT, "seconds": NUMBER})},
    ),
    "Variant": shape({"key": VARIANT_KEY, "name": TEXT}, {"short": TEXT}),
    "UserBrief": shape(_BRIEF, {"title": choice("BOT")}),
    "User": shape(
        _BRIEF | {"url": TEXT, "count": by_key(NUMBER)},
        {"title": choice("BOT"), "playing": TEXT, "followable": FLAG, "following": FLAG, "blocking": FLAG},
    ),
    "UserStatus": shape({"id": TEXT, "name": TEXT}, {"title": TEXT, "online": FLAG, "signal": NUMBER}),
    "Tokens": by_key(
        or_null(shape({"userId": TEXT, "scopes": TEXT, "expires": or_null(NUMBER)})),
    ),
    "OngoingGame": shape(
        {
            "fullId": TEXT,
            "gameId": GAME_ID,
            "fen": TEXT,
            "color": COLOR,
            "lastMove": TEXT,
            "source": TEXT,
            "status": _STATUS,
            "variant": named("Variant"),
            "speed": SPEED,
            "perf": TEXT,
            "rated": FLAG,
            "hasMoved": FLAG,
            "opponent": shape({"id": or_null(TEXT), "username": TEXT}, {"rating": NUMBER, "ai": NUMBER}),
            "isMyTurn": FLAG,
        },
        {"secondsLeft": NUMBER, "winner": COLOR, "tournamentId": TEXT},
    ),
    "Player": shape({"id": TEXT, "name": TEXT}, {"rating": NUMBER, "provisional": FLAG, "title": TEXT, "online": FLAG}),
    "Challenge": shape(
        {
            "id": GAME_ID,
            "url": TEXT,
            "status": choice("created", "offline", "canceled", "declined", "accepted"),
            "challenger": or_null(named("Player")),
            "destUser": or_null(named("Player")),
            "variant": named("Variant"),
            "rated": FLAG,
            "speed": SPEED,
            "timeControl": shape(
                {"type": choice("clock", "correspondence", "unlimited", "turn")},
                {"limit": NUMBER, "increment": NUMBER, "daysPerTurn": NUMBER, "show": TEXT},
            ),
            "color": choice("white", "black", "random"),
            "finalColor": COLOR,
            "perf": shape({"icon": TEXT, "name": TEXT}),
        },
        {
            "direction": choice("in", "out"),
            "initialFen": TEXT,
            "declineReason": TEXT,
            "declineReasonKey": TEXT,
            "rules": many(TEXT),
            "rematchOf": GAME_ID,
            "open": {"type": "object"},
            "urlWhite": TEXT,
            "urlBlack": TEXT,
            "drawPolicy": choice("engine"),
        },
    ),
    "BegunGame": shape(
        {
            "id": GAME_ID,
            "variant": named("Variant"),
            "speed": SPEED,
            "perf": TEXT,
            "rated": FLAG,
            "source": TEXT,
            "createdAt": _TIME,
            "fen": TEXT,
            "turns": NUMBER,
            "status": _STATUS,
            "player": COLOR,
            "fullId": TEXT,
        }
    ),
    "GameFull": shape(
        {
            "type": choice("gameFull"),
            "id": GAME_ID,
            "variant": named("Variant"),
            "speed": SPEED,
            "perf": shape({"name": TEXT}),
            "rated": FLAG,
            "createdAt": _TIME,
            "white": {"type": "object"},
            "black": {"type": "object"},
            "initialFen": TEXT,
            "state": named("GameState"),
        },
        {
            "clock": shape({"initial": NUMBER, "increment": NUMBER}),
            "daysPerTurn": NUMBER,
            "secondsPerTurn": NUMBER,
            "tournamentId": TEXT,
            "drawPolicy": choice("engine"),
        },
    ),
    "GameState": shape(
        {
            "type": choice("gameState"),
            "moves": TEXT,
            "wtime": NUMBER,
            "btime": NUMBER,
            "winc": NUMBER,
            "binc": NUMBER,
            "status": choice(*(status.wire for status in GameStatus)),
        },
        {"winner": COLOR, "wdraw": FLAG, "bdraw": FLAG, "wtakeback": FLAG, "btakeback": FLAG, "reason": TEXT},
    ),
    "ChatLine": shape({"text": TEXT, "user": TEXT}),
    "ExportedGame": shape(
        {
            "id": GAME_ID,
            "rated": FLAG,
            "source": TEXT,
            "variant": VARIANT_KEY,
            "speed": SPEED,
            "perf": TEXT,
            "createdAt": _TIME,
            "lastMoveAt": _TIME,
            "status": choice(*(status.wire for status in GameStatus)),
            "players": shape({"white": {"type": "object"}, "black": {"type": "object"}}),
        },
        {
            "initialFen": TEXT,
            "winner": COLOR,
            "moves": TEXT,
            "clock": shape({"initial": NUMBER, "increment": NUMBER, "totalTime": NUMBER}),
            "clocks": many(NUMBER),
            "daysPerTurn": NUMBER,
            "secondsPerTurn": NUMBER,
            "pgn": TEXT,
        },
    ),
    "ArenaBrief": shape(_ARENA | {"status": NUMBER, "finishesAt": _TIME}, _ARENA_EXTRAS),
    "Arena": shape(
        _ARENA
        | {"standing": shape({"page": NUMBER, "players": many(shape(_ENTRANT))}), "duels": many({"type": "object"})},
        _ARENA_EXTRAS | {"secondsToStart": NUMBER, "secondsToFinish": NUMBER, "isFinished": FLAG},
    ),
}
