"""Challenges, and the stream of events that tells of them."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server import shapes
from bot.server.challenge_form import read_challenge
from bot.server.intake import Caller, address_of, caller_of, fields_of, site_of, standing_of
from bot.server.replies import LinesResponse, ok
from bot.server.site import Site
from rules.move import Color

WRITE = ("challenge:write", "bot:play", "board:play")
_EVENTS = ("bot:play", "board:play", "challenge:read")


async def events(request: Request) -> Response:
    """The caller's event stream."""
    site, user = site_of(request), caller_of(request, *_EVENTS).user
    site.allowances.take_event_stream(user, site.now_ms())
    place = site.places.seat(user.id, site.reading_events(user))
    return LinesResponse(place, standing_of(request))


async def create(request: Request) -> Response:
    """Challenge somebody; with `keepAliveStream` the answer tells in the end what became of it.

    With the other's token in `acceptByToken` the game begins at once.
    """
    site, caller = site_of(request), caller_of(request, *WRITE)
    fields = await fields_of(request)
    form = read_challenge(fields)
    name, address = request.path_params["name"], address_of(request)
    if "acceptByToken" in fields:
        consenting_id = _writer_with(site, fields["acceptByToken"])
        table, color = site.challenges.begin(caller.user, name, form, consenting_id, address)
        return JSONResponse({"game": shapes.begun_game(table, color)})
    if form.keep_alive_stream:
        site.places.check(caller.user.id)
    challenge = site.challenges.create(caller.user, name, form, address)
    if form.keep_alive_stream:
        place = site.places.seat(caller.user.id, site.challenges.awaiting(challenge))
        return LinesResponse(place, standing_of(request))
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
    opponent_id = _writer_with(site, request.query_params.get("opponentToken", ""))
    site.challenges.cancel(user, request.path_params["id"], opponent_id)
    return ok()


def _writer_with(site: Site, token: str) -> str | None:
    """Whose token it is, if it allows what is done with challenges."""
    grant = site.users.grant_of(token)
    return None if grant is None or grant.scopes.isdisjoint(WRITE) else grant.user_id


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
