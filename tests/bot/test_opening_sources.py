"""The sources of a configuration: each kind is opened, and whatever cannot be used is told before any game."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
import requests

from bot.config import Config
from bot.config.sources import SOURCES, Function
from bot.configfile import parse
from bot.search.tablebase.generation import Library
from bot.search.tablebase.material import Material
from bot.sources.function import FunctionSource
from bot.sources.opening import Means, SourceUnusable, open_sources
from rules import variants
from rules.move import Role
from tests.bot.asking import question

TABLES = Path(__file__).parents[1] / "conformance" / "tables"


def means(folder: Path) -> Means:
    return Means(folder, lambda url, patience_s: requests.Session(), random.Random(1), time.monotonic)


def configured(text: str) -> Config:
    return parse(f"sources:\n{text}", "config.yml", TABLES)


EVERY_KIND = """
- {kind: book, files: [polyglot/lasker-trap.bin]}
- {kind: tables}
- {kind: syzygy, folders: [syzygy], variants: [standard]}
- {kind: gaviota, folders: [gaviota]}
- {kind: engine, command: python3}
- {kind: function, target: "json:loads"}
- {kind: explorer}
- {kind: cloud}
- {kind: chessdb}
- {kind: online_tables}
"""


def test_every_kind_is_opened_from_its_configuration(tmp_path: Path) -> None:
    library = Library(variants.SPARK, tmp_path / "tablebases")
    for material in (Material(), Material((Role.QUEEN,))):
        library.make(material)
    config = configured(EVERY_KIND)
    assert [source.kind for source in config.sources] == list(SOURCES)
    sources = open_sources(config.sources, means(tmp_path))
    assert len(sources) == len(SOURCES)
    advice = sources.consult(question("d2d4").setting).ask(question("d2d4"))
    assert advice is not None and advice.source == "0 (book)"
    sources.close()


def test_what_cannot_be_used_is_told_all_at_once(tmp_path: Path) -> None:
    config = configured(
        """
- {kind: book, files: [nowhere.bin]}
- {kind: syzygy, folders: [gaviota]}
- {kind: tables}
- {kind: function, target: "no_such_module:choose"}
- {kind: engine, command: no-such-program --quietly}
- {kind: book, files: [polyglot/lasker-trap.bin]}
"""
    )
    with pytest.raises(SourceUnusable) as caught:
        open_sources(config.sources, means(tmp_path))
    lines = caught.value.problems
    assert [line.split(":")[0] for line in lines] == [
        "sources.0 (book)", "sources.1 (syzygy)", "sources.2 (tables)", "sources.3 (function)",
        "sources.4 (engine)",
    ]  # fmt: skip
    assert lines[0].endswith("nowhere.bin: No such file or directory")
    assert "no Syzygy tables in" in lines[1]
    assert "make some with centella tablebase" in lines[2]
    assert "No module named 'no_such_module'" in lines[3]
    assert lines[4].endswith("no-such-program: no such program")


def test_none_are_needed(tmp_path: Path) -> None:
    sources = open_sources((), means(tmp_path))
    consultation = sources.consult(question().setting)
    assert not consultation
    assert consultation.ask(question()) is None


def test_the_examples_of_the_guide_work(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "move-sources.md").read_text(encoding="utf-8")
    (yaml,) = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert [source.kind for source in parse(yaml, "guide").sources] == ["book", "book", "syzygy", "engine", "function"]
    (code,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    (tmp_path / "guided_moves.py").write_text(code, encoding="utf-8")
    source = FunctionSource(Function(target="guided_moves:choose", folder=str(tmp_path)))
    assert source.suggest(question()) is None
    suggestion = source.suggest(question("e2e4 d7d5"))
    assert suggestion is not None and suggestion.uci == "e4d5"
