"""The results database: each game once, whatever happens, and how it is shown."""

from __future__ import annotations

import json
import logging
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from bot import directory, wire
from bot.records.database import FILE_NAME, STEPS, Records, RecordsError
from bot.records.game import GameRecord, OpenGame
from bot.records.report import as_json, as_table, summary, verdict
from bot.records.settling import record_of_export, record_of_state
from tests.incidents.house import eventually

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OPEN = OpenGame(
    game_id="abcdefgh", source="lichess", account="housebot", url="https://lichess.org/abcdefgh", variant="spark",
    rated=False, speed="blitz", color="black", opponent="rival", started_at="2026-11-30T11:00:00Z",
)  # fmt: skip
WON = record_of_export(
    OPEN, directory.ExportedGame(id="abcdefgh", status="variantEnd", winner="black", moves="e4 e5"), NOW
)


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(tmp_path)


def test_a_game_is_open_until_it_is_recorded(records: Records) -> None:
    assert records.open_game(OPEN)
    assert records.open_games("lichess", "housebot") == [OPEN]
    assert not records.has_ended("abcdefgh", "lichess", "housebot")
    assert records.close_game(WON)
    assert records.open_games("lichess", "housebot") == []
    assert records.has_ended("abcdefgh", "lichess", "housebot")
    assert records.ended_games() == [WON]


def test_the_second_record_of_a_game_changes_nothing(records: Records) -> None:
    records.open_game(OPEN)
    assert records.close_game(WON)
    assert not records.close_game(replace(WON, result="1-0"))
    assert records.ended_games() == [WON]


def test_a_game_is_opened_once_and_never_after_its_end(records: Records) -> None:
    assert records.open_game(OPEN)
    assert not records.open_game(OPEN)
    records.close_game(WON)
    assert not records.open_game(OPEN)
    assert records.open_games("lichess", "housebot") == []


def test_open_games_are_told_apart_by_source_and_account(records: Records) -> None:
    records.open_game(OPEN)
    assert records.open_games("local", "housebot") == []
    assert records.open_games("lichess", "other") == []


def test_a_game_between_two_of_our_accounts_is_recorded_for_each(records: Records) -> None:
    other = replace(OPEN, account="rival", color="white", opponent="housebot")
    assert records.open_game(OPEN) and records.open_game(other)
    assert records.close_game(WON)
    assert records.open_games("lichess", "rival") == [other]
    assert not records.has_ended("abcdefgh", "lichess", "rival")
    assert records.close_game(replace(WON, account="rival", color="white"))
    assert {record.account for record in records.ended_games()} == {"housebot", "rival"}


def test_a_database_of_the_first_version_keeps_its_games(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as old:
        old.executescript(STEPS[0])
        values = {name: value for name, value in asdict(WON).items() if name != "account"}
        old.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(values))})", tuple(values.values()))
        open_values = {name: value for name, value in asdict(OPEN).items() if name != "rules"} | {"game_id": "running1"}
        old.execute(f"INSERT INTO journal VALUES ({', '.join('?' * len(open_values))})", tuple(open_values.values()))
        old.execute("PRAGMA user_version = 1")
    with Records(tmp_path) as records:
        assert records.ended_games() == [replace(WON, account="")]
        assert records.open_games("lichess", "housebot") == [replace(OPEN, game_id="running1")]
        assert records.has_ended("abcdefgh", "lichess", "housebot"), "it is this account's as far as one can tell"
        assert not records.close_game(WON)


def test_everything_is_still_there_after_opening_again(tmp_path: Path) -> None:
    with Records(tmp_path) as first:
        first.open_game(OPEN)
        first.close_game(WON)
        first.open_game(replace(OPEN, game_id="running1"))
    with Records(tmp_path) as second:
        assert second.ended_games() == [WON]
        assert [game.game_id for game in second.open_games("lichess", "housebot")] == ["running1"]


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.bot.test_records import OPEN, WON
from bot.records.database import Records
records = Records(Path(sys.argv[1]))
records.open_game(OPEN)
if sys.argv[2] == "after":
    records.close_game(WON)
print("ready", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("moment", "open_rows", "ended_rows"), [("before", 1, 0), ("after", 0, 1)])
def test_a_process_killed_around_the_end_leaves_the_row_or_the_record(
    tmp_path: Path, moment: str, open_rows: int, ended_rows: int
) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path), moment]
    died = subprocess.run(command, capture_output=True, check=False, cwd=Path(__file__).parents[2], env=os.environ)
    assert (died.returncode, died.stdout) == (-9, b"ready\n"), died.stderr
    with Records(tmp_path) as records:
        assert len(records.open_games("lichess", "housebot")) == open_rows
        assert len(records.ended_games()) == ended_rows


def test_a_failed_write_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    with Records(tmp_path) as records:
        records.open_game(OPEN)
        with pytest.raises(sqlite3.IntegrityError):
            records.close_game(replace(WON, result=None))  # type: ignore[arg-type]
        assert records.open_games("lichess", "housebot") == [OPEN]


def test_a_file_that_is_no_database_and_one_from_the_future_are_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all" * 100)
    with pytest.raises(RecordsError, match="cannot be used"):
        Records(tmp_path)
    (tmp_path / "new").mkdir()
    Records(tmp_path / "new").close()
    later = sqlite3.connect(tmp_path / "new" / FILE_NAME)
    later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(RecordsError, match="newer version"):
        Records(tmp_path / "new")


