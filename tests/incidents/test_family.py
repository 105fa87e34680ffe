"""Several accounts in one process: each with its own token and strength, one database, and no harm to each other."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.operation.control import ask
from bot.server.app import LocalLichess
from tests.incidents.house import Seat, eventually
from tests.incidents.processes import Process, process, results, run, written_config
from tests.server.players import Player


def family_config(folder: Path, url: str, accounts: Mapping[str, Mapping[str, Any]]) -> str:
    """A configuration with these accounts."""
    name = written_config(folder, url, log={"level": "debug"})
    values = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps({**values, "accounts": accounts}), encoding="utf-8")
    return name


@contextmanager
def family(lichess: LocalLichess, folder: Path) -> Iterator[Process]:
    """Ada, who thinks little, and Bea, who thinks more, once both are online."""
    deeper, bots_only = {"limits": {"depth": 3}}, {"humans": {"allow": False}}
    accounts = {
        "ada": {"token_variable": "ADA_TOKEN", "strength": {"limits": {"depth": 1}}},
        "bea": {"token_file": "bea.token", "strength": deeper, "accept": bots_only},
    }
    config = family_config(folder, lichess.url, accounts)
    (folder / "bea.token").write_text(lichess.mint("bea"), encoding="utf-8")
    with process(folder, "run", "--config", config, "--data", "data", ADA_TOKEN=lichess.mint("ada")) as started:
        for name in ("ada", "bea"):
            eventually(
                lambda name=name: not started.running or lichess.call(lambda site: site.audience.online(name)), name
            )
        assert started.running, "".join(started.lines)
        yield started


def depths(bot: Process) -> set[int]:
    """The depths of all thoughts so far."""
    return {int(found.group(1)) for line in bot.lines if (found := re.search(r"depth (\d+), \d+ nodes", line))}


def test_each_account_plays_by_its_own_settings(lichess: LocalLichess, tmp_path: Path) -> None:
    with family(lichess, tmp_path) as bot:
        rival = Player(lichess, "rival", bot=False)
        game = Seat(rival, "ada")
        game.move("e2e4")
        assert depths(bot) == {1}
        events = rival.events()
        rival.challenge(Player(lichess, "bea"))
        assert events.next_of("challengeDeclined")["challenge"]["declineReasonKey"] == "onlybot"
        machine = Seat(Player(lichess, "machine"), "bea")
        machine.move("e2e4")
        assert depths(bot) == {1, 3}
        for seat in (game, machine):
            seat.finish()
        statuses = ask(tmp_path / "data", ["status"]).value["accounts"]
        assert [status["account"] for status in statuses] == ["ada", "bea"]
        assert ask(tmp_path / "data", ["pause", "ada"]).ok
        states = [status["state"] for status in ask(tmp_path / "data", ["status"]).value["accounts"]]
        assert states == ["paused", "playing"]
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 0
    assert {(row["account"], row["opponent"]) for row in results(tmp_path)} == {("ada", "rival"), ("bea", "machine")}


def test_two_of_them_may_play_each_other(lichess: LocalLichess, tmp_path: Path) -> None:
    with family(lichess, tmp_path) as bot:
        game_id = Player(lichess, "ada").challenge(Player(lichess, "bea"), **{"clock.limit": 60})["id"]

        def is_over() -> bool:
            return lichess.call(lambda site: game_id in site.tables and site.tables[game_id].over)

        eventually(is_over, "it ends", 60)
        eventually(lambda: sum("over, " in line for line in bot.lines) == 2, "both have recorded it")
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 0
    rows = results(tmp_path)
    assert [row["game_id"] for row in rows] == [game_id, game_id]
    assert {row["account"] for row in rows} == {"ada", "bea"}
    assert len({(row["result"], row["plies"]) for row in rows}) == 1


def test_one_that_is_locked_out_does_not_stop_the_other(lichess: LocalLichess, tmp_path: Path) -> None:
    with family(lichess, tmp_path) as bot:
        lichess.fault("status=401@bea/api/stream/event")
        lichess.break_streams("drop", "/api/stream/event")
        bot.says("bea: stopped: the token is no longer accepted: 401")
        reply = ask(tmp_path / "data", ["health"])
        assert not reply.ok
        assert reply.text.startswith("bea: the token is no longer accepted")
        game = Seat(Player(lichess, "rival", bot=False), "ada")
        game.move("e2e4")
        game.finish()
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 1, "the process says at its end that something was wrong"


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"ADA_TOKEN": "ada", "BEA_TOKEN": "ada"}, "ada and bea are the same account: ada"),
        ({"ADA_TOKEN": "ada", "BEA_TOKEN": "wrong"}, "bea: "),
    ],
)
def test_accounts_that_cannot_be_are_told(
    lichess: LocalLichess, tmp_path: Path, variables: dict[str, str], says: str
) -> None:
    accounts = {name: {"token_variable": f"{name.upper()}_TOKEN"} for name in ("ada", "bea")}
    config = family_config(tmp_path, lichess.url, accounts)
    tokens = {name: lichess.mint("ada") if owner == "ada" else "lip_wrong" for name, owner in variables.items()}
    failed = run(tmp_path, "run", "--config", config, "--data", "data", **tokens)
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1].startswith(f"centella: {says}")


def test_a_missing_token_of_one_is_told_by_its_name(tmp_path: Path) -> None:
    config = family_config(tmp_path, "http://127.0.0.1:9", {"ada": {}, "bea": {"token_variable": "BEA_TOKEN"}})
    failed = run(tmp_path, "run", "--config", config, "--data", "data", CENTELLA_TOKEN="lip_ofNobody")
    assert failed.returncode == 2
    assert [line.split(":")[1] for line in failed.stderr.splitlines()] == [" no token for ada", " no token for bea"]
