"""Challenges, and the stream of events that tells of them."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server.challenge_form import read_challenge
from bot.server.intake import Caller, address_of, caller_of, fields_of, site_of
from bot.server.replies import LinesResponse, ok
from rules.move import Color

WRITE = ("challenge:write", "bot:play", "board:play")
_EVENTS = ("bot:play", "board:play", "challenge:read")


async def events(request: Request) -> Response:
    """The caller's event stream."""
    site, user = site_of(request), caller_of(request, *_EVENTS).user
    site.allowances.take_event_stream(user, site.now_ms())
    return LinesResponse(site.reading_events(user))


async def create(request: Request) -> Response:
    """Challenge somebody; with `keepAliveStream` the answer tells in the end what became of it."""
    site, caller = site_of(request), caller_of(request, *WRITE)
    form = read_challenge(await fields_of(request))
    challenge = site.challenges.create(caller.user, request.path_params["name"], form, address_of(request))
    if form.keep_alive_stream:
        return LinesResponse(site.challenges.awaiting(challenge))
    return JSONResponse(site.challenges.shape(challenge) | {"direction": "out"})


async def pending(request: Request) -> Response:
    """The caller's challenges that wait for an answer."""
    site, caller = site_of(request), caller_of(request, "challenge:read")
    directions = {
        "in": site.lobby.pending_for(caller.user.id),
        "out": site.lobby.pending_by(caller.user.id),
    }
    return JSONResponse(
        {
            direction: [site.challenges.shape(challenge) | {"direction": direction} for challenge in challenges]
            for direction, challenges in directions.items()
        }
    )


async def show(request: Request) -> Response:
    """One challenge, settled ones included."""
    site, caller = site_of(request), caller_of(request, "challenge:read")
    challenge = site.lobby.get(request.path_params["id"])
    directions = {challenge.challenger_id: "out", challenge.dest_id: "in"}
    direction = None if challenge.open is not None else directions.get(caller.user.id)
    shape = site.challenges.shape(challenge)
    return JSONResponse(shape | {"direction": direction} if direction else shape)


async def accept(request: Request) -> Response:
    """Accept a challenge; of an open one the color may be chosen."""
    color = {"white": Color.WHITE, "black": Color.BLACK}.get(request.query_params.get("color", ""))
    site_of(request).challenges.accept(_writer(request).user, request.path_params["id"], color)
    return ok()


async def decline(request: Request) -> Response:
    """Decline a challenge, with a reason if one is given."""
    fields = await fields_of(request, told_once=True)
    reason = fields.get("reason", "generic")
    site_of(request).challenges.decline(_writer(request).user, request.path_params["id"], reason)
    return ok()


async def cancel(request: Request) -> Response:
    """Take a challenge back, or end its game; with the opponent's token also when both have moved."""
    site, user = site_of(request), _writer(request).user
    grant = site.users.grant_of(request.query_params.get("opponentToken", ""))
    agreed = grant is not None and not grant.scopes.isdisjoint(WRITE)
    site.challenges.cancel(user, request.path_params["id"], grant.user_id if grant is not None and agreed else None)
    return ok()


def _writer(request: Request) -> Caller:
    return caller_of(request, *WRITE)


ROUTES = [
    Route("/api/stream/event", events),
    Route("/api/challenge", pending),
    Route("/api/challenge/{id}/show", show),
    Route("/api/challenge/{id}/accept", accept, methods=["POST"]),
    Route("/api/challenge/{id}/decline", decline, methods=["POST"]),
    Route("/api/challenge/{id}/cancel", cancel, methods=["POST"]),
    Route("/api/challenge/{name}", create, methods=["POST"]),
]
