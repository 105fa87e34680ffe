"""Accounts and tokens: who am I, what am I playing, who is there."""
from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.server import shapes
from bot.server.errors import Refused
from bot.server.intake import address_of, body_of, caller_of, caller_or_nobody, is_yes, site_of
from bot.server.relations import Relation
from bot.server.replies import NDJSON, ok
from bot.server.site import Site
from bot.server.streams import encode
from bot.server.users import User

_MOST_TOKENS = 1_000
_MOST_IDS = 100
_MOST_GAMES = 50
_USUAL_GAMES = 9
_MOST_BOTS = 300
_STATUS_OPTIONS = ("withSignal", "withGameIds", "withGameMetas")
# Lichess grades connections from 1 to 4 by their lag; on this machine they are all as good as can be.
_BEST_SIGNAL = 4


async def test_tokens(request: Request) -> Response:
    """What each of the tokens in the body is worth."""
    site = site_of(request)
    words = map(str.strip, (await body_of(request)).decode("utf-8", "replace").split(","))
    tokens = [word for word in words if word]
    if len(tokens) > _MOST_TOKENS:
        raise Refused(f"Too many tokens, {_MOST_TOKENS:,} at most")
    site.allowances.take_token_tests(len(tokens), address_of(request), site.now_ms())
    reply: dict[str, Any] = {}
    for token in tokens:
        grant = site.users.grant_of(token)
        if grant is None:
            reply[token] = None
        else:
            reply[token] = {"userId": grant.user_id, "scopes": ",".join(sorted(grant.scopes)), "expires": None}
    return JSONResponse(reply)


async def account(request: Request) -> Response:
    """The caller's own profile."""
    site, user = site_of(request), caller_of(request).user
    site.allowances.take_account_read(user, site.now_ms())
    return JSONResponse(_profile(site, user) | {"followable": True, "following": False, "blocking": False})


async def playing(request: Request) -> Response:
    """The caller's running games, the most urgent first."""
    site, user = site_of(request), caller_of(request).user
    count = _asked_for(request, _USUAL_GAMES, _MOST_GAMES)
    games = [shapes.ongoing_game(table, color, site.now_ms()) for table, color in site.playing(user)]
    mine = sum(game["isMyTurn"] for game in games)
    return JSONResponse({"nowPlaying": games[:count], "nbMyTurn": mine})


async def upgrade(request: Request) -> Response:
    """Make the caller a bot, for good; it leaves the arenas that it has joined as a person."""
    site, user = site_of(request), caller_of(request, "bot:play").user
    site.users.upgrade(user)
    site.arenas.withdraw_everywhere(user)
    return ok()


async def online_bots(request: Request) -> Response:
    """The bots that are reading events, one a line."""
    site = site_of(request)
    count = _asked_for(request, _MOST_BOTS, _MOST_BOTS)
    bots = [user for user in site.users if user.is_bot and site.audience.online(user.id)]
    lines = b"".join(encode(shapes.user_brief(bot, site.now_ms())) for bot in bots[:count])
    return Response(lines, media_type=NDJSON)


async def users_status(request: Request) -> Response:
    """Who of those asked for is online, who plays; unknown ones are left out."""
    site, query = site_of(request), request.query_params
    found = (site.users.find(name.strip()) for name in query.get("ids", "").split(",")[:_MOST_IDS])
    wanted = frozenset(option for option in _STATUS_OPTIONS if is_yes(query.get(option, "")))
    return JSONResponse([_status(site, user, wanted) for user in found if user is not None])


def _status(site: Site, user: User, wanted: frozenset[str]) -> shapes.Json:
    shape: shapes.Json = {"name": user.name}
    if user.title:
        shape["title"] = user.title
    shape["id"] = user.id
    if site.audience.online(user.id):
        shape["online"] = True
        if "withSignal" in wanted:
            shape["signal"] = _BEST_SIGNAL
    games = site.playing(user)
    if games:
        table, _ = games[0]
        shape["playing"] = shapes.game_meta(table) if "withGameMetas" in wanted else True
        if "withGameIds" in wanted:
            shape["playingId"] = table.id
    return shape


async def user_profile(request: Request) -> Response:
    """Anyone's profile, and what the caller thinks of them."""
    site, caller = site_of(request), caller_or_nobody(request)
    user = site.users.get(request.path_params["name"])
    profile = _profile(site, user)
    if caller is None:
        return JSONResponse(profile)
    said = {
        "following": site.relations.has(caller.user.id, user.id, Relation.FOLLOW),
        "blocking": site.relations.has(caller.user.id, user.id, Relation.BLOCK),
    }
    return JSONResponse(profile | {"followable": True} | said)


async def ping(_: Request) -> Response:
    """The server is there."""
    return PlainTextResponse("pong")


def _asked_for(request: Request, usual: int, most: int) -> int:
    """How many things are wanted."""
    text = request.query_params.get("nb", "")
    return min(max(int(text), 1), most) if text.isdecimal() and len(text) < 7 else usual


def _profile(site: Site, user: User) -> shapes.Json:
    profile = shapes.user(user, site.settings.url, site.now_ms())
    games = site.playing(user)
    profile["count"]["playing"] = len(games)
    if games:
        table, color = games[0]
        profile["playing"] = f"{site.settings.url}/{table.id}/{color.wire}"
    return profile


ROUTES = [
    Route("/api/token/test", test_tokens, methods=["POST"]),
    Route("/api/account", account),
    Route("/api/account/playing", playing),
    Route("/api/bot/account/upgrade", upgrade, methods=["POST"]),
    Route("/api/bot/online", online_bots),
    Route("/api/users/status", users_status),
    Route("/api/user/{name}", user_profile),
    Route("/__ping", ping),
]
