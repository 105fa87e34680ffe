"""The shared files of known answers: every count, every outcome, every notation, every refusal."""

from pathlib import Path

import pytest

from bot.conformance import PerftRow, Verdict, read_perft, verify
from rules import variants
from rules.position import Position
from rules.variant import Variant

FILES = Path(__file__).resolve().parent.parent / "conformance"
ON_LICHESS = [variant for variant in variants.ALL if variant.lichess and not variant.needs_fen]
PERFT = {variant: FILES / f"perft/{variant.key}.epd" for variant in ON_LICHESS}
PERFT[variants.SPARK] = FILES / "spark/perft.epd"


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def wrong(verdicts: list[Verdict]) -> list[str]:
    return [f"line {verdict.line}: {verdict.remark}" for verdict in verdicts if not verdict.agrees]


@pytest.mark.parametrize(
    ("variant", "row"),
    [
        pytest.param(variant, row, id=f"{variant.key}-{row.line}")
        for variant, path in PERFT.items()
        for row in read_perft(lines(path))
    ],
)
def test_every_known_count_is_found(variant: Variant, row: PerftRow) -> None:
    position = Position.from_fen(variant, row.fen)
    assert {depth: position.perft(depth) for depth in row.counts} == row.counts


def test_parlour_and_from_position_move_as_standard_chess_does() -> None:
    for row in read_perft(lines(PERFT[variants.STANDARD])):
        for variant in (variants.PARLOUR, variants.FROM_POSITION):
            position = Position.from_fen(variant, row.fen)
            assert position.perft(3) == Position.from_fen(variants.STANDARD, row.fen).perft(3)


@pytest.mark.parametrize("file", ["outcomes", "notation", "invalid"])
def test_spark_agrees_with_an_independent_implementation(file: str) -> None:
    verdicts = list(verify(lines(FILES / f"spark/{file}.jsonl"), variants.SPARK))
    assert len(verdicts) == len(lines(FILES / f"spark/{file}.jsonl"))
    assert wrong(verdicts) == []


def test_draw_policies_and_the_order_of_their_tests() -> None:
    verdicts = list(verify(lines(FILES / "policies.jsonl"), None))
    assert len(verdicts) == 23
    assert wrong(verdicts) == []


@pytest.mark.parametrize("variant", ON_LICHESS, ids=lambda variant: variant.key)
def test_outcomes_and_material_are_those_of_lichess(variant: Variant) -> None:
    verdicts = list(verify(lines(FILES / "outcomes.jsonl"), variant))
    assert len(verdicts) >= 9
    assert wrong(verdicts) == []


def test_the_files_are_whole() -> None:
    assert sum(len(row.counts) for variant in ON_LICHESS for row in read_perft(lines(PERFT[variant]))) == 846
    assert len(list(verify(lines(FILES / "outcomes.jsonl"), None))) == 114
