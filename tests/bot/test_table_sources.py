"""End-game tables as sources: the result is kept, wins come to an end, and what is unknown is left to the search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.config.sources import Gaviota, Syzygy
from bot.search.tablebase.generation import Library
from bot.search.tablebase.material import Material
from bot.sources.endgame import WON_CP
from bot.sources.gaviota import GaviotaSource
from bot.sources.source import MoveSource
from bot.sources.syzygy import SyzygySource
from bot.sources.tables import TablesSource
from rules import draws, uci, variants
from rules.game import Game
from rules.move import Role
from rules.outcome import Reason
from rules.variant import Variant
from tests.bot.asking import question

TABLES = Path(__file__).parents[1] / "conformance" / "tables"
QUEEN = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"


def syzygy() -> SyzygySource:
    return SyzygySource(Syzygy(folders=(str(TABLES / "syzygy"),)), variants.ALL)


def gaviota() -> GaviotaSource:
    return GaviotaSource(Gaviota(folders=(str(TABLES / "gaviota"),)))


@pytest.fixture(scope="module")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of our own with three men, for chess and for Spark."""
    folder = tmp_path_factory.mktemp("tables")
    for variant in (variants.STANDARD, variants.SPARK):
        library = Library(variant, folder)
        for material in (Material(), Material((Role.QUEEN,)), Material((Role.ROOK,))):
            library.make(material)
    return folder


def played_out(source: MoveSource, variant: Variant, fen: str) -> Game:
    """The game with the source playing both sides."""
    game = Game.start(variant, draws.for_game(variant, with_bot=True), fen)
    while game.outcome is None:
        moves = " ".join(game.uci_moves(variant.chess960))
        suggestion = source.suggest(question(moves, variant=variant, fen=fen))
        assert suggestion is not None and suggestion.certain
        game.play_uci(suggestion.uci)
    return game


@pytest.mark.parametrize("make", [syzygy, gaviota])
@pytest.mark.parametrize(("fen", "plies"), [(QUEEN, 20), ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 33)])
def test_a_won_ending_is_mated(make: Callable[[], MoveSource], fen: str, plies: int) -> None:
    game = played_out(make(), variants.STANDARD, fen)
    assert game.outcome is not None and game.outcome.reason is Reason.CHECKMATE
    assert len(game.moves) <= plies


@pytest.mark.parametrize("make", [syzygy, gaviota])
def test_a_pawn_is_brought_home_and_a_drawn_ending_is_held(make: Callable[[], MoveSource]) -> None:
    won = played_out(make(), variants.STANDARD, "8/8/8/8/8/4K3/4P3/4k3 w - - 0 1")
    assert won.outcome is not None and won.outcome.reason is Reason.CHECKMATE
    # to go straight back is the only way to hold this one
    held = make().suggest(question(fen="8/8/4k3/8/4PK2/8/8/8 b - - 0 1"))
    assert held is not None and held.score_cp == 0
    back = make().suggest(question(fen="8/4k3/4P3/4K3/8/8/8/8 b - - 0 1"))
    assert back is not None and (back.uci, back.score_cp) == ("e7e8", 0)


def test_the_score_says_who_wins() -> None:
    for source in (syzygy(), gaviota()):
        winning, losing = source.suggest(question(fen=QUEEN)), source.suggest(question(fen=QUEEN.replace(" w", " b")))
        assert winning is not None and losing is not None
        assert (winning.score_cp, losing.score_cp) == (WON_CP, -WON_CP)


def test_a_win_that_the_fifty_moves_spoil_counts_as_a_draw() -> None:
    suggestion = syzygy().suggest(question(fen=QUEEN.replace("0 1", "95 90")))
    assert suggestion is not None and suggestion.score_cp == 0


@pytest.mark.parametrize("make", [syzygy, gaviota])
def test_tables_are_asked_only_about_what_they_may_know(make: Callable[[], MoveSource]) -> None:
    source = make()
    assert source.plays(variants.STANDARD) and source.plays(variants.CHESS960)
    assert not source.plays(variants.SPARK) and not source.plays(variants.PARLOUR)
    assert not source.plays(variants.KING_OF_THE_HILL)
    assert source.fits(question(fen=QUEEN).position)
    assert not source.fits(question().position)
    castling = question(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1").position
    assert not source.fits(castling)
    assert source.suggest(question(fen="8/8/8/3k4/8/8/8/KQR5 w - - 0 1")) is None, "no table for that"


def test_folders_without_tables_are_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no Syzygy tables"):
        SyzygySource(Syzygy(folders=(str(tmp_path),)), variants.ALL)
    with pytest.raises(ValueError, match="no Gaviota tables"):
        GaviotaSource(Gaviota(folders=(str(tmp_path),)))
    with pytest.raises(ValueError, match="make some with centella tablebase"):
        TablesSource(tmp_path, variants.ALL)
    with pytest.raises(FileNotFoundError):
        SyzygySource(Syzygy(folders=(str(tmp_path / "nowhere"),)), variants.ALL)


def test_our_own_tables_serve_our_own_games(own_folder: Path) -> None:
    source = TablesSource(own_folder, variants.ALL)
    assert [variant.key for variant in variants.ALL if source.plays(variant)] == ["standard", "spark"]
    for variant in (variants.STANDARD, variants.SPARK):
        game = played_out(source, variant, QUEEN)
        assert game.outcome is not None and game.outcome.winner is not None
    assert not source.fits(question().position)
    assert source.suggest(question(fen="8/8/8/3k4/8/8/8/KB6 w - - 0 1")) is None


def test_moves_of_tables_are_legal_in_every_position_of_an_ending(own_folder: Path) -> None:
    source = TablesSource(own_folder, (variants.STANDARD,))
    position, asked = question(fen=QUEEN).position, 0
    for move in position.legal_moves():
        after = position.play(move)
        suggestion = None if after.ending() else source.suggest(question(fen=after.fen()))
        if suggestion is not None:
            asked += 1
            assert uci.read(after, suggestion.uci) in after.legal_moves()
    assert asked > 20