def full(**changes: object) -> wire.GameFull:
    state = {"moves": "e2e4 e7e5", "wtime": 1, "btime": 1, "status": "resign", "winner": "white"}
    usual: dict[str, object] = {
        "id": "abcdefgh", "variant": {"key": "spark"}, "speed": "blitz", "createdAt": 1_790_164_800_123,
        "white": {"id": "rival", "name": "Rival"}, "black": {"id": "housebot", "name": "housebot", "title": "BOT"},
        "initialFen": "startpos", "state": state,
    }  # fmt: skip
    return wire.read(wire.GameFull, usual | changes)


@pytest.mark.parametrize(
    ("status", "winner", "rules_reason", "result", "reason"),
    [
        ("mate", "white", "checkmate", "1-0", "checkmate"),
        ("resign", "black", None, "0-1", "resignation"),
        ("draw", None, "repetition", "1/2-1/2", "repetition"),
        ("draw", None, None, "1/2-1/2", "agreement"),
        ("stalemate", None, "stalemate", "1/2-1/2", "stalemate"),
        ("variantEnd", "black", "kingCaptured", "0-1", "kingCaptured"),
        ("outoftime", None, None, "1/2-1/2", "flag"),
        ("timeout", "white", None, "1-0", "abandonment"),
        ("aborted", None, None, "*", "aborted"),
        ("unheardOf", "white", None, "1-0", None),
    ],
)
def test_the_record_says_how_it_ended(
    status: str, winner: str | None, rules_reason: str | None, result: str, reason: str | None
) -> None:
    game = full()
    state = game.state.model_copy(update={"status": status, "winner": winner})
    record = record_of_state(OPEN, game, state, "black", rules_reason, NOW)
    assert (record.result, record.status, record.reason) == (result, status, reason)
    assert (record.opponent, record.plies, record.moves) == ("Rival", 2, "e2e4 e7e5")
    assert (record.started_at, record.ended_at) == ("2026-09-23T12:00:00Z", "2026-11-30T12:00:00Z")


def test_the_servers_own_reason_counts() -> None:
    state = full().state.model_copy(update={"status": "draw", "winner": None, "reason": "bareKings"})
    assert record_of_state(OPEN, full(), state, "black", None, NOW).reason == "bareKings"


def test_a_game_the_site_has_forgotten_has_no_result() -> None:
    record = record_of_export(OPEN, None, NOW)
    assert (record.result, record.status, record.counts) == ("*", "unknownFinish", False)


def test_json_has_exactly_the_documented_fields() -> None:
    (row,) = json.loads(as_json([WON]))
    assert list(row) == [
        "game_id", "url", "source", "account", "variant", "rated", "speed", "color", "opponent", "result", "status",
        "reason", "plies", "started_at", "ended_at",
    ]  # fmt: skip
    assert row["rated"] is False
    assert row["result"] == "0-1"


def test_results_are_told_from_our_side() -> None:
    lost: GameRecord = replace(WON, game_id="lost0000", result="1-0")
    drawn, aborted = replace(WON, result="1/2-1/2"), replace(WON, result="*")
    assert [verdict(record) for record in (WON, lost, drawn, aborted)] == ["won", "lost", "drawn", "-"]
    assert summary([WON, lost, lost]) == "3 games: 1 won, 0 drawn, 2 lost"
    console = Console(width=140, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(as_table([WON, lost]))
    text = console.export_text()
    assert "rival" in text
    assert "won" in text
    assert "lost0000" in text


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """While another program holds the lock of the database."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_what_cannot_be_written_waits_and_counts_as_done(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    second = replace(OPEN, game_id="running1")
    with Records(tmp_path, retry_s=0.05) as records:
        with locked(tmp_path):
            assert records.open_game(OPEN)
            assert records.close_game(WON) and records.open_game(second)
            assert not records.writable
            assert records.has_ended("abcdefgh", "lichess", "housebot")
            assert records.ended_games() == []
        eventually(lambda: records.writable, "it is written")
        assert records.ended_games() == [WON]
        assert records.open_games("lichess", "housebot") == [second]
        assert not records.close_game(WON)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2 and "database is locked" in told[0] and "written again, with 3 changes" in told[1]


def test_the_last_chance_to_write_is_when_it_is_closed(tmp_path: Path) -> None:
    with Records(tmp_path, retry_s=60) as records:
        with locked(tmp_path):
            records.close_game(WON)
        assert not records.writable
    with Records(tmp_path) as again:
        assert again.ended_games() == [WON]


def test_what_is_lost_in_the_end_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    records = Records(tmp_path, retry_s=60)
    with locked(tmp_path):
        records.close_game(WON)
        records.close()
    assert caplog.messages[-1].endswith("1 changes could not be written")


def test_a_full_disk_is_waited_out(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Records(tmp_path, retry_s=0.05) as records:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, limits[1]))
        try:
            records.open_game(OPEN)
            assert records.close_game(WON)
            assert not records.writable
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        eventually(lambda: records.writable, "it is written")
        assert records.ended_games() == [WON]
