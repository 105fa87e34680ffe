"""The rules of the code base that no type checker knows: who imports whom, where games are named, how long it is."""

import ast
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from rules import variants

ROOT = Path(__file__).resolve().parent.parent
CODE = sorted([*ROOT.glob("rules/**/*.py"), *ROOT.glob("bot/**/*.py")])
EVERYTHING = sorted([*CODE, *ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/**/*.py"), ROOT / "setup.py"])
HEADERS = sorted(path for path in ROOT.glob("*/**/*.pxd") if path.relative_to(ROOT).parts[0] in ("rules", "bot"))
COMPILED = [path.with_suffix(".py") for path in HEADERS if path.stem != "__init__" and path.with_suffix(".py").exists()]

GAME_KEYS = {variant.key for variant in variants.ALL} | {
    *("standard", "chess960", "fromPosition", "crazyhouse", "antichess", "atomic", "horde"),
    *("kingOfTheHill", "racingKings", "threeCheck", "spark", "parlour"),
}
PURE_IMPORTS = {
    *("__future__", "abc", "collections", "cython", "dataclasses", "enum", "functools", "itertools", "math"),
    *(
        "operator",
        "re",
        "types",
        "typing",
        "libc.stdint",
        "libc.string",
        "libc.stdlib",
        "cpython.mem",
        "cpython.object",
    ),
}
EFFECTS = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "queue", "random", "secrets", "shutil", "socket"),
    *("sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "berserk", "requests", "urllib", "http"),
}
VAGUE = {"data", "handle", "helper", "helpers", "info", "manager", "misc", "util", "utils"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """Every module that a file imports or cimports, at whatever depth, as full names."""
    if path.suffix == ".pxd":
        lines = re.findall(r"^\s*(?:from\s+([\w.]+)\s+)?c?import\s+([\w.]+)", path.read_text(), re.MULTILINE)
        return {module if module else name for module, name in lines}
    return imported_by(ast.parse(path.read_text()), module_name(path), is_package=path.name == "__init__.py")


def imported_by(tree: ast.Module, module: str, is_package: bool = False) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".")[: -(node.level - is_package) or None]
                base = ".".join([*package, *([node.module] if node.module else [])])
            # `from bot import lichess` imports bot.lichess; a name that is no module does no harm here.
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return {name.removeprefix("cython.cimports.") for name in found}


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def ours(names: set[str]) -> set[str]:
    # A bare `bot` or `rules` is only the package that a name was taken from.
    return {name for name in names if within(name, ("rules", "bot")) and name not in ("bot", "bot.__version__")}


# Whoever is named on the left imports, of ours, only what is on the right.
ONLY = {
    "rules": ("rules",),
    "bot.search": ("bot.search", "rules"),
    "bot.server": ("bot.server", "bot.search", "bot.wire", "bot.pgn", "bot.ratings", "rules"),
    "bot.timing": ("bot.timing", "bot.config", "bot.search.clock"),
    "bot.search.clock": ("bot.search.clock",),
    "bot.wire": ("bot.wire",),
    "bot.ratings": ("bot.ratings",),
    "bot.pgn": ("bot.pgn", "bot.wire", "rules"),
}
# Whoever is named on the left never imports what is on the right.
NEVER = {
    "bot.lichess": ("rules", "bot.search", "bot.server", "bot.records"),
    "bot.transport": ("rules", "bot.search", "bot.server", "bot.records"),
    "bot.gate": ("rules", "bot.search", "bot.server", "bot.records", "bot.config"),
    "bot.admission": ("bot.lichess", "bot.records", "bot.server", "bot.search"),
    "bot.conduct": ("bot.lichess", "bot.records", "bot.server", "bot.search"),
    "bot.session": ("bot.server",),
    "bot.daemon": ("bot.server",),
    "bot.operation": ("bot.server",),
}
LAYERS = ("bot.session", "bot.games", "bot.daemon", "bot.operation", "bot.commands", "bot.__main__")


def layer(name: str) -> int:
    return next((rank for rank, package in enumerate(LAYERS, start=1) if within(name, (package,))), 0)


def wrong_imports(module: str, names: set[str]) -> list[str]:
    """The imports of ours that the design forbids to a module."""
    wrong = {name for name in names if layer(name) > layer(module)}
    for package, allowed in ONLY.items():
        if within(module, (package,)):
            wrong |= {name for name in names if not within(name, allowed)}
    for package, forbidden in NEVER.items():
        if within(module, (package,)):
            wrong |= {name for name in names if within(name, forbidden)}
    return sorted(wrong)


def test_imports_go_one_way() -> None:
    wrong = {module_name(path): wrong_imports(module_name(path), ours(imports(path))) for path in [*CODE, *HEADERS]}
    assert {module: names for module, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("rules.fen", "import bot.wire"),
        ("rules.fen", "from bot import wire"),
        ("bot.search.thinker", "from bot.config import Config"),
        ("bot.search.thinker", "from ..config import Config"),
        ("bot.lichess", "def late():\n    from rules.position import Position"),
        ("bot.lichess", "from rules import variants"),
        ("bot.server.app", "from bot.lichess import Lichess"),
        ("bot.session", "from bot.daemon import Daemon"),
        ("bot.daemon", "import bot.commands.run"),
        ("bot.daemon", "from bot.operation.fleet import Fleet"),
        ("bot.timing", "from bot import lichess"),
    ],
)
def test_the_import_check_sees_a_wrong_direction(module: str, source: str) -> None:
    assert wrong_imports(module, ours(imported_by(ast.parse(source), module)))


