"""The sources that a configuration asks for.

    ConfigError
    └── SourceUnusable      sources of the configuration that cannot be used
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import requests

from bot.backoff import Clock
from bot.config import ConfigError
from bot.config import sources as terms
from bot.config.sources import Source
from bot.sources.book import BookSource
from bot.sources.chessdb import ChessDbSource
from bot.sources.cloud import CloudSource
from bot.sources.consultation import Sources
from bot.sources.engine import EngineSource
from bot.sources.explorer import ExplorerSource
from bot.sources.function import FunctionSource
from bot.sources.gaviota import GaviotaSource
from bot.sources.guard import Guard
from bot.sources.online_tables import OnlineTablesSource
from bot.sources.source import MoveSource
from bot.sources.syzygy import SyzygySource
from bot.sources.tables import TablesSource
from rules import variants

TABLES_FOLDER: Final = "tablebases"


class SourceUnusable(ConfigError):
    """Sources that cannot be used, one line each."""


@dataclass(frozen=True)
class Means:
    """What sources need of the world: the data folder, a way to a site within so many seconds, chance and a clock."""

    data: Path
    session_to: Callable[[str, float], requests.Session]
    chance: random.Random
    clock: Clock

    def session(self, listed: terms.Explorer | terms.Cloud | terms.ChessDb | terms.OnlineTables) -> requests.Session:
        """A way to the site of a source."""
        return self.session_to(listed.url, listed.timeout_ms / 1000)


def open_sources(listed: Sequence[Source], means: Means) -> Sources:
    """The sources in their order. Raises SourceUnusable."""
    guards: list[Guard] = []
    problems: list[str] = []
    for number, each in enumerate(listed):
        try:
            source = _opened(each, means)
        except (Exception, SystemExit) as error:  # a function's module may raise anything
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            file = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
            problems.append(f"sources.{number} ({each.kind}): {file}{reason or type(error).__name__}")
        else:
            guards.append(Guard(f"{number} ({each.kind})", source, each, means.clock))
    if problems:
        for guard in guards:
            guard.source.close()
        raise SourceUnusable(problems)
    return Sources(guards, means.clock)


def _opened(listed: Source, means: Means) -> MoveSource:
    games = variants.ALL if listed.variants is None else tuple(map(variants.by_key, listed.variants))
    match listed:
        case terms.Book():
            return BookSource(listed, means.chance)
        case terms.Tables():
            return TablesSource(Path(listed.folder or means.data / TABLES_FOLDER), games)
        case terms.Syzygy():
            return SyzygySource(listed, games)
        case terms.Gaviota():
            return GaviotaSource(listed)
        case terms.Engine():
            return EngineSource(listed)
        case terms.Function():
            return FunctionSource(listed)
        case terms.Explorer():
            return ExplorerSource(listed, means.session(listed), means.chance)
        case terms.Cloud():
            return CloudSource(listed, means.session(listed), means.chance)
        case terms.ChessDb():
            return ChessDbSource(listed, means.session(listed), means.chance)
        case terms.OnlineTables():
            return OnlineTablesSource(listed, means.session(listed))
