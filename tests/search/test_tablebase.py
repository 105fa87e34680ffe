"""End-game tables: right by the moves of their positions, in agreement with what is known, kept whole on disk."""

import json
import random
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.search.tablebase.files import HEADER, TableUnreadable
from bot.search.tablebase.generation import PARTS, Library, WrongTable, open_tablebase
from bot.search.tablebase.material import Material, all_materials
from bot.search.tablebase.solver import EndlessTable, Solver
from bot.search.tablebase.tablebase import Known, Tablebase
from rules import variants
from rules.game import Game
from rules.move import Role
from rules.outcome import Reason
from rules.position import Position
from rules.variant import Variant

CONFORMANCE = Path(__file__).resolve().parent.parent / "conformance"
QUEEN_ROOK = Material((Role.QUEEN,), (Role.ROOK,))
TWO_KNIGHTS = Material((Role.KNIGHT, Role.KNIGHT))
ROOK, PAWN, QUEEN = Material((Role.ROOK,)), Material((Role.PAWN,)), Material((Role.QUEEN,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables with three men, and one with four of each game."""
    folder = tmp_path_factory.mktemp("tables")
    for variant, larger in ((variants.SPARK, TWO_KNIGHTS), (variants.PARLOUR, QUEEN_ROOK)):
        library = Library(variant, folder)
        for material in (*all_materials(3), larger):
            library.make(material)
    return folder


@pytest.fixture(scope="module")
def spark(folder: Path) -> Tablebase:
    return open_tablebase(variants.SPARK, folder)


@pytest.fixture(scope="module")
def parlour(folder: Path) -> Tablebase:
    return open_tablebase(variants.PARLOUR, folder)


def known(tablebase: Tablebase, fen: str) -> Known | None:
    return tablebase.probe(Position.from_fen(tablebase.variant, fen))


def outlook(tablebase: Tablebase, after: Position) -> Known:
    """What a position promises to whoever has just moved."""
    found, ending = tablebase.probe(after), after.ending()
    if found is None:
        assert ending is not None
        return Known(0, 0) if ending.winner is None else Known(1, 1)
    return Known(-found.result, found.distance_plies + 1 if found.result else 0)


def preference(outlook: Known) -> tuple[int, int]:
    """Wins soon before wins late, losses late before losses soon."""
    return outlook.result, -outlook.result * outlook.distance_plies


@pytest.mark.parametrize("material", all_materials(3), ids=lambda material: material.name)
@pytest.mark.parametrize("variant", [variants.SPARK, variants.PARLOUR], ids=lambda variant: variant.key)
def test_every_value_with_three_men_is_the_best_of_its_moves(
    folder: Path, variant: Variant, material: Material
) -> None:
    library = Library(variant, folder)
    for each in all_materials(3):
        table = library.open(each)
        if each == material:
            assert len(list(library.verify(material, table))) == PARTS
            break


@pytest.mark.parametrize(("variant", "material"), [(variants.SPARK, TWO_KNIGHTS), (variants.PARLOUR, QUEEN_ROOK)])
def test_every_fiftieth_value_with_four_men_is_the_best_of_its_moves(
    folder: Path, variant: Variant, material: Material
) -> None:
    library = Library(variant, folder)
    tables = {each: library.open(each) for each in (*all_materials(3), material)}
    assert len(list(library.verify(material, tables[material], step=50))) == PARTS


@pytest.mark.parametrize("variant", [variants.SPARK, variants.PARLOUR], ids=lambda variant: variant.key)
def test_verifying_sees_a_wrong_value(folder: Path, tmp_path: Path, variant: Variant) -> None:
    library = Library(variant, tmp_path)
    for material in (Material(), ROOK):
        library.make(material)
    path = library.path(ROOK)
    content = bytearray(path.read_bytes())
    wins = [place for place in range(HEADER.size, len(content)) if 2 < content[place] < 128]
    content[wins[len(wins) // 2]] += 2
    path.write_bytes(content)
    with pytest.raises(WrongTable, match=r"KRvK: the moves of .* lead to another value"):
        list(library.verify(ROOK, library.open(ROOK)))


@pytest.mark.parametrize("variant", [variants.SPARK, variants.PARLOUR], ids=lambda variant: variant.key)
def test_forward_sweeps_and_moves_taken_back_fill_the_same_table(variant: Variant) -> None:
    def filled(by_sweeps: bool) -> bytes:
        tablebase = Tablebase(variant)
        for material in (Material(), ROOK):
            solver = Solver(tablebase, material.types, by_sweeps)
            solver.prepare()
            while solver.advance():
                assert solver.level < 127
        return solver.finished()

    assert filled(by_sweeps=True) == filled(by_sweeps=False)


def test_the_tables_know_no_more_and_no_less_than_the_python_face_of_the_rules(
    spark: Tablebase, parlour: Tablebase
) -> None:
    chance = random.Random(8)
    for tablebase in (spark, parlour):
        compared = 0
        while compared < 300:
            types = chance.choice(tablebase.tables)
            position = tablebase.position_at(types, chance.randrange(2 * 518 * 64 ** len(types)))
            value = tablebase.probe(position) if len(position.pieces()) == 2 + len(types) else None
            if value is None or not position.legal_moves() or tablebase.policy.dead(position):
                continue
            moves = position.legal_moves()
            assert value == max((outlook(tablebase, position.play(move)) for move in moves), key=preference), position
            compared += 1


# From the published tables of chess: the longest wins of the queen (10 moves), the rook (16), the pawn (28) and of
# the queen against a rook (35); king and pawn against king is won in 124,960 positions with the pawn's side to move
# and in 97,604 with the other.  Mirror images count once here.


@pytest.mark.parametrize(("material", "moves"), [(QUEEN, 10), (ROOK, 16), (PAWN, 28), (QUEEN_ROOK, 35)])
def test_the_longest_wins_of_chess_are_those_known(folder: Path, material: Material, moves: int) -> None:
    white, _ = Library(variants.PARLOUR, folder).open(material).tallies
    assert white.longest_plies == 2 * moves - 1


def test_king_and_pawn_against_king_is_won_as_often_as_known(folder: Path) -> None:
    white, black = Library(variants.PARLOUR, folder).open(PAWN).tallies
    assert (2 * white.won, 2 * black.lost) == (124_960, 97_604)
    assert (2 * (white.won + white.drawn), 2 * (black.drawn + black.lost)) == (163_328, 168_024)


def test_two_knights_win_in_spark(folder: Path) -> None:
    white, _ = Library(variants.SPARK, folder).open(TWO_KNIGHTS).tallies
    assert white.won > 0.99 * (white.won + white.drawn)
    assert white.longest_plies == 53


def test_a_minor_piece_draws_in_spark_but_for_the_exceptions_at_the_edge(spark: Tablebase) -> None:
    assert known(spark, "8/8/8/8/8/8/8/2K1B1k1 w - - 0 1") == Known(1, 19)
    assert spark.probe(Position.from_fen(variants.SPARK, "8/8/3k4/8/8/8/8/2K1B3 w - - 0 1")) is None  # over already
    assert known(spark, "8/8/8/8/8/3k4/2B5/K7 w - - 0 1") == Known(1, 1)
    assert known(spark, "8/8/8/8/8/3k4/2B5/K7 b - - 0 1") == Known(0, 0)


def test_no_row_of_the_conformance_file_ends_better_than_its_table_says(spark: Tablebase) -> None:
    rows = (CONFORMANCE / "spark/outcomes.jsonl").read_text().splitlines()
    covered = 0
    for row in map(json.loads, rows):
        game = Game.start(variants.SPARK, spark.policy, row["fen"])
        for text in row["moves"]:
            before, mover = game.position, game.turn
            game.play_uci(text)
        value, ended = spark.probe(before), game.outcome
        if value is None:
            continue
        played = outlook(spark, game.position)
        if ended is not None:
            assert played.result == (0 if ended.winner is None else 1 if ended.winner is mover else -1), row
        assert preference(value) >= preference(played), row
        covered += 1
    assert covered >= 7


@pytest.mark.parametrize(
    ("game", "fen", "reason"),
    [
        ("spark", "8/8/8/8/8/4k3/5R2/K7 w - - 0 1", Reason.KING_CAPTURED),
        ("spark", "8/8/8/8/8/1N6/8/1k1K4 w - - 0 1", Reason.KING_CAPTURED),
        ("parlour", "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1", Reason.CHECKMATE),
    ],
)
def test_whoever_follows_the_table_wins_in_just_the_plies_it_says(
    request: pytest.FixtureRequest, game: str, fen: str, reason: Reason
) -> None:
    tablebase: Tablebase = request.getfixturevalue(game)
    position = Position.from_fen(tablebase.variant, fen)
    winner = position.turn
    value = tablebase.probe(position)
    assert value is not None and value.result == 1
    for left in range(value.distance_plies, 0, -1):
        assert tablebase.probe(position) == Known(1 if position.turn is winner else -1, left)
        moves = position.legal_moves()
        position = position.play(max(moves, key=lambda move: preference(outlook(tablebase, position.play(move)))))
    ending = position.ending()
    assert ending is not None and (ending.winner, ending.reason) == (winner, reason)


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
        "7K/6R1/5k2/8/8/8/8/8 w - - 7 30",
        "8/8/8/8/8/5k2/6R1/7K w - - 0 1",
        "8/8/8/8/8/2K5/1r6/k7 b - - 0 1",
    ],
)
def test_turned_boards_and_exchanged_colors_have_the_same_value(parlour: Tablebase, fen: str) -> None:
    assert known(parlour, fen) == Known(1, 31)


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        (variants.PARLOUR.start_fen, "too many men"),
        ("8/8/8/4p3/8/8/4P3/K1k5 w - - 0 1", "no table for two pawns"),
        ("8/8/8/8/8/k7/8/4K2R w K - 0 1", "castling is still possible"),
        ("8/8/8/8/8/2k5/1R6/K6R w - - 0 1", "this table was not made"),
    ],
)
def test_what_no_table_covers_is_unknown(parlour: Tablebase, fen: str, why: str) -> None:
    assert known(parlour, fen) is None, why


def test_a_position_of_another_game_is_unknown(parlour: Tablebase) -> None:
    assert parlour.probe(Position.from_fen(variants.STANDARD, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")) is None


def test_no_tables_at_all_know_nothing(tmp_path: Path) -> None:
    assert known(open_tablebase(variants.PARLOUR, tmp_path), "8/8/8/8/8/2k5/1R6/K7 w - - 0 1") is None


def test_a_finished_table_is_kept_and_a_broken_one_made_again(tmp_path: Path) -> None:
    library = Library(variants.SPARK, tmp_path)
    library.make(Material())
    path = library.path(QUEEN)
    library.make(QUEEN)
    whole, made = path.read_bytes(), path.stat().st_mtime_ns
    library.keep_or_make(QUEEN)
    assert path.stat().st_mtime_ns == made
    for broken in (whole[:50], whole[:-1], b"CENT" + whole[4:], whole[:-1] + bytes([whole[-1] ^ 1])):
        path.unlink()
        path.write_bytes(broken)
        library.keep_or_make(QUEEN)
        assert path.read_bytes() == whole
    assert [each.name for each in path.parent.iterdir() if each.suffix != ".table"] == []


def test_a_file_of_another_game_or_ending_is_refused(tmp_path: Path) -> None:
    ours, theirs = Library(variants.SPARK, tmp_path), Library(variants.PARLOUR, tmp_path)
    ours.make(Material())
    ours.path(QUEEN).write_bytes(ours.path(Material()).read_bytes())
    with pytest.raises(TableUnreadable, match="the table spark KvK, expected spark KQvK"):
        ours.open(QUEEN)
    theirs.path(Material()).parent.mkdir()
    theirs.path(Material()).write_bytes(ours.path(Material()).read_bytes())
    with pytest.raises(TableUnreadable, match="the table spark KvK, expected parlour KvK"):
        open_tablebase(variants.PARLOUR, tmp_path)


def test_a_table_whose_captures_lead_to_none_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(EndlessTable, match="an ending without a table"):
        Library(variants.PARLOUR, tmp_path).make(QUEEN)
    assert list(tmp_path.rglob("*.table")) == []


def test_the_command_makes_verifies_and_sums_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tablebase", variants.KING_OF_THE_HILL.key, "--men", "3", "--verify"]
    assert main([*words, "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 12
    assert lines[0].startswith("KvK White to move: 61.57% won, 0.00% drawn, 38.43% lost; longest win 5 plies: ")
    names = {path.name for path in (tmp_path / "tablebases/kingOfTheHill").iterdir()}
    assert names == {f"{material.name}.table" for material in all_materials(3)}


@pytest.mark.parametrize("key", ["crazyhouse", "antichess", "horde", "racingKings", "threeCheck"])
def test_a_game_that_cannot_have_tables_is_a_wrong_usage(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tablebase", key, "--men", "3", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"centella: no end-game tables for {key}: ")


def test_a_folder_that_cannot_be_written_fails_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["tablebase", variants.SPARK.key, "--men", "3", "--out", str(tmp_path / "file")]) == 1
    assert "Not a directory" in capsys.readouterr().err
