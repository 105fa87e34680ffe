"""Where moves come from before the search: a list of sources, asked in its order."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from bot.config.play import Mode, SearchLimits
from bot.config.section import FilePath, Section, SiteAddress, Speed, VariantKey

Color = Literal["white", "black"]


def _command(text: str) -> str:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"not a command: {error}") from None
    if not words:
        raise ValueError("the command is missing")
    return text


def _target(text: str) -> str:
    module, _, function = text.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), function)):
        raise ValueError("a function is named as module:function")
    return text


class SourceTerms(Section):
    """When a source is asked, and for how long it may fail.

    None of `variants` and `speeds` means all; `least_clock_s` is what our clock must show; `most_plies` is how far into
    a game it is asked, `most_moves` how many of its moves a game takes, `most_misses` after how many positions in a row
    that it does not know it is left alone for the rest of the game.
    """

    variants: tuple[VariantKey, ...] | None = None
    speeds: tuple[Speed, ...] | None = None
    colors: tuple[Color, ...] = ("white", "black")
    modes: tuple[Mode, ...] = ("casual", "rated")
    least_clock_s: NonNegativeFloat = 0
    most_plies: PositiveInt | None = None
    most_moves: PositiveInt | None = None
    most_misses: PositiveInt | None = None
    timeout_ms: PositiveInt = 500
    failures: PositiveInt = 3
    rest_s: PositiveFloat = 60


class OnlineTerms(SourceTerms):
    """The same for what is far away."""

    least_clock_s: NonNegativeFloat = 20
    most_misses: PositiveInt | None = 3
    timeout_ms: PositiveInt = 2000


class Book(SourceTerms):
    """Polyglot books; of several files the first that has the position counts."""

    kind: Literal["book"] = "book"
    files: Annotated[tuple[FilePath, ...], Field(min_length=1)]
    selection: Literal["weighted", "uniform", "best"] = "weighted"
    least_weight: PositiveInt = 1
    least_percent: Annotated[NonNegativeInt, Field(le=100)] = 0
    repeat: bool = False


class Tables(SourceTerms):
    """End-game tables that `centella tablebase` has made; without a folder those in the data folder."""

    kind: Literal["tables"] = "tables"
    folder: FilePath | None = None


class Syzygy(SourceTerms):
    """Syzygy tables, for every game that there are such tables of."""

    kind: Literal["syzygy"] = "syzygy"
    folders: Annotated[tuple[FilePath, ...], Field(min_length=1)]
    most_men: PositiveInt = 7


class Gaviota(SourceTerms):
    """Gaviota tables, for chess."""

    kind: Literal["gaviota"] = "gaviota"
    folders: Annotated[tuple[FilePath, ...], Field(min_length=1)]
    most_men: PositiveInt = 5


class Engine(SourceTerms):
    """Another program that speaks UCI; it thinks for as long as our search would, `timeout_ms` is its grace."""

    kind: Literal["engine"] = "engine"
    command: Annotated[str, AfterValidator(_command)]
    folder: FilePath | None = None
    options: Mapping[str, str | int | bool | None] = {}
    limits: SearchLimits = SearchLimits()
    start_s: PositiveFloat = 10


class Function(SourceTerms):
    """A Python function that is given the position and the clock, and returns a move in UCI form, or None."""

    kind: Literal["function"] = "function"
    target: Annotated[str, AfterValidator(_target)]
    folder: FilePath | None = None
    timeout_ms: PositiveInt = 2000


class Explorer(OnlineTerms):
    """Lichess's opening explorer: games of all players, of masters, or of one player."""

    kind: Literal["explorer"] = "explorer"
    url: SiteAddress = "https://explorer.lichess.org"
    games_of: Literal["everybody", "masters", "player"] = "everybody"
    player: str | None = None
    game_speeds: tuple[Speed, ...] | None = None
    ratings: tuple[NonNegativeInt, ...] | None = None
    selection: Literal["weighted", "popular", "score"] = "weighted"
    least_games: PositiveInt = 10
    most_plies: PositiveInt | None = 30

    @model_validator(mode="after")
    def _names_a_player(self) -> Self:
        if (self.games_of == "player") != (self.player is not None):
            raise ValueError("`player` names the one whose games are asked for by `games_of: player`")
        return self


class Cloud(OnlineTerms):
    """Lichess's cloud evaluations: the best move, or one of those within `loss_cp` of it."""

    kind: Literal["cloud"] = "cloud"
    url: SiteAddress = "https://lichess.org"
    least_depth: PositiveInt = 20
    loss_cp: NonNegativeInt = 0


class ChessDb(OnlineTerms):
    """The database of chessdb.cn: its best move, or one of those it holds good."""

    kind: Literal["chessdb"] = "chessdb"
    url: SiteAddress = "https://www.chessdb.cn"
    selection: Literal["best", "good"] = "best"


class OnlineTables(OnlineTerms):
    """Lichess's end-game tables."""

    kind: Literal["online_tables"] = "online_tables"
    url: SiteAddress = "https://tablebase.lichess.ovh"
    most_men: PositiveInt = 7


Source = Annotated[
    Book | Tables | Syzygy | Gaviota | Engine | Function | Explorer | Cloud | ChessDb | OnlineTables,
    Field(discriminator="kind"),
]

SOURCES: Mapping[str, type[SourceTerms]] = {
    kind.model_fields["kind"].default: kind
    for kind in (Book, Tables, Syzygy, Gaviota, Engine, Function, Explorer, Cloud, ChessDb, OnlineTables)
}
"""Every kind of source by its name in the configuration."""
