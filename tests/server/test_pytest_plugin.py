"""The fixture for bot authors, in pytest runs of their own."""
from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ("-p", "pytest_centella", "-p", "no:schemathesis", "-p", "no:cacheprovider", "--strict-markers", "-q")


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """pytest as an author runs it, in a folder of their own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", *OPTIONS, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


AUTHORS_TESTS = '''
import berserk
import pytest
import requests

def client(lichess, name):
    return berserk.Client(berserk.TokenSession(lichess.mint(name)), base_url=lichess.url)

def test_a_game(local_lichess):
    one, other = client(local_lichess, "one"), client(local_lichess, "other")
    game_id = one.challenges.create("other", rated=False, clock_limit=60, clock_increment=0, color="white")["id"]
    other.bots.accept_challenge(game_id)
    lines = other.bots.stream_game_state(game_id)
    assert next(lines)["type"] == "gameFull"
    one.bots.make_move(game_id, "e2e4")
    assert next(lines)["moves"] == "e2e4"

@pytest.mark.local_lichess(manual_time=True, seed=7, faults=["status=502@/__ping#1"], rook_castling=True)
def test_settings(local_lichess):
    assert [requests.get(local_lichess.url + "/__ping").status_code for _ in range(2)] == [502, 200]
    local_lichess.advance(1_000)
    assert local_lichess.settings.rook_castling and local_lichess.settings.fault_seed == 7

@pytest.mark.local_lichess(seed=7)
@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_has_a_server_of_its_own(local_lichess, turn):
    assert local_lichess.call(lambda site: site.users.find("one")) is None

@pytest.mark.local_lichess(colour="red")
def test_an_unknown_setting(local_lichess):
    pass
'''


def test_authors_try_their_bots_with_it(tmp_path: Path) -> None:
    (tmp_path / "test_bot.py").write_text(AUTHORS_TESTS)
    done = run_pytest(tmp_path)
    assert "4 passed, 1 error" in done.stdout, done.stdout + done.stderr
    assert "unexpected keyword argument 'colour'" in done.stdout


def test_a_run_that_does_not_need_it_does_not_notice_it(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("MINE = True\n")
    (tmp_path / "test_mine.py").write_text(
        "import sys\n\nimport bot\n\n"
        "def test_nothing_is_loaded():\n"
        "    assert not {name for name in sys.modules if name.partition('.')[0] in ('rules', 'starlette')}\n\n"
        "def test_a_module_of_the_same_name_is_mine():\n    assert bot.MINE\n\n"
        "def test_no_server_then(local_lichess):\n    pass\n"
    )
    done = run_pytest(tmp_path)
    assert "2 passed, 1 error" in done.stdout, done.stdout + done.stderr
    assert "another of that name hides it" in done.stdout


@pytest.mark.parametrize("part", ["entry-points", "py-modules"])
def test_it_is_installed_with_the_rest(part: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    installed = {
        "entry-points": project["project"]["entry-points"]["pytest11"] == {"pytest_centella": "pytest_centella"},
        "py-modules": project["tool"]["setuptools"]["py-modules"] == ["pytest_centella"],
    }
    assert installed[part]
