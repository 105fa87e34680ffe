"""Accounts and tokens: who am I, what am I playing, who is there."""
from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.server import shapes
from bot.server.intake import body_of, caller_of, site_of
from bot.server.replies import NDJSON, ok
from bot.server.site import Site
from bot.server.streams import encode
from bot.server.users import User

_MOST_TOKENS = 1_000
_MOST_IDS = 100
_MOST_GAMES = 50
_USUAL_GAMES = 9
_MOST_BOTS = 300


async def test_tokens(request: Request) -> Response:
    """What each of the tokens in the body is worth."""
    site = site_of(request)
    tokens = [token.strip() for token in (await body_of(request)).decode("utf-8", "replace").split(",")]
    reply: dict[str, Any] = {}
    for token in tokens[:_MOST_TOKENS]:
        grant = site.users.grant_of(token)
        if grant is None:
            reply[token] = None
        else:
            reply[token] = {"userId": grant.user_id, "scopes": ",".join(sorted(grant.scopes)), "expires": None}
    return JSONResponse(reply)


async def account(request: Request) -> Response:
    """The caller's own profile."""
    site, user = site_of(request), caller_of(request).user
    return JSONResponse(_profile(site, user))


async def playing(request: Request) -> Response:
    """The caller's running games, the most urgent first."""
    site, user = site_of(request), caller_of(request).user
    count = _asked_for(request, _USUAL_GAMES, _MOST_GAMES)
    games = [shapes.ongoing_game(table, color, site.now_ms()) for table, color in site.playing(user)]
    mine = sum(game["isMyTurn"] for game in games)
    return JSONResponse({"nowPlaying": games[:count], "nbMyTurn": mine})


async def upgrade(request: Request) -> Response:
    """Make the caller a bot, for good."""
    user = caller_of(request, "bot:play").user
    site_of(request).users.upgrade(user)
    return ok()


async def online_bots(request: Request) -> Response:
    """The bots that are reading events, one a line."""
    site = site_of(request)
    count = _asked_for(request, _MOST_BOTS, _MOST_BOTS)
    bots = [user for user in site.users if user.is_bot and site.audience.online(user.id)]
    lines = b"".join(encode(_profile(site, bot)) for bot in bots[:count])
    return Response(lines, media_type=NDJSON)


async def users_status(request: Request) -> Response:
    """Who of those asked for is online, who plays; unknown ones are left out."""
    site = site_of(request)
    found = (site.users.find(name.strip()) for name in request.query_params.get("ids", "").split(",")[:_MOST_IDS])
    reply = []
    for user in found:
        if user is not None:
            shape: dict[str, Any] = {"name": user.name, "id": user.id}
            if user.title:
                shape["title"] = user.title
            if site.audience.online(user.id):
                shape["online"] = True
            if site.playing(user):
                shape["playing"] = True
            reply.append(shape)
    return JSONResponse(reply)


async def user_profile(request: Request) -> Response:
    """Anyone's profile."""
    site = site_of(request)
    return JSONResponse(_profile(site, site.users.get(request.path_params["name"])))


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
