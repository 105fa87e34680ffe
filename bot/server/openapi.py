"""The description of the server in OpenAPI 3.1, made from its routes: what is served is described, and nothing else."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from bot.server.openapi_notes import JSON, NOTES, PLAIN, Note
from bot.server.openapi_schemas import GAME_ID, SCHEMAS, TEXT, Schema, named
from bot.server.routes_game import COMMANDS, COMMANDS_WITH_ARGUMENT

_TAGS: Final = (
    ("stream", "Answers that do not end by themselves: one JSON object a line, blank lines to keep them alive"),
    ("api", "As on Lichess"),
    ("page", "What the board in the browser needs"),
)
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_ARGUMENTS: Final[dict[str, Schema]] = {
    "move": TEXT | {"description": "a move in UCI", "examples": ["e2e4"]},
    "draw": TEXT | {"enum": ["yes", "no"]},
    "takeback": TEXT | {"enum": ["yes", "no"]},
}
_REFUSALS: Final = {
    400: "The request is wrong, or the rules do not allow it now",
    401: "No token, or one that is not valid",
    403: "The token does not allow it, or the host or origin is a foreign one",
    404: "There is no such thing, or it is not the caller's",
    408: "The request did not arrive in time",
    413: "The body is too long",
    429: "Too many requests, by the limits that are switched on",
    503: "Too many streams or connections, or the records cannot be kept",
}


async def description(request: Request) -> Response:
    """This description."""
    return JSONResponse(describe(request.app.routes, str(request.base_url).rstrip("/")))


def describe(routes: Sequence[BaseRoute], url: str) -> Schema:
    """All routes that answer requests, in OpenAPI 3.1."""
    paths: dict[str, dict[str, Schema]] = {}
    for path, method, endpoint, fixed in _operations(routes):
        operation = _operation(path, method, endpoint, fixed)
        paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Local Lichess",
            "version": "1",
            "description": "A server on one's own machine that answers as Lichess does. Not affiliated with Lichess.",
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": url}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS],
        "paths": paths,
        "components": {"schemas": SCHEMAS, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def note_key(endpoint: Callable[..., Any]) -> str:
    """The name under which NOTES knows a function that answers requests."""
    return f"{endpoint.__module__.rpartition('.')[2]}.{endpoint.__name__}"


def _operations(routes: Sequence[BaseRoute]) -> Iterator[tuple[str, str, Callable[..., Any], dict[str, Schema]]]:
    """Path, method and function of every route, and schemas of parameters; a path for each command of a game."""
    for route in routes:
        if isinstance(route, Route):
            for method in sorted((route.methods or set()) - {"HEAD"}):
                commands = COMMANDS_WITH_ARGUMENT if "{argument}" in route.path else COMMANDS
                if "{command}" not in route.path:
                    yield route.path, method, route.endpoint, {}
                    continue
                for command in commands:
                    path = route.path.replace("{command}", command)
                    yield path, method, route.endpoint, {"argument": _ARGUMENTS.get(command, TEXT)}


def _operation(path: str, method: str, endpoint: Callable[..., Any], fixed: dict[str, Schema]) -> Schema:
    note = NOTES.get(note_key(endpoint), Note())
    words = dict(note.words) | fixed
    parameters = [
        _parameter("path", name, words.get(name, GAME_ID if name == "game_id" else TEXT), required=True)
        for name in _PARAMETER.findall(path)
    ]
    parameters += [_parameter("query", name, schema, required=False) for name, schema in note.query.items()]
    api = path.startswith(("/api/", "/game/"))
    summary = (endpoint.__doc__ or "").partition("\n")[0]
    operation: Schema = {
        "operationId": re.sub(r"\W+", "-", f"{method.lower()}{path}"),
        "summary": summary,
        "tags": ["stream" if note.stream else "api" if api else "page"],
        "parameters": parameters,
        "responses": _responses(note, path),
    }
    if note.form or note.text is not None:
        operation["requestBody"] = _body(note)
    if note.token_helps:
        operation["security"] = [{}, {"token": []}]
    if note.scopes is not None:
        operation["security"] = [{"token": []}]
        if note.scopes:
            operation["description"] = f"Needs one of these scopes: {', '.join(note.scopes)}."
    return operation


def _parameter(place: str, name: str, schema: Schema, *, required: bool) -> Schema:
    return {"name": name, "in": place, "required": required, "schema": schema}


def _body(note: Note) -> Schema:
    if note.text is not None:
        return {"required": True, "content": {PLAIN: {"schema": TEXT | {"description": note.text}}}}
    form = {"type": "object", "required": list(note.required), "properties": dict(note.form)}
    kinds = (JSON, "application/x-www-form-urlencoded")
    return {"required": bool(note.required), "content": {kind: {"schema": form} for kind in kinds}}


def _responses(note: Note, path: str) -> Schema:
    content = {kind: {"schema": schema} for kind, schema in note.replies.items()}
    answered: Schema = {str(note.status): {"description": "Done", "content": content}}
    codes = {400, 403, 408, 413, 429, 503}
    codes |= {401} if note.token_helps or note.scopes is not None else set()
    codes |= {404} if "{" in path else set()
    for code in sorted(codes):
        answered[str(code)] = {"description": _REFUSALS[code], "content": {JSON: {"schema": named("Error")}}}
    return answered


ROUTES = [Route("/openapi.json", description)]
