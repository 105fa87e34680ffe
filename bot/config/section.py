"""What every part of the configuration is made of.

    Exception
    └── ConfigError      everything that is wrong with a configuration, one line each
        └── NoToken      nothing says which account to play as
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from rules import variants

Speed = Literal["bullet", "blitz", "rapid", "classical", "correspondence"]


class ConfigError(Exception):
    """A configuration that cannot be used; `problems` has one line for each thing that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class NoToken(ConfigError):
    """No place that may hold a token has one."""


def suggestion(word: str, known: Sequence[str]) -> str:
    """What an unknown word may have been meant to be, to be put after an error."""
    lowered = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f"; did you mean {lowered[near[0]]!r}?" if near else f" (known: {', '.join(known)})"


def _known_game(key: str) -> str:
    keys = [variant.key for variant in variants.ALL]
    if key not in keys:
        raise ValueError(f"no game has the key {key!r}{suggestion(key, keys)}")
    return key


def _anchored(text: str, info: ValidationInfo) -> str:
    """A path that starts where the configuration's file is, if it is known."""
    path = Path(text).expanduser()
    folder = (info.context or {}).get("folder")
    return str(path if folder is None else Path(folder).absolute() / path)


def _network(text: str, info: ValidationInfo) -> str:
    """One of the two words, or a path."""
    return text if text in ("auto", "none") else _anchored(text, info)


def _web_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("not an address") from None
    if parts.scheme not in ("http", "https") or not host or parts.username is not None:
        raise ValueError("an address is https://HOST, perhaps with :PORT and a path")
    return url


def _without_query(url: str) -> str:
    if urlsplit(url).query:
        raise ValueError("an address is https://HOST, perhaps with :PORT and a path")
    return url


VariantKey = Annotated[str, AfterValidator(_known_game)]
FilePath = Annotated[str, Field(min_length=1), AfterValidator(_anchored)]
NetworkChoice = Annotated[str, Field(min_length=1), AfterValidator(_network)]
Address = Annotated[str, AfterValidator(_web_address)]
SiteAddress = Annotated[Address, AfterValidator(_without_query)]
"""An address to which paths are added."""


class Section(BaseModel):
    """A part of the configuration: every key known, every value of its type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
