"""The options of the engine protocol: how each is announced, read, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.search.protocol import BadCommand
from bot.search.thinker import folder_of_tables
from rules import variants
from rules.errors import UnknownVariant
from rules.variant import Variant

CLEAR_HASH: Final = "clear hash"
EMPTY: Final = "<empty>"
MOST_HASH_MB: Final = 65536
MOST_THREADS: Final = 256
MOST_LINES: Final = 256
MOST_OVERHEAD_MS: Final = 10000


@dataclass(frozen=True)
class Settings:
    """What the other program has chosen."""

    hash_mb: int = 16
    threads: int = 1
    lines: int = 1
    ponder: bool = False
    overhead_ms: int = 10
    analysing: bool = False
    shows_chances: bool = False
    chess960: bool = False
    uci_variant: str = "chess"
    tables: str | None = None

    @property
    def variant(self) -> Variant:
        """The game."""
        return variants.by_uci_name(self.uci_variant, chess960=self.chess960)

    @property
    def search_options(self) -> dict[str, int]:
        """What of the search differs: who analyses wants to see a draw as a draw."""
        return {"repeat_cp": 0} if self.analysing else {}


@dataclass(frozen=True)
class _Spin:
    name: str
    field: str
    least: int
    most: int

    @property
    def terms(self) -> str:
        return f"type spin default {getattr(Settings(), self.field)} min {self.least} max {self.most}"

    def read(self, text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise BadCommand(f"setoption {self.name}: {text!r} is not a number") from None
        if not self.least <= value <= self.most:
            raise BadCommand(f"setoption {self.name}: {value} is not between {self.least} and {self.most}")
        return value


@dataclass(frozen=True)
class _Check:
    name: str
    field: str

    @property
    def terms(self) -> str:
        return "type check default false"

    def read(self, text: str) -> bool:
        if text.lower() not in ("true", "false"):
            raise BadCommand(f"setoption {self.name}: {text!r} is neither true nor false")
        return text.lower() == "true"


@dataclass(frozen=True)
class _Game:
    name: str
    field: str

    @property
    def terms(self) -> str:
        names = sorted({variant.uci_name for variant in variants.ALL})
        return f"type combo default chess {' '.join(f'var {name}' for name in names)}"

    def read(self, text: str) -> str:
        try:
            variants.by_uci_name(text)
        except UnknownVariant as error:
            raise BadCommand(f"setoption {self.name}: {error}") from None
        return text


@dataclass(frozen=True)
class _Folder:
    name: str
    field: str

    @property
    def terms(self) -> str:
        return f"type string default {EMPTY}"

    def read(self, text: str) -> str | None:
        if text in ("", EMPTY):
            return None
        try:
            folder_of_tables(text)
        except ValueError as error:
            raise BadCommand(f"setoption {self.name}: {error}") from None
        return text


_OPTIONS: Final = (
    _Spin("Hash", "hash_mb", 1, MOST_HASH_MB),
    _Spin("Threads", "threads", 1, MOST_THREADS),
    _Spin("MultiPV", "lines", 1, MOST_LINES),
    _Check("Ponder", "ponder"),
    _Spin("Move Overhead", "overhead_ms", 0, MOST_OVERHEAD_MS),
    _Check("UCI_AnalyseMode", "analysing"),
    _Check("UCI_ShowWDL", "shows_chances"),
    _Check("UCI_Chess960", "chess960"),
    _Game("UCI_Variant", "uci_variant"),
    _Folder("TablePath", "tables"),
)


def announcements() -> Iterator[str]:
    """The lines that tell of the options."""
    for option in _OPTIONS:
        yield f"option name {option.name} {option.terms}"
    yield "option name Clear Hash type button"


def with_option(settings: Settings, name: str, value: str) -> Settings:
    """The settings with an option changed.

    Raises: BadCommand when there is no option of that name, or it has no such value.
    """
    for option in _OPTIONS:
        if option.name.lower() == name.lower():
            changed: dict[str, Any] = {option.field: option.read(value)}
            return replace(settings, **changed)
    raise BadCommand(f"setoption: no option {name!r}")
