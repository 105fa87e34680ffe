"""Challenges, and the stream of events that tells of them."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server.challenge_form import read_challenge
from bot.server.intake import Caller, caller_of, fields_of, site_of
from bot.server.replies import LinesResponse, ok

_WRITE = ("challenge:write", "bot:play", "board:play")
_EVENTS = ("bot:play", "board:play", "challenge:read")


async def events(request: Request) -> Response:
    """The caller's event stream."""
    user = caller_of(request, *_EVENTS).user
    return LinesResponse(site_of(request).reading_events(user))


async def create(request: Request) -> Response:
    """Challenge somebody; with `keepAliveStream` the answer tells in the end what became of it."""
    site, caller = site_of(request), caller_of(request, *_WRITE)
    form = read_challenge(await fields_of(request))
    challenge = site.challenge(caller.user, request.path_params["name"], form)
    if form.keep_alive_stream:
        return LinesResponse(site.awaiting(challenge))
    return JSONResponse(site.challenge_shape(challenge) | {"direction": "out"})


async def pending(request: Request) -> Response:
    """The caller's challenges that wait for an answer."""
    site, caller = site_of(request), caller_of(request, "challenge:read")
    directions = {
        "in": site.lobby.pending_for(caller.user.id),
        "out": site.lobby.pending_by(caller.user.id),
    }
    return JSONResponse(
        {
            direction: [site.challenge_shape(challenge) | {"direction": direction} for challenge in challenges]
            for direction, challenges in directions.items()
        }
    )


async def show(request: Request) -> Response:
    """One challenge, settled ones included."""
    site, caller = site_of(request), caller_of(request, "challenge:read")
    challenge = site.lobby.get(request.path_params["id"])
    direction = {challenge.challenger_id: "out", challenge.dest_id: "in"}.get(caller.user.id)
    shape = site.challenge_shape(challenge)
    return JSONResponse(shape | {"direction": direction} if direction else shape)


async def accept(request: Request) -> Response:
    """Accept a challenge."""
    site_of(request).accept(_writer(request).user, request.path_params["id"])
    return ok()


async def decline(request: Request) -> Response:
    """Decline a challenge, with a reason if one is given."""
    fields = await fields_of(request)
    site_of(request).decline(_writer(request).user, request.path_params["id"], fields.get("reason", "generic"))
    return ok()


async def cancel(request: Request) -> Response:
    """Take a challenge back."""
    site_of(request).cancel(_writer(request).user, request.path_params["id"])
    return ok()


def _writer(request: Request) -> Caller:
    return caller_of(request, *_WRITE)


ROUTES = [
    Route("/api/stream/event", events),
    Route("/api/challenge", pending),
    Route("/api/challenge/{id}/show", show),
    Route("/api/challenge/{id}/accept", accept, methods=["POST"]),
    Route("/api/challenge/{id}/decline", decline, methods=["POST"]),
    Route("/api/challenge/{id}/cancel", cancel, methods=["POST"]),
    Route("/api/challenge/{name}", create, methods=["POST"]),
]
