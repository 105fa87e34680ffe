"""Why a server refused: the body of its answer, whatever shape it has."""

from __future__ import annotations

import json
from typing import Any

from bot.wire import MalformedMessage, Shape, read


class RateLimit(Shape):
    """Which limit was hit, and how long it holds."""

    key: str = ""
    seconds: int


class ErrorBody(Shape):
    """The body of a refusal; `error` may be a text or a map of fields."""

    error: Any = None
    ratelimit: RateLimit | None = None

    @property
    def text(self) -> str:
        """The error in one line."""
        return _flat(self.error)


def read_error(body: str) -> ErrorBody:
    """The body of a refusal, whatever a proxy may have put there."""
    try:
        value = json.loads(body)
    except ValueError:
        return ErrorBody(error=" ".join(body.split())[:200] if not body.lstrip().startswith("<") else None)
    try:
        return read(ErrorBody, value) if isinstance(value, dict) else ErrorBody(error=value)
    except MalformedMessage:
        return ErrorBody(error=value.get("error"))


def _flat(error: object) -> str:
    if isinstance(error, dict):
        return "; ".join(f"{field}: {_flat(value)}" for field, value in error.items())
    if isinstance(error, list):
        return ", ".join(_flat(value) for value in error)
    return "" if error is None else str(error)
