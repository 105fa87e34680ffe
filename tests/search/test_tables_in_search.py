"""With end-game tables the search plays their endings perfectly, and without them as ever."""

import random
from io import StringIO
from pathlib import Path

import pytest

from bot.search.players import own_thinker
from bot.search.tablebase.files import TableUnreadable
from bot.search.tablebase.generation import Library, open_tablebase
from bot.search.tablebase.material import Material
from bot.search.tablebase.tablebase import Known, Tablebase
from bot.search.thinker import Thinker
from bot.search.uci import Session
from rules import variants
from rules.move import Role
from rules.position import Position
from tests.search.thinking import game, think

QUEEN, ROOK = Material((Role.QUEEN,)), Material((Role.ROOK,))
ROOK_WINS = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"  # in 31 plies


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Queen and rook against the bare king, in games that end in different ways."""
    folder = tmp_path_factory.mktemp("tables")
    for variant in (variants.STANDARD, variants.ATOMIC, variants.SPARK):
        library = Library(variant, folder)
        for material in (Material(), QUEEN, ROOK):
            library.make(material)
    return folder


def thinker(folder: Path) -> Thinker:
    return Thinker(1, tables=str(folder))


def won_position(tablebase: Tablebase, material: Material, chance: random.Random) -> Position:
    """One in which the side to move has a long way to go."""
    while True:
        position = tablebase.position_at(material.types, chance.randrange(518 * 64))
        known = tablebase.probe(position) if len(position.pieces()) == 3 and position.legal_moves() else None
        if known is not None and known.result == 1 and known.distance_plies >= 7:
            return position


@pytest.mark.parametrize(
    ("key", "material"),
    [("standard", QUEEN), ("standard", ROOK), ("atomic", QUEEN), ("spark", QUEEN), ("spark", ROOK)],
)
def test_every_move_keeps_the_distance_to_the_end(folder: Path, key: str, material: Material) -> None:
    tablebase, chance = open_tablebase(variants.by_key(key), folder), random.Random(4)
    mind = thinker(folder)
    for _ in range(3):
        position = won_position(tablebase, material, chance)
        played, winner = game(key, position.fen()), position.turn
        value = tablebase.probe(position)
        assert value is not None
        for left in range(value.distance_plies, 0, -1):
            won = played.turn is winner
            assert tablebase.probe(played.position) == Known(1 if won else -1, left)
            thought = think(played, mind, depth=2)
            assert thought.win_in == ((left + 1) // 2 if won else -(left // 2))
            played.play(thought.move)
        assert played.outcome is not None and played.outcome.winner is winner


def test_a_win_that_the_limit_of_quiet_plies_leaves_no_room_for_is_not_claimed(folder: Path) -> None:
    claims = [
        think(game("standard", f"8/8/8/8/8/2k5/1R6/K7 w - - {quiet} 80"), thinker(folder), depth=2).win_in
        for quiet in (69, 70)
    ]
    assert claims == [16, None]


def test_the_tables_are_left_alone_while_castling_is_possible(folder: Path) -> None:
    # without the checks of quiescence, which forgo castling
    mind = Thinker(1, {"threat_plies": 0}, tables=str(folder))
    claims = [
        think(game("standard", f"8/8/8/8/8/k7/8/4K2R b {castling} - 0 1"), mind, depth=1).win_in
        for castling in ("-", "K")
    ]
    assert claims[0] is not None and claims[0] < 0
    assert claims[1] is None


def test_a_hanging_rook_draws_when_it_can_be_taken_and_wins_when_it_can_be_saved(folder: Path) -> None:
    saved, taken = (
        think(game("standard", f"8/8/8/8/8/8/1R6/2k4K {turn} - - 0 1"), thinker(folder), depth=2) for turn in "wb"
    )
    assert saved.win_in is not None and saved.win_in > 0
    assert (taken.win_in, taken.score_cp, taken.move.target) == (None, 0, 9)


@pytest.mark.parametrize("key", ["crazyhouse", "antichess", "horde", "racingKings", "threeCheck", "parlour"])
def test_a_game_without_tables_is_searched_as_ever(folder: Path, key: str) -> None:
    played = game(key)
    with_tables, without = (think(played, mind, depth=6) for mind in (thinker(folder), Thinker(1)))
    assert (with_tables.nodes, with_tables.pv) == (without.nodes, without.pv)


def test_a_thread_more_finds_the_same_distance(folder: Path) -> None:
    mind = Thinker(1, threads=3, tables=str(folder))
    assert think(game("standard", ROOK_WINS), mind, depth=6).win_in == 16


def test_a_table_that_is_cut_short_is_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "standard/KRvK.table"
    path.parent.mkdir()
    path.write_bytes((folder / "standard/KRvK.table").read_bytes()[:-1])
    with pytest.raises(TableUnreadable, match=r"KRvK\.table: 66303 bytes of values, expected 66304"):
        think(game("standard", ROOK_WINS), thinker(tmp_path), depth=1)
    output = StringIO()
    Session(output).run([f"setoption name TablePath value {tmp_path}", "go depth 1"])
    first, *rest = output.getvalue().splitlines()
    assert first.startswith("info string setoption TablePath: ") and first.endswith("expected 66304")
    assert rest[-1].startswith("bestmove ")


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no folder of end-game tables"):
        own_thinker(f"centella:tables={tmp_path / 'none'}")


def test_the_engine_and_its_matches_take_a_folder(folder: Path) -> None:
    assert think(game("standard", ROOK_WINS), own_thinker(f"centella:hash=1,tables={folder}"), depth=1).win_in == 16
    output = StringIO()
    option = f"setoption name TablePath value {folder}"
    Session(output).run([option, f"position fen {ROOK_WINS}", "go depth 1"])
    assert "score mate 16 " in output.getvalue()
