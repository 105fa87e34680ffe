"""Making a bot account: only where it can be done, only when somebody says so, and never twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import PATIENCE_S
from tests.incidents.processes import environment, written_config
from tests.server.players import Player

UPGRADE = "/api/bot/account/upgrade"


def upgraded(
    lichess: LocalLichess, folder: Path, token: str, *options: str, answer: str = ""
) -> subprocess.CompletedProcess[str]:
    """The command, with an answer typed into it."""
    config = written_config(folder, lichess.url)
    return subprocess.run(
        [sys.executable, "-m", "bot", "upgrade", "--config", config, *options], cwd=folder, input=answer,
        env=environment(folder, CENTELLA_TOKEN=token), capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def title(player: Player) -> object:
    return player.get("/api/account").json().get("title")


def test_an_account_is_upgraded_when_its_name_is_typed(lichess: LocalLichess, tmp_path: Path) -> None:
    fresh = Player(lichess, "Fresh", bot=False, scopes=frozenset({"bot:play"}))
    refused = upgraded(lichess, tmp_path, fresh.token, answer="yes\n")
    assert refused.returncode == 1
    assert "Fresh on http://" in refused.stdout
    assert "nothing was changed" in refused.stdout
    assert title(fresh) is None
    done = upgraded(lichess, tmp_path, fresh.token, answer="fresh\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Fresh is a bot account" in done.stdout
    assert title(fresh) == "BOT"


def test_without_a_person_nothing_is_changed_unless_told_beforehand(lichess: LocalLichess, tmp_path: Path) -> None:
    fresh = Player(lichess, "fresh", bot=False, scopes=frozenset({"bot:play"}))
    assert upgraded(lichess, tmp_path, fresh.token).returncode == 1
    assert title(fresh) is None
    lichess.fault(f"lose@{UPGRADE}#1")
    assert upgraded(lichess, tmp_path, fresh.token, "--yes").returncode == 0, "the answer was lost, not the upgrade"
    assert title(fresh) == "BOT"
    lichess.fault(f"status=500@{UPGRADE}")
    again = upgraded(lichess, tmp_path, fresh.token, "--yes")
    assert again.returncode == 0, "a bot account is not upgraded twice"
    assert "already" in again.stdout


def test_an_account_that_has_played_is_told_so(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    veteran = Player(lichess, "veteran", bot=False, scopes=frozenset({"bot:play", "board:play", "challenge:write"}))
    game_id = veteran.challenge(rival)["id"]
    rival.accept(game_id)
    for player, uci in ((veteran, "e2e4"), (rival, "e7e5")):
        player.move(game_id, uci)
    assert rival.command(game_id, "resign").status_code == 200
    failed = upgraded(lichess, tmp_path, veteran.token, "--yes")
    assert failed.returncode == 1
    assert "has played a game" in failed.stderr


@pytest.mark.parametrize(
    ("scopes", "fault", "says"),
    [
        (frozenset({"board:play"}), None, "has not got the scope bot:play"),
        (frozenset({"bot:play"}), f"empty=404@{UPGRADE}", "is managed by somebody else: 404"),
        (frozenset({"bot:play"}), f"empty=400@{UPGRADE}", "refuses: 400"),
        (frozenset({"bot:play"}), f"status=503@{UPGRADE}", "did not do it: 503"),
        (frozenset({"bot:play"}), "empty=401@/api/account", "does not accept the token: 401"),
        (frozenset({"bot:play"}), "status=502@/api/token/test", "cannot be used: 502"),
    ],
)
def test_what_stands_in_the_way_is_told_in_one_line(
    lichess: LocalLichess, tmp_path: Path, scopes: frozenset[str], fault: str | None, says: str
) -> None:
    fresh = Player(lichess, "fresh", bot=False, scopes=scopes)
    if fault:
        lichess.fault(fault)
    failed = upgraded(lichess, tmp_path, fresh.token, "--yes")
    assert failed.returncode == 1
    (line,) = failed.stderr.splitlines()
    assert says in line
    lichess.clear_faults()
    assert title(fresh) is None