def foreign(path: Path) -> set[str]:
    """What a file imports from elsewhere, without the names taken out of those modules."""
    return {name for name in imports(path) if not within(name, ("rules", "bot"))}


def test_rules_touch_no_file_clock_chance_log_or_thread() -> None:
    for path in [*ROOT.glob("rules/**/*.py"), *ROOT.glob("rules/**/*.pxd")]:
        allowed = tuple(PURE_IMPORTS | ({"importlib"} if path == ROOT / "rules/__init__.py" else set()))
        assert {name for name in foreign(path) if not within(name, allowed)} == set(), path
        if path.suffix == ".py":
            calls = (node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
            assert {"open", "print", "input"}.isdisjoint(f.id for f in calls if isinstance(f, ast.Name)), path


@pytest.mark.parametrize(
    "name", ["admission", "conduct", "lists", "places", "queueing", "slow_games", "time_controls", "timing"]
)
def test_decisions_are_pure(name: str) -> None:
    paths = [*ROOT.glob(f"bot/{name}.py"), *ROOT.glob(f"bot/{name}/*.py")]
    assert {(path, found) for path in paths for found in foreign(path) if found in EFFECTS} == set()


def constants(node: ast.AST | None) -> set[str]:
    """The strings a node is, or holds as a tuple, list or set."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def named_games(tree: ast.AST) -> list[int]:
    """The lines that compare with, match, look up or tabulate a game's key."""
    lines = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare():
                found = set().union(*(constants(part) for part in (node.left, *node.comparators)))
            case ast.MatchValue():
                found = constants(node.value)
            case ast.Dict():
                found = set().union(*(constants(key) for key in node.keys))
                # Lichess's reasons to decline have a "standard" too.
                found = set() if "generic" in found else found
            case ast.Subscript():
                found = constants(node.slice)
            case ast.Call(func=ast.Attribute(attr="get" | "pop" | "startswith" | "endswith"), args=[first, *_]):
                found = constants(first)
            case _:
                continue
        if found & GAME_KEYS:
            lines.append(node.lineno if hasattr(node, "lineno") else 0)
    return lines


def test_only_the_games_own_files_branch_on_a_games_name() -> None:
    exempt = (ROOT / "rules/variants", ROOT / "bot/search/evaluation")
    shared = [path for path in CODE if not any(path.is_relative_to(folder) for folder in exempt)]
    found = {str(path.relative_to(ROOT)): named_games(ast.parse(path.read_text())) for path in shared}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "source",
    [
        "variant.key == 'atomic'",
        "'spark' != key",
        "key in ('standard', 'chess960')",
        "match key:\n    case 'spark':\n        pass",
        "{'horde': 1}[key]",
        "values['parlour']",
        "values.get('crazyhouse')",
        "Literal['standard', 'atomic']",
    ],
)
def test_the_name_check_sees_a_branch(source: str) -> None:
    assert named_games(ast.parse(source))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Every function with its length in lines, its docstring and decorators not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            is_docstring = isinstance(first, ast.Expr) and bool(constants(first.value))
            docstring = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
            lines = (node.end_lineno or 0) - node.lineno + 1 - docstring
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", lines


def test_a_function_fits_a_screen() -> None:
    long = [
        f"{name}: {lines} lines"
        for path in [*CODE, *ROOT.glob("bench/**/*.py")]
        for name, lines in functions(path)
        if lines > (80 if path in COMPILED else 40)
    ]
    assert long == []


def test_a_module_has_one_noun() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in EVERYTHING}
    assert {path: lines for path, lines in lengths.items() if lines > 400} == {}


def test_names_say_what_a_thing_is() -> None:
    vague = []
    for path in EVERYTHING:
        names = [path.stem, path.parent.name]
        names += [node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
        words = {word.lower() for name in names for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
        vague += [f"{path.relative_to(ROOT)}: {word}" for word in sorted(words & VAGUE)]
    assert vague == []


def test_nothing_is_left_unwritten() -> None:
    stub = "NotImplemented" + "Error"
    assert [path for path in EVERYTHING if re.search(rf"\b{stub}\b", path.read_text())] == []


def test_state_lives_in_objects() -> None:
    for path in set(CODE) - set(COMPILED):
        assert not any(isinstance(node, ast.Global) for node in ast.walk(ast.parse(path.read_text()))), path


def test_the_layout_has_no_new_top_level_idea() -> None:
    hidden = (path for path in ROOT.iterdir() if not path.name.startswith("."))
    top = {path.name for path in hidden if path.suffix == ".py" or (path.is_dir() and any(path.glob("**/*.py")))}
    # pytest's plugin is found by its name, which must not be one that other projects have, as `bot` is.
    assert top - {"build", "dist"} <= {"rules", "bot", "tests", "bench", "setup.py", "pytest_centella.py"}


def test_mypy_leaves_out_exactly_the_compiled_modules() -> None:
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    patterns = {name for entry in overrides if entry.get("ignore_errors") for name in entry["module"]}
    ignored = {path for path in CODE if any(fnmatch(module_name(path), pattern) for pattern in patterns)}
    assert ignored == set(COMPILED)


def test_the_binaries_are_not_stale() -> None:
    stamps = list(ROOT.glob("build/compiled-*"))
    assert len(stamps) == 1, "no finished build: run make build"
    built = stamps[0].stat().st_mtime
    included = ROOT.glob("bot/search/**/*.h")
    newer = [path for path in [*COMPILED, *HEADERS, *included] if path.stat().st_mtime > built]
    assert newer == [], "the binaries do not have these: run make build"
    missing = [path for path in COMPILED if not path.with_suffix(EXTENSION_SUFFIXES[0]).exists()]
    assert missing == [], "not compiled: run make build"
