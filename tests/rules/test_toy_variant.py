"""A new game takes one short file and its header: this one is compiled and played, and no other code knows of it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rules import san, uci
from rules.outcome import Reason
from rules.position import Position

if TYPE_CHECKING:
    from rules.variant import Variant

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).parent / "toy" / "knightly.py"

BUILD = f"""
import sys
from Cython.Build import cythonize
from setuptools import Extension, setup
sys.path.insert(0, {str(ROOT)!r})
setup(
    name="toy",
    packages=[],
    script_args=["-q", "build_ext", "--inplace"],
    ext_modules=cythonize(
        [Extension("knightly", ["knightly.py"])],
        include_path=[{str(ROOT)!r}],
        compiler_directives={{"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}},
        quiet=True,
    ),
)
"""


@pytest.fixture(scope="module")
def knightly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Variant]:
    folder = tmp_path_factory.mktemp("toy")
    for source in (SOURCE, SOURCE.with_suffix(".pxd")):
        (folder / source.name).write_text(source.read_text())
    subprocess.run([sys.executable, "-c", BUILD], cwd=folder, check=True)
    (binary,) = folder.glob("knightly.*.so")
    spec = importlib.util.spec_from_file_location("knightly", binary)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.Knightly()


def test_the_whole_game_is_one_file_under_forty_lines() -> None:
    assert len(SOURCE.read_text().splitlines()) < 40


def test_knights_step_like_kings_and_jump_like_knights(knightly: Variant) -> None:
    position = Position.from_fen(knightly, "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1")
    knight_moves = {uci.write(position, move, False) for move in position.legal_moves() if move.origin == 27}
    assert len(knight_moves) == 16
    assert {"d4e4", "d4c5", "d4f5", "d4b3"} <= knight_moves
    assert "d4d6" not in knight_moves


def test_a_knight_beside_a_king_gives_check(knightly: Variant) -> None:
    beside = Position.from_fen(knightly, "8/8/8/3k4/4N3/8/8/4K3 b - - 0 1")
    apart = Position.from_fen(knightly, "8/8/3k4/8/3N4/8/8/4K3 b - - 0 1")
    assert beside.in_check and "e4" not in {san.write(beside, move) for move in beside.legal_moves()}
    assert not apart.in_check


def test_such_a_check_must_be_parried_and_can_mate(knightly: Variant) -> None:
    mated = Position.from_fen(knightly, "k7/N7/1K6/8/8/8/8/7B b - - 0 1")
    ending = mated.ending()
    assert ending is not None and ending.reason is Reason.CHECKMATE
    escaping = Position.from_fen(knightly, "k7/N7/8/8/8/8/8/K7 b - - 0 1")
    assert {uci.write(escaping, move, False) for move in escaping.legal_moves()} == {"a8a7"}


def test_its_generator_keeps_the_invariants_of_every_game(knightly: Variant) -> None:
    position = Position.start(knightly)
    assert position.perft(2) == 400
    for text in ("b1c3", "b8c6", "c3d4", "c6d5", "d4c5", "d5e4"):
        position = position.play(uci.read(position, text))
        moves = {move.code for move in position.generate(0)}
        assert moves == {move.code for kind in (1, 2) for move in position.generate(kind)}
        assert all(position.pseudo_legal(move) for move in position.generate(0))
        assert position.key == position.key_from_scratch()
    assert position.perft(3) == sum(position.play(move).perft(2) for move in position.legal_moves())
