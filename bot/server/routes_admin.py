"""What only the administrator may do by HTTP."""
from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server.errors import FormError
from bot.server.intake import caller_of, fields_of, site_of
from bot.server.users import ADMIN_SCOPE


async def mint_for_users(request: Request) -> Response:
    """A token for each of the accounts named, by id; unknown names are left out."""
    caller_of(request, ADMIN_SCOPE)
    site, fields = site_of(request), await fields_of(request)
    names = [name.strip() for name in fields.get("users", "").split(",") if name.strip()]
    if not names:
        raise FormError({"users": "This field is required"})
    users = [user for user in map(site.users.find, names) if user is not None]
    with site.store.database.transaction():
        tokens = {user.id: site.users.mint(user, None, site.now_ms()) for user in users}
    return JSONResponse(tokens)


ROUTES = [Route("/api/token/admin-challenge", mint_for_users, methods=["POST"])]
