"""What the description of the server says of each route beyond what the route itself tells.

A note belongs to a function that answers requests, named by module and function.  A route without a note is described
all the same, by its path, its methods and the first line of its function's docstring.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.server.openapi_schemas import (
    COLOR,
    FLAG,
    NUMBER,
    TEXT,
    VARIANT_KEY,
    Schema,
    between,
    by_key,
    choice,
    many,
    named,
    or_null,
    shape,
)

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
PGN: Final = "application/x-chess-pgn"
PLAIN: Final = "text/plain"
HTML: Final = "text/html"


@dataclass(frozen=True, slots=True)
class Note:
    """Of one route.

    scopes: any one of these is needed; none at all: any token will do; None: everybody may ask.
    token_helps: everybody may ask, but a token that comes with it must be valid.
    query, form: parameters with their schema; those of a form that are `required` must be there.
    text: the body is plain text, this.
    replies: what is answered, by type of content; `status` is the code.
    stream: the answer does not end by itself.
    words: the values of parameters of the path that are no free text.
    """

    scopes: tuple[str, ...] | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    form: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    text: str | None = None
    replies: Mapping[str, Schema] = field(default_factory=lambda: {JSON: named("Done")})
    status: int = 200
    stream: bool = False
    words: Mapping[str, Schema] = field(default_factory=dict)
    token_helps: bool = False


_WRITE: Final = ("challenge:write", "bot:play", "board:play")
_PLAY: Final = ("bot:play", "board:play")
_TERMS: Final[dict[str, Schema]] = {
    "rated": FLAG,
    "clock.limit": between(0, 10_800) | {"description": "seconds"},
    "clock.increment": between(0, 60) | {"description": "seconds"},
    "days": {"type": "integer", "enum": [1, 2, 3, 5, 7, 10, 14]},
    "turn.limit": between(5, 600) | {"description": "seconds for every move, in our own games"},
    "variant": VARIANT_KEY,
    "fen": TEXT,
    "rules": TEXT | {"description": "noAbort, noRematch, noGiveTime, noClaimWin, noEarlyDraw, separated by commas"},
    "drawPolicy": choice("lichess", "engine"),
    "watch": FLAG | {"description": "who looks away may find the game annulled, in our own games"},
}
_KEEP_ALIVE: Final = FLAG | {"description": "answer with a stream that ends with what becomes of the challenge"}
_COLOR_FIELD: Final[dict[str, Schema]] = {"color": choice("white", "black", "random")}
_EXPORT: Final[dict[str, Schema]] = dict.fromkeys(("moves", "tags", "clocks", "opening", "pgnInJson"), FLAG)
_ONE_GAME: Final[dict[str, Schema]] = {PGN: TEXT, JSON: named("ExportedGame")}
_MANY_GAMES: Final[dict[str, Schema]] = {PGN: TEXT, NDJSON: named("ExportedGame")}
_GAMES_OF_USER: Final[dict[str, Schema]] = _EXPORT | {
    "since": NUMBER,
    "until": NUMBER,
    "max": between(1, 300),
    "vs": TEXT,
    "rated": FLAG,
    "perfType": TEXT,
    "color": COLOR,
    "ongoing": FLAG,
    "finished": FLAG,
    "sort": choice("dateAsc", "dateDesc"),
}
_TOURNAMENT: Final = ("tournament:write",)
_ARENA_FORM: Final[dict[str, Schema]] = {
    "name": TEXT,
    "clockTime": {"type": "number", "description": "minutes"},
    "clockIncrement": between(0, 60) | {"description": "seconds"},
    "minutes": between(1, 720),
    "waitMinutes": between(0, 720),
    "startDate": NUMBER,
    "variant": VARIANT_KEY,
    "rated": FLAG,
    "position": TEXT,
    "berserkable": FLAG,
    "streakable": FLAG,
    "password": TEXT,
    "conditions.bots": FLAG,
    "conditions.teamMember.teamId": TEXT,
}
_NO_SCOPE: Final[tuple[str, ...]] = ()


def _json(of: Schema) -> dict[str, Schema]:
    return {JSON: of}


NOTES: Final[dict[str, Note]] = {
    "openapi.description": Note(replies=_json({"type": "object"})),
    "routes_account.test_tokens": Note(text="tokens, separated by commas", replies=_json(named("Tokens"))),
    "routes_account.account": Note(_NO_SCOPE, replies=_json(named("User"))),
    "routes_account.playing": Note(
        _NO_SCOPE,
        {"nb": between(1, 50)},
        replies=_json(shape({"nowPlaying": many(named("OngoingGame")), "nbMyTurn": NUMBER})),
    ),
    "routes_account.upgrade": Note(("bot:play",)),
    "routes_account.online_bots": Note(query={"nb": between(1, 300)}, replies={NDJSON: named("UserBrief")}),
    "routes_account.users_status": Note(
        query={"ids": TEXT, "withSignal": FLAG, "withGameIds": FLAG, "withGameMetas": FLAG},
        replies=_json(many(named("UserStatus"))),
    ),
    "routes_account.user_profile": Note(replies=_json(named("User")), token_helps=True),
    "routes_account.ping": Note(replies={PLAIN: TEXT}),
    "routes_admin.mint_for_users": Note(
        ("admin",), form={"users": TEXT, "description": TEXT}, required=("users",), replies=_json(by_key(TEXT))
    ),
    "routes_relation.following": Note(("follow:read", "follow:write"), replies={NDJSON: named("UserBrief")}),
    "routes_relation.relate": Note(
        ("follow:write",), words={"action": choice("follow", "unfollow", "block", "unblock")}
    ),
    "routes_special.challenge_ai": Note(
        _WRITE,
        form={"level": between(1, 8)} | _TERMS | _COLOR_FIELD,
        required=("level",),
        replies=_json(named("BegunGame")),
        status=201,
    ),
    "routes_special.challenge_open": Note(
        form={"name": TEXT, "users": TEXT, "expiresAt": NUMBER} | _TERMS,
        replies=_json(named("Challenge")),
        token_helps=True,
    ),
    "routes_special.start_clocks": Note(query={"token1": TEXT, "token2": TEXT}),
    "routes_special.add_time": Note(("challenge:write",), words={"seconds": between(5, 60)}),
    "routes_challenge.events": Note(
        ("bot:play", "board:play", "challenge:read"), replies={NDJSON: {"type": "object"}}, stream=True
    ),
    "routes_challenge.create": Note(
        _WRITE,
        form={"keepAliveStream": _KEEP_ALIVE, "acceptByToken": TEXT} | _TERMS | _COLOR_FIELD,
        replies={
            JSON: {"anyOf": [named("Challenge"), shape({"game": named("BegunGame")})]},
            NDJSON: {"type": "object"},
        },
    ),
    "routes_challenge.pending": Note(
        ("challenge:read",), replies=_json(shape({"in": many(named("Challenge")), "out": many(named("Challenge"))}))
    ),
    "routes_challenge.show": Note(("challenge:read",), replies=_json(named("Challenge"))),
    "routes_challenge.accept": Note(_WRITE, {"color": COLOR}),
    "routes_challenge.decline": Note(_WRITE, form={"reason": TEXT}),
    "routes_challenge.cancel": Note(_WRITE, {"opponentToken": TEXT}),
    "routes_game.stream": Note(_PLAY, replies={NDJSON: {"type": "object"}}, stream=True),
    "routes_game.chat": Note(_PLAY, replies=_json(many(named("ChatLine")))),
    "routes_game.say": Note(
        _PLAY, form={"room": choice("player", "spectator"), "text": TEXT}, required=("room", "text")
    ),
    "routes_game.claim": Note(_PLAY),
    "routes_game.command": Note(_PLAY, {"offeringDraw": FLAG, "lag": NUMBER | {"description": "milliseconds"}}),
    "routes_export.one": Note(query=_EXPORT, replies=_ONE_GAME),
    "routes_export.current": Note(query=_EXPORT, replies=_ONE_GAME),
    "routes_export.of_user": Note(query=_GAMES_OF_USER, replies=_MANY_GAMES),
    "routes_export.by_ids": Note(query=_EXPORT, text="ids of games, separated by commas", replies=_MANY_GAMES),
    "routes_export.of_arena": Note(query=_EXPORT, replies=_MANY_GAMES),
    "routes_arena.arenas": Note(
        replies=_json(shape({name: many(named("ArenaBrief")) for name in ("created", "started", "finished")}))
    ),
    "routes_arena.create": Note(
        _TOURNAMENT,
        form=_ARENA_FORM,
        required=("clockTime", "clockIncrement", "minutes"),
        replies=_json(named("Arena")),
    ),
    "routes_arena.show": Note(query={"page": between(1, 200)}, replies=_json(named("Arena"))),
    "routes_arena.join": Note(_TOURNAMENT, form={"password": TEXT, "team": TEXT, "pairMeAsap": FLAG}),
    "routes_arena.withdraw": Note(_TOURNAMENT),
    "routes_arena.join_team": Note(("team:write",)),
    "routes.guest": Note(replies=_json(shape({"id": TEXT, "name": TEXT}))),
    "routes.variants": Note(
        replies=_json(shape({"bot": TEXT, "variants": many(shape({"key": VARIANT_KEY, "name": TEXT}))}))
    ),
    "routes.game": Note(replies=_json(named("GameFull"))),
    "routes.position": Note(
        query={"ply": between(0, 999_999), "known": between(0, 999_999)},
        replies=_json(shape({"ply": NUMBER, "fen": TEXT, "legal": many({"type": "object"})}, {"outcome": or_null({})})),
    ),
    "routes.leave": Note(_NO_SCOPE),
    "routes.look_away": Note(_NO_SCOPE),
    "routes.rematch": Note(_NO_SCOPE, replies=_json(shape({"id": TEXT}))),
    "routes.invitation": Note(_NO_SCOPE, replies=_json(shape({"challenge": or_null(named("Challenge"))}))),
    "routes.piece": Note(replies={"image/svg+xml": TEXT}),
    "routes.page": Note(replies={HTML: TEXT}),
}
