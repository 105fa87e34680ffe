"""docs/local-lichess.md tells what is there."""
from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest
from starlette.routing import Route

from bot.commands import server
from bot.server.app import create_app
from bot.server.fault_spec import LINE_TYPES, Fault, FaultKind
from bot.server.settings import ServerSettings

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "local-lichess.md").read_text()


def test_every_fault_is_told_and_none_that_is_not_there() -> None:
    tables = TEXT[TEXT.index("| of a request |") : TEXT.index("TYPE is the")]
    assert set(re.findall(r"^\| `(\w+)", tables, re.MULTILINE)) == set(FaultKind)
    assert "keepAlive" in LINE_TYPES and "any" in LINE_TYPES and "final" in LINE_TYPES


@pytest.mark.parametrize("spec", re.findall(r"--fault '([^']+)'", TEXT) + re.findall(r'faults=\["([^"]+)"', TEXT))
def test_faults_of_examples_can_be_read(spec: str) -> None:
    assert Fault.parse(spec)


def test_options_of_the_command_are_its_own() -> None:
    parser = argparse.ArgumentParser()
    server.add_parser(parser.add_subparsers())
    known = set(parser.parse_args(["server"]).__dict__) | {"bot", "scope", "all"}
    told = {name.replace("-", "_") for name in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", TEXT)}
    assert told <= known
    assert {"fault", "mint", "memory", "trust_proxy", "public_url", "rook_castling"} <= told


def test_the_administrators_commands_are_told_as_they_are() -> None:
    parser = argparse.ArgumentParser()
    server.add_parser(parser.add_subparsers())
    told = re.findall(r"^\| `centella server ((?:user|token|game) [^`]*)`", TEXT, re.MULTILINE)
    for line in told:
        assert parser.parse_args(["server", *re.sub(r"[\[\]]|\.\.\.", "", line).split()])
    actions = {" ".join(line.split()[:2]) for line in told}
    (offered,) = commands(parser).values()
    assert actions == {f"{thing} {action}" for thing, under in commands(offered).items() for action in commands(under)}


def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands that a parser has under it."""
    (under,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(under.choices)


def test_paths_and_settings_are_there() -> None:
    paths = {route.path for route in create_app(ServerSettings()).routes if isinstance(route, Route)}
    assert set(re.findall(r"`(?:GET|POST) (/[^`]*)`", TEXT)) <= paths
    settings = ServerSettings()
    for figure in (settings.streams, settings.streams_each, settings.connections):
        assert f"{figure:,}" in TEXT
    assert f"within {settings.request_ms // 1000} s" in TEXT and f"within {settings.stall_ms // 1000} s" in TEXT
    assert f"{settings.body_bytes // 1024} KiB" in TEXT
