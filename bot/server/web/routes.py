"""What the board in the browser needs beside Lichess's API: the page, guests, games by name, positions.

The page plays through the Board API like any other client, as the guest whose secret its cookie holds.
"""
from __future__ import annotations

import re
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from bot.server import rematches, shapes, watching
from bot.server.accounts import SESSION_S
from bot.server.errors import Missing, Refused
from bot.server.intake import SESSION_COOKIE, address_of, caller_of
from bot.server.replies import ok
from bot.server.site import Site
from bot.server.table import Table
from bot.server.terms import castles_by_rook, is_parlour
from bot.server.web.pieces import picture
from bot.server.web.position import outcome_shape, position_after
from rules import variants
from rules.variant import Variant

HOUSE_BOT = "centella"
_PAGE = Path(__file__).parent / "page"
_GAME_ID = re.compile(r"[A-Za-z0-9]{8}")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def web_routes(site: Site) -> list[BaseRoute]:
    """The page of a site and its routes; the last one takes any path of one part, so these go behind all others."""
    board = _Web(site)
    return [
        Route("/web/guest", board.guest, methods=["POST"]),
        Route("/web/variants", board.variants),
        Route("/web/game/{game_id}", board.game),
        Route("/web/game/{game_id}/position", board.position),
        Route("/web/game/{game_id}/leave", board.leave, methods=["POST"]),
        Route("/web/game/{game_id}/look-away", board.look_away, methods=["POST"]),
        Route("/web/game/{game_id}/rematch", board.rematch, methods=["POST"]),
        Route("/web/invitation/{challenge_id}", board.invitation),
        Route("/web/pieces/{name}.svg", board.piece),
        Mount("/web/page", _Files(directory=_PAGE)),
        Route("/", board.page),
        Route("/{game_id}", board.page),
    ]


class _Files(StaticFiles):
    """The page's files, with the headers that keep foreign code out."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await super().__call__(scope, receive, send_guarded)


class _Web:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def page(self, request: Request) -> Response:
        """The page itself, whatever it shows."""
        game_id = request.path_params.get("game_id")
        if game_id is not None and not _GAME_ID.fullmatch(game_id):
            raise Missing("Not found")
        return FileResponse(_PAGE / "index.html", headers=_HEADERS)

    async def guest(self, request: Request) -> Response:
        """Who this browser is: the guest it was before, else a new one."""
        users = self._site.users
        user = users.user_of_session(request.cookies.get(SESSION_COOKIE, ""))
        if user is not None:
            return JSONResponse({"id": user.id, "name": user.name})
        self._site.allowances.take_guest(address_of(request), self._site.now_ms())
        user = users.guest(self._site.now_ms())
        response = JSONResponse({"id": user.id, "name": user.name})
        secret = users.open_session(user, self._site.now_ms())
        encrypted = request.url.scheme == "https"
        response.set_cookie(
            SESSION_COOKIE, secret, max_age=SESSION_S, httponly=True, samesite="strict", secure=encrypted
        )
        return response

    async def variants(self, _: Request) -> Response:
        """The games that can be played here, and the bot that plays them."""
        return JSONResponse({"bot": HOUSE_BOT, "variants": [_variant_shape(each) for each in variants.ALL]})

    async def game(self, request: Request) -> Response:
        """A game as its stream begins, for those who only watch."""
        table = self._table(request)
        with self._site.command(table):
            pass
        return JSONResponse(shapes.game_full(table, table.state(self._site.now_ms())))

    async def position(self, request: Request) -> Response:
        """The position after `ply` half-moves (the latest if not given), with the moves from number `known` on."""
        table = self._table(request)
        ply = _number(request, "ply", table.plies)
        rook_castling = castles_by_rook(table.terms.variant, self._site.settings.rook_castling)
        try:
            shape = position_after(table.game, ply, _number(request, "known", 0), rook_castling)
        except IndexError:
            raise Missing("No such position") from None
        if table.over and ply == table.plies:
            verdict = table.verdict
            shape |= {"legal": [], "outcome": outcome_shape(verdict.status.wire, verdict.winner, verdict.reason)}
        return JSONResponse(shape)

    async def leave(self, request: Request) -> Response:
        """A player goes away on purpose, so that the opponent has not long to wait."""
        table, color = self._site.seated(caller_of(request).user, request.path_params["game_id"])
        with self._site.command(table):
            table.presence.walk_out(color)
        return ok()

    async def look_away(self, request: Request) -> Response:
        """The window in which a player plays is hidden, or has lost the focus."""
        caller = caller_of(request)
        table, color = self._site.seated(caller.user, request.path_params["game_id"])
        # Who plays through the API has no window to look away from.
        if caller.by_cookie:
            with self._site.command(table):
                watching.look_away(table, color, self._site.now_ms())
        return ok()

    async def rematch(self, request: Request) -> Response:
        """Offer a rematch, answered with the challenge; or accept the opponent's, answered with the new game's id."""
        begun = rematches.offer(self._site, caller_of(request).user, request.path_params["game_id"])
        return JSONResponse({"id": begun.id} if isinstance(begun, Table) else self._site.challenges.shape(begun))

    async def invitation(self, request: Request) -> Response:
        """The open challenge of that id, with `taken` if the caller waits for its second player; null for none."""
        challenge_id, caller = request.path_params["challenge_id"], caller_of(request)
        challenge = self._site.lobby.get(challenge_id) if challenge_id in self._site.lobby else None
        if challenge is None or challenge.open is None or not challenge.acceptable:
            return JSONResponse({"challenge": None})
        taken = challenge.challenger_id == caller.user.id
        return JSONResponse({"challenge": self._site.challenges.shape(challenge) | {"taken": taken}})

    async def piece(self, request: Request) -> Response:
        """A man's picture."""
        svg = picture(request.path_params["name"])
        if svg is None:
            raise Missing("Not found")
        return Response(svg, media_type="image/svg+xml", headers=_HEADERS | {"Cache-Control": "max-age=86400"})

    def _table(self, request: Request) -> Table:
        table = self._site.tables.get(request.path_params["game_id"])
        if table is None:
            raise Missing("No such game")
        return table


def _variant_shape(variant: Variant) -> shapes.Json:
    """A game for the form: may it start from a FEN, must it, may it be played with turn time or watched."""
    return {
        "key": variant.key,
        "name": variant.name,
        "needsFen": variant.needs_fen,
        "takesFen": variant is variants.STANDARD or variant.chess960 or not variant.lichess,
        "turnTime": not variant.lichess,
        "watch": is_parlour(variant),
    }


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Refused(f"{name}: a number is expected, not {text!r}")
    return int(text)
