"""Arenas, and the teams that some of them are for."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server import arena_shapes
from bot.server.arena import Arena, ArenaStatus
from bot.server.arena_form import read_arena
from bot.server.intake import caller_of, fields_of, is_yes, site_of
from bot.server.replies import ok
from bot.server.shapes import Json
from bot.server.site import Site

_SCOPE = "tournament:write"
_STATUS_NAMES = {
    ArenaStatus.CREATED: "created",
    ArenaStatus.STARTED: "started",
    ArenaStatus.FINISHED: "finished",
}


async def arenas(request: Request) -> Response:
    """All arenas, by where they stand."""
    site = site_of(request)
    return JSONResponse(
        {
            _STATUS_NAMES[status]: [arena_shapes.arena_brief(arena, site.now_ms()) for arena in found]
            for status, found in site.arenas.by_status().items()
        }
    )


async def create(request: Request) -> Response:
    """A new arena."""
    site, caller = site_of(request), caller_of(request, _SCOPE)
    plan = read_arena(await fields_of(request), site.now_ms())
    return JSONResponse(_full(site, site.arenas.create(caller.user, plan), 1))


async def show(request: Request) -> Response:
    """One arena, with a page of its players."""
    site = site_of(request)
    text = request.query_params.get("page", "1")
    page = int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 6 else 1
    return JSONResponse(_full(site, site.arenas.get(request.path_params["id"]), max(page, 1)))


async def join(request: Request) -> Response:
    """Take part; the fields may come in the query as well."""
    site, caller = site_of(request), caller_of(request, _SCOPE)
    fields = dict(request.query_params) | await fields_of(request)
    eager = is_yes(fields.get("pairMeAsap", ""))
    site.arenas.join(request.path_params["id"], caller.user, fields.get("password", ""), eager=eager)
    return ok()


async def withdraw(request: Request) -> Response:
    """Play no more."""
    site, caller = site_of(request), caller_of(request, _SCOPE)
    site.arenas.withdraw(request.path_params["id"], caller.user)
    return ok()


async def join_team(request: Request) -> Response:
    """Become a member of a team."""
    site, caller = site_of(request), caller_of(request, "team:write")
    site.arenas.join_team(request.path_params["id"], caller.user)
    return ok()


def _full(site: Site, arena: Arena, page: int) -> Json:
    tables = [table for game_id in arena.games if (table := site.tables.get(game_id)) is not None]
    return arena_shapes.arena_full(arena, tables, site.now_ms(), page)


ROUTES = [
    Route("/api/tournament", arenas),
    Route("/api/tournament", create, methods=["POST"]),
    Route("/api/tournament/{id}", show),
    Route("/api/tournament/{id}/join", join, methods=["POST"]),
    Route("/api/tournament/{id}/withdraw", withdraw, methods=["POST"]),
    Route("/team/{id}/join", join_team, methods=["POST"]),
]
