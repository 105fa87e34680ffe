"""Following and blocking."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.server import shapes
from bot.server.errors import Missing, Refused
from bot.server.intake import caller_of, site_of
from bot.server.relations import Relation
from bot.server.replies import NDJSON, ok
from bot.server.streams import encode

_ACTIONS = {
    "follow": (Relation.FOLLOW, True),
    "unfollow": (Relation.FOLLOW, False),
    "block": (Relation.BLOCK, True),
    "unblock": (Relation.BLOCK, False),
}


async def relate(request: Request) -> Response:
    """Follow or block somebody, or no longer."""
    site, caller = site_of(request), caller_of(request, "follow:write")
    action = _ACTIONS.get(request.path_params["action"])
    if action is None:
        raise Missing("Not found")
    relation, begins = action
    other = site.users.get(request.path_params["name"])
    if other.id == caller.user.id:
        raise Refused("That is you")
    (site.relations.set if begins else site.relations.clear)(caller.user.id, other.id, relation)
    return ok()


async def following(request: Request) -> Response:
    """Whom the caller follows, one a line."""
    site, caller = site_of(request), caller_of(request, "follow:read", "follow:write")
    users = (site.users.find(user_id) for user_id in site.relations.followed_by(caller.user.id))
    lines = (encode(shapes.user_brief(user, site.now_ms())) for user in users if user is not None)
    return Response(b"".join(lines), media_type=NDJSON)


ROUTES = [
    Route("/api/rel/following", following),
    Route("/api/rel/{action}/{name}", relate, methods=["POST"]),
]
