"""Opening books: the chosen move is one of the book's, as often as it says, and never one that leads back."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import chess
import chess.polyglot
import pytest

from bot.config.sources import Book
from bot.sources.book import BookSource
from bot.sources.source import Question
from rules import variants
from tests.bot.asking import question

TABLES = Path(__file__).parents[1] / "conformance" / "tables"
LASKER = TABLES / "polyglot" / "lasker-trap.bin"
REPEATED = "g1f3 g8f6 f3g1 f6g8"


def written(folder: Path, board: chess.Board, weights: dict[str, int], name: str = "own.bin") -> str:
    """A book of one position."""
    key = chess.polyglot.zobrist_hash(board)
    entries = b""
    for text, weight in weights.items():
        move = chess.Move.from_uci(text)
        raw = move.to_square | move.from_square << 6 | ((move.promotion or 1) - 1) << 12
        entries += chess.polyglot.ENTRY_STRUCT.pack(key, raw, weight, 0)
    (folder / name).write_bytes(entries)
    return str(folder / name)


def drawn(source: BookSource, asked: Question, times: int = 1) -> Counter[str]:
    found = [source.suggest(asked) for _ in range(times)]
    return Counter(suggestion.uci if suggestion else "" for suggestion in found)


def book(*files: str | Path, **terms: object) -> BookSource:
    return BookSource(Book.model_validate({"files": tuple(map(str, files)), **terms}), random.Random(5))


def test_a_real_book_is_followed_through_its_line_and_no_further() -> None:
    source, played = book(LASKER), "d2d4"
    for answer, reply in (("d7d5", "c2c4"), ("e7e5", "d4e5"), ("d5d4", "e2e3"), ("f8b4", "c1d2")):
        assert drawn(source, question(played)) == {answer: 1}
        played += f" {answer} {reply}"
    assert drawn(source, question(played)) == {"d4e3": 1}
    assert source.suggest(question("a2a3")) is None
    source.close()


def test_moves_are_drawn_by_weight_evenly_or_the_best_one(tmp_path: Path) -> None:
    file = written(tmp_path, chess.Board(), {"e2e4": 30, "d2d4": 10})
    by_weight = drawn(book(file), question(), 400)
    assert 250 < by_weight["e2e4"] < 350 and by_weight.total() == by_weight["e2e4"] + by_weight["d2d4"]
    assert 150 < drawn(book(file, selection="uniform"), question(), 400)["e2e4"] < 250
    assert drawn(book(file, selection="best"), question(), 20) == {"e2e4": 20}


def test_rare_moves_may_be_left_out(tmp_path: Path) -> None:
    file = written(tmp_path, chess.Board(), {"e2e4": 90, "d2d4": 8, "a2a3": 2})
    assert set(drawn(book(file, selection="uniform", least_weight=5), question(), 60)) == {"e2e4", "d2d4"}
    assert set(drawn(book(file, selection="uniform", least_percent=10), question(), 60)) == {"e2e4"}


def test_a_move_that_leads_back_is_left_out_unless_that_is_wished(tmp_path: Path) -> None:
    board = chess.Board()
    for text in REPEATED.split()[:3]:
        board.push_uci(text)
    file = written(tmp_path, board, {"f6g8": 1})
    asked = question(" ".join(REPEATED.split()[:3]))
    assert book(file).suggest(asked) is None
    assert drawn(book(file, repeat=True), asked) == {"f6g8": 1}


def test_the_first_file_that_has_the_position_counts(tmp_path: Path) -> None:
    files = [written(tmp_path, chess.Board(), {move: 1}, f"{move}.bin") for move in ("e2e4", "d2d4")]
    assert drawn(book(LASKER, *files), question()) == {"e2e4": 1}
    assert drawn(book(*reversed(files)), question()) == {"d2d4": 1}


def test_castling_is_understood_in_the_form_of_books(tmp_path: Path) -> None:
    line = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
    board = chess.Board()
    for text in line.split():
        board.push_uci(text)
    assert drawn(book(written(tmp_path, board, {"e1h1": 1})), question(line)) == {"e1g1": 1}


def test_variants_that_python_chess_knows_have_books(tmp_path: Path) -> None:
    source = book(written(tmp_path, chess.Board(), {"e2e4": 1}))
    known = [variant.key for variant in variants.ALL if source.plays(variant)]
    assert len(known) == 10 and not {"spark", "parlour"} & set(known)
    assert drawn(source, question(variant=variants.ATOMIC)) == {"e2e4": 1}


def test_a_file_that_is_no_book_is_told(tmp_path: Path) -> None:
    (tmp_path / "odd.bin").write_bytes(b"0123456789")
    with pytest.raises(ValueError, match="not a polyglot book"):
        book(tmp_path / "odd.bin")
    with pytest.raises(FileNotFoundError):
        book(tmp_path / "missing.bin")
