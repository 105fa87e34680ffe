"""`centella check`: could the bot play, and what would it accept?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from bot.server.app import LocalLichess
from tests.incidents.processes import run, written_config


def checked(
    folder: Path, url: str, *options: str, token: str = "", **sections: dict[str, object]
) -> subprocess.CompletedProcess[str]:
    config = written_config(folder, url, **sections)
    return run(folder, "check", "--config", config, "--data", "data", *options, CENTELLA_TOKEN=token)


def test_all_in_order_is_told_with_what_is_accepted(lichess: LocalLichess, tmp_path: Path) -> None:
    done = checked(tmp_path, lichess.url, token=lichess.mint("centella"), accept={"bots": {"allow": False}})
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        "configuration: in order", "token: known, with bot:play", "account: centella, a bot account",
        "proved to be playable: Standard, Chess960", "no games with bots", "rated games with people: Standard",
    ):  # fmt: skip
        assert words in done.stdout
    assert not (tmp_path / "data").exists(), "a check leaves nothing behind"


def test_without_a_token_the_rest_can_be_checked(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9"
    done = checked(tmp_path, url, "--offline")
    assert done.returncode == 0
    assert "casual games with people" in done.stdout
    missing = checked(tmp_path, url)
    assert missing.returncode == 2
    assert missing.stderr.startswith("centella: no token: ")


@pytest.mark.parametrize(
    ("scopes", "bot", "fault", "says"),
    [
        (None, True, "empty=401@/api/account", "does not accept the token: 401"),
        (None, True, "status=502@/api/token/test", "cannot be used: 502"),
        (None, False, "", "is not a bot account"),
        ({"challenge:read"}, True, "", "has not got the scope bot:play"),
    ],
)
def test_what_is_wrong_with_the_account_is_told(
    lichess: LocalLichess, tmp_path: Path, scopes: set[str] | None, bot: bool, fault: str, says: str
) -> None:
    token = lichess.mint("centella", bot=bot, scopes=None if scopes is None else frozenset(scopes))
    if fault:
        lichess.fault(fault)
    done = checked(tmp_path, lichess.url, token=token)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert says in line
    assert token not in done.stdout + done.stderr


def test_a_book_that_is_not_there_is_a_mistake_of_the_configuration(tmp_path: Path) -> None:
    values = {"url": "http://127.0.0.1:9", "sources": [{"kind": "book", "files": ["nowhere.bin"]}]}
    (tmp_path / "config.yml").write_text(json.dumps(values), encoding="utf-8")
    done = run(tmp_path, "check", "--offline")
    assert done.returncode == 2
    assert "nowhere.bin: No such file" in done.stderr
