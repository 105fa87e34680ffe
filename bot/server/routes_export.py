"""Games for reading elsewhere, one or many, as PGN or JSON; running games lag behind."""
from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server.errors import Missing
from bot.server.export import as_json, as_pgn
from bot.server.game_choice import GameChoice, read_choice
from bot.server.intake import body_of, site_of
from bot.server.replies import NDJSON
from bot.server.site import Site
from bot.server.streams import encode
from bot.server.table import Table
from bot.server.users import User

PGN = "application/x-chess-pgn"
_ID_LENGTH = 8
_MOST_IDS = 300
_LOOKED_AT_ONCE = 16


async def one(request: Request) -> Response:
    """One game; an id with a player's four letters behind it will do as well."""
    table = site_of(request).tables.get(request.path_params["id"][:_ID_LENGTH])
    if table is None:
        raise Missing("Not found")
    return _single(request, table)


async def current(request: Request) -> Response:
    """The game that a user plays, or else the last one played."""
    site = site_of(request)
    user = site.users.get(request.path_params["name"])
    playing = site.playing(user)
    tables = [playing[0][0]] if playing else await _chosen(site, user, read_choice({"max": "1"}))
    if not tables:
        raise Missing("Not found")
    return _single(request, tables[0])


async def of_user(request: Request) -> Response:
    """Games of a user, the latest first unless asked otherwise."""
    site = site_of(request)
    user = site.users.get(request.path_params["name"])
    return _many(request, await _chosen(site, user, read_choice(request.query_params)))


async def by_ids(request: Request) -> Response:
    """The games whose ids stand in the body, separated by commas."""
    site = site_of(request)
    ids = (await body_of(request)).decode("utf-8", "replace").split(",")[:_MOST_IDS]
    found = (site.tables.get(game_id.strip()) for game_id in ids)
    return _many(request, [table for table in found if table is not None])


async def of_arena(request: Request) -> Response:
    """The games of an arena."""
    site = site_of(request)
    found = (site.tables.get(game_id) for game_id in site.arenas.get(request.path_params["id"]).games)
    return _many(request, [table for table in found if table is not None])


async def _chosen(site: Site, user: User, choice: GameChoice) -> list[Table]:
    """The games that are wanted; while it looks through those of old, others are served."""
    chosen: list[Table] = []
    for looked_at, table in enumerate(site.tables.of_user(user.id, oldest_first=choice.oldest_first)):
        if len(chosen) == choice.most:
            break
        if choice.wants(table, user.id):
            chosen.append(table)
        if looked_at % _LOOKED_AT_ONCE == 0:
            await asyncio.sleep(0)
    return chosen


def _single(request: Request, table: Table) -> Response:
    options, site_url = _options(request.query_params), site_of(request).settings.url
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse(as_json(table, site_url, options))
    return Response(as_pgn(table, site_url, options), media_type=PGN)


def _many(request: Request, tables: Iterable[Table]) -> Response:
    """One game a line as JSON if that is asked for, else PGN; without clocks and opening unless they are asked for."""
    options = {"clocks": False, "opening": False} | _options(request.query_params)
    site_url = site_of(request).settings.url
    if "json" in request.headers.get("accept", ""):
        return Response(b"".join(encode(as_json(table, site_url, options)) for table in tables), media_type=NDJSON)
    games = (as_pgn(table, site_url, options) for table in tables)
    return Response("".join(f"{game}\n\n" for game in games), media_type=PGN)


def _options(query: Mapping[str, str]) -> dict[str, bool]:
    return {name: value.lower() != "false" for name, value in query.items()}


ROUTES = [
    Route("/game/export/{id}", one),
    Route("/api/user/{name}/current-game", current),
    Route("/api/games/user/{name}", of_user),
    Route("/api/games/export/_ids", by_ids, methods=["POST"]),
    Route("/api/tournament/{id}/games", of_arena),
]
