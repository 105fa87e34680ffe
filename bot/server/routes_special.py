"""Games that begin or go otherwise: against machines, by open challenges, with clocks set going or given time."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server import shapes
from bot.server.ai_form import read_ai_game
from bot.server.errors import Missing, Refused
from bot.server.intake import caller_of, caller_or_nobody, fields_of, site_of
from bot.server.open_form import read_open_challenge
from bot.server.replies import ok
from bot.server.routes_challenge import WRITE

_ADMIN_SCOPE = "admin"
_GIVEN_S = range(5, 61)


async def challenge_ai(request: Request) -> Response:
    """Begin a game against a machine."""
    site, user = site_of(request), caller_of(request, *WRITE).user
    table, color = site.machines.begin(user, read_ai_game(await fields_of(request)))
    return JSONResponse(shapes.begun_game(table, color), 201)


async def challenge_open(request: Request) -> Response:
    """A challenge that any two players may take up; nobody has to say who they are."""
    site, caller = site_of(request), caller_or_nobody(request)
    by_admin = caller is not None and _ADMIN_SCOPE in caller.scopes
    form = read_open_challenge(await fields_of(request, told_once=True), site.now_ms(), by_admin=by_admin)
    challenge = site.challenges.create_open(None if caller is None else caller.user, form)
    return JSONResponse(site.challenges.shape(challenge))


async def start_clocks(request: Request) -> Response:
    """Set the clocks of a game going, with the tokens of both players."""
    site = site_of(request)
    table = site.tables.get(request.path_params["id"])
    if table is None:
        raise Missing("No such game")
    grants = (site.users.grant_of(request.query_params.get(name, "")) for name in ("token1", "token2"))
    user_ids = {grant.user_id for grant in grants if grant is not None and "challenge:write" in grant.scopes}
    if user_ids != {seat.user_id for seat in table.seats}:
        raise Refused("The tokens of both players are needed")
    with site.command(table):
        table.start_clock(site.now_ms())
    return ok()


async def add_time(request: Request) -> Response:
    """Give the opponent more time."""
    site, user = site_of(request), caller_of(request, "challenge:write").user
    text = request.path_params["seconds"]
    seconds = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if seconds not in _GIVEN_S:
        raise Refused(f"From {_GIVEN_S[0]} to {_GIVEN_S[-1]} seconds can be given")
    table, color = site.seated(user, request.path_params["id"])
    with site.command(table):
        table.give_time(color.other, seconds * 1000, site.now_ms())
    return ok()


ROUTES = [
    Route("/api/challenge/ai", challenge_ai, methods=["POST"]),
    Route("/api/challenge/open", challenge_open, methods=["POST"]),
    Route("/api/challenge/{id}/start-clocks", start_clocks, methods=["POST"]),
    Route("/api/round/{id}/add-time/{seconds}", add_time, methods=["POST"]),
]
