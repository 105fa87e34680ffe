"""Games: their streams and the commands of the players, for bots and for people at a board."""
from __future__ import annotations

import unicodedata
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.server import absence, talks, watching
from bot.server.errors import FormError, Missing, Refused
from bot.server.events import Room
from bot.server.intake import caller_of, fields_of, is_yes, site_of, standing_of
from bot.server.replies import LinesResponse, ok
from bot.server.table import Table
from bot.server.timekeeper import pause
from bot.server.users import User
from rules.move import Color

_LONGEST_LINE = 140
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BOT_ACCOUNT_ONLY = (
    "This endpoint can only be used with a Bot account. See https://lichess.org/api#operation/botAccountUpgrade"
)


def _player_at(request: Request) -> tuple[User, Table, Color]:
    """The caller, their game and color, if this API may be used for it.

    Raises: Denied, Refused, Missing.
    """
    api = request.url.path.split("/")[2]
    caller = caller_of(request, f"{api}:play")
    if api == "bot" and not caller.user.is_bot:
        raise Refused(_BOT_ACCOUNT_ONLY)
    if api == "board" and caller.user.is_bot:
        raise Refused("Bot accounts cannot use this endpoint")
    table, color = site_of(request).seated(caller.user, request.path_params["id"])
    terms = table.terms
    # The page in a person's browser may play whatever the person has agreed to, as on Lichess.
    if not (caller.by_cookie or (terms.bots_can_play if api == "bot" else terms.boards_can_play)):
        raise Refused(f"This game cannot be played with the {api.capitalize()} API")
    return caller.user, table, color


async def stream(request: Request) -> Response:
    """The stream of a game, for one of its players."""
    site = site_of(request)
    user, table, color = _player_at(request)
    user_agent = request.headers.get("user-agent", "")
    place = site.places.seat(user.id, site.reading_game(user, table, color, user_agent))
    return LinesResponse(place, standing_of(request))


Command = Callable[[Table, Color, int, Request], None]


def _move(table: Table, color: Color, now_ms: int, request: Request) -> None:
    offering = is_yes(request.query_params.get("offeringDraw", ""))
    lag = request.query_params.get("lag", "")
    lag_ms = int(lag) if lag.isascii() and lag.isdigit() and len(lag) < 7 else 0
    table.play(color, request.path_params["argument"], now_ms, offering_draw=offering, lag_ms=lag_ms)


def _draw(table: Table, color: Color, now_ms: int, request: Request) -> None:
    talks.answer_draw(table, color, is_yes(request.path_params["argument"]), now_ms)


def _takeback(table: Table, color: Color, now_ms: int, request: Request) -> None:
    talks.answer_takeback(table, color, is_yes(request.path_params["argument"]), now_ms)


def _abort(table: Table, color: Color, now_ms: int, request: Request) -> None:
    table.abort(now_ms)


def _berserk(table: Table, color: Color, now_ms: int, request: Request) -> None:
    # People only: a bot has no such command.
    if request.url.path.split("/")[2] != "board":
        raise Missing("No such command")
    table.go_berserk(color)


def _resign(table: Table, color: Color, now_ms: int, request: Request) -> None:
    table.resign(color, now_ms)


def _annul(table: Table, color: Color, now_ms: int, request: Request) -> None:
    watching.annul(table, color, now_ms)


COMMANDS: dict[str, Command] = {
    "abort": _abort,
    "resign": _resign,
    "annul": _annul,
    "berserk": _berserk,
}
# berserk ends one of these paths with a slash.
_CLAIMS = ("claim-victory", "claim-victory/", "claim-draw", "claim-draw/")
COMMANDS_WITH_ARGUMENT: dict[str, Command] = {"move": _move, "draw": _draw, "takeback": _takeback}


async def command(request: Request) -> Response:
    """Any command of a player but chat."""
    commands = COMMANDS_WITH_ARGUMENT if "argument" in request.path_params else COMMANDS
    action = commands.get(request.path_params["command"])
    if action is None:
        raise Missing("No such command")
    site = site_of(request)
    _, table, color = _player_at(request)
    if table.ai_color is not None and action is _move:
        await pause(site.timekeeper, site.settings.ai_game_move_ms)
    with site.command(table):
        table.act(color, site.now_ms())
        action(table, color, site.now_ms(), request)
    return ok()


async def claim(request: Request) -> Response:
    """Claim the game of an absent opponent: done at once, but answered later, as on Lichess."""
    site = site_of(request)
    _, table, color = _player_at(request)
    if absence.claim_applies(table, color):
        try:
            with site.command(table):
                victory = "claim-victory" in request.url.path
                absence.claim(table, color, site.now_ms(), victory=victory)
        finally:
            await pause(site.timekeeper, site.settings.claim_answer_ms)
    return ok()


async def say(request: Request) -> Response:
    """A line of chat."""
    fields = await fields_of(request)
    user, table, color = _player_at(request)
    text, room = fields.get("text", "").strip(), fields.get("room", "")
    text, errors = _presentable(text), {}
    if not text:
        errors["text"] = "This field is required"
    # Lichess counts as Java does: a character beyond the basic plane is two.
    elif len(text.encode("utf-16-le", "replace")) // 2 > _LONGEST_LINE:
        errors["text"] = f"Maximum length is {_LONGEST_LINE}"
    if room not in tuple(Room):
        errors["room"] = "Invalid value"
    if errors:
        raise FormError(errors)
    site = site_of(request)
    with site.command(table):
        table.act(color, site.now_ms())
        if site.allowances.may_say(user, site.now_ms()):
            table.say(user.name, Room(room), text)
    return ok()


def _presentable(text: str) -> str:
    """A line of chat without what would garble a terminal or turn the rest of a line round; nothing else is touched."""
    shown = (letter for letter in text if unicodedata.category(letter) != "Cc" and letter not in _TURNING)
    return "".join(shown).strip()


async def chat(request: Request) -> Response:
    """What has been said between the players."""
    _, table, _ = _player_at(request)
    lines = (line for line in table.chat if line.room is Room.PLAYER)
    return JSONResponse([{"text": line.text, "user": line.username} for line in lines])


ROUTES = [
    *(
        route
        for game in ("/api/bot/game", "/api/board/game")
        for route in (
            Route(f"{game}/stream/{{id}}", stream),
            Route(f"{game}/{{id}}/chat", chat),
            Route(f"{game}/{{id}}/chat", say, methods=["POST"]),
            *(Route(f"{game}/{{id}}/{name}", claim, methods=["POST"]) for name in _CLAIMS),
            Route(f"{game}/{{id}}/{{command}}", command, methods=["POST"]),
            Route(f"{game}/{{id}}/{{command}}/{{argument}}", command, methods=["POST"]),
        )
    ),
]
