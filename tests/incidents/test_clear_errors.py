"""What can go wrong before anything runs: one clear line each, the right exit code, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import socket
from pathlib import Path

import pytest
import requests

from bot.server.app import LocalLichess
from tests.incidents.house import eventually
from tests.incidents.processes import process, results, run, written_config

TOKEN = "lip_wrongWrong"
# a shell lets what it runs in the background ignore Ctrl-C, and so does whatever is started by it
HEEDED = [each for each in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(each) is not signal.SIG_IGN]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def complaint(folder: Path, code: int, *arguments: str, **changes: str) -> str:
    """The one line that a failing command says."""
    failed = run(folder, *arguments, **changes)
    assert failed.returncode == code, failed
    assert failed.stdout == ""
    (line,) = failed.stderr.splitlines()
    assert "Traceback" not in line
    return line


def processor_s(process_id: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("rules", "moves", "standard", "8/8/8/8/8/8/8/8 w - - 0 1"), "king"),
        (("rules", "moves", "standard", "rubbish"), "FEN"),
        (("rules", "moves", "atmic", "8/8/8/8/8/8/8/8 w - - 0 1"), "atmic"),
    ],
)
def test_an_illegal_fen_and_an_unknown_variant(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    assert says.lower() in complaint(tmp_path, 2, *arguments).lower()


def test_a_typo_in_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("accept:\n  max_game: 3\n", encoding="utf-8")
    expected = "centella: config.yml:2:3: accept.max_game: unknown key; did you mean 'max_games'?"
    for command in ("run", "local", "results"):
        assert complaint(tmp_path, 2, command) == expected


def test_every_mistake_of_a_configuration_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yml").write_text("one: 1\ntwo: 2\n", encoding="utf-8")
    failed = run(tmp_path, "run", "--config", "mine.yml")
    assert failed.returncode == 2
    assert [line.split(": ")[1] for line in failed.stderr.splitlines()] == ["mine.yml:1:1", "mine.yml:2:1"]


def test_no_configuration_where_one_is_named(tmp_path: Path) -> None:
    line = complaint(tmp_path, 2, "run", "--config", "none.yml")
    assert line == "centella: none.yml: cannot be read: No such file or directory"


def test_no_token(tmp_path: Path) -> None:
    line = complaint(tmp_path, 2, "run")
    assert line.startswith("centella: no token: create one with the scope bot:play at https://lichess.org/")


def test_a_wrong_token(lichess: LocalLichess, tmp_path: Path) -> None:
    config = written_config(tmp_path, lichess.url)
    line = complaint(tmp_path, 1, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=TOKEN)
    assert line.startswith(f"centella: {lichess.url} does not accept the token: 401")
    assert TOKEN not in line
    assert TOKEN not in (tmp_path / "data" / "centella.log").read_text(encoding="utf-8")


def test_an_account_that_is_no_bot(lichess: LocalLichess, tmp_path: Path) -> None:
    token = lichess.mint("person", bot=False)
    config = written_config(tmp_path, lichess.url)
    line = complaint(tmp_path, 1, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=token)
    assert "person is not a bot account" in line


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with LocalLichess() as lichess:
        url = lichess.url
    config = written_config(tmp_path, url)
    line = complaint(tmp_path, 1, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=TOKEN)
    assert line == f"centella: {url} cannot be used: connection refused"


def test_a_server_that_is_something_else(lichess: LocalLichess, tmp_path: Path) -> None:
    lichess.fault("status=502@/api/account")
    config = written_config(tmp_path, lichess.url)
    line = complaint(tmp_path, 1, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=TOKEN)
    assert line == f"centella: {lichess.url} cannot be used: 502 Bad Gateway"


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = complaint(tmp_path, 1, "local", "--no-browser", "--port", str(port), "--data", "data")
        assert line == f"centella: cannot listen on http://127.0.0.1:{port}: Address already in use"


def test_a_signal_to_stop_is_obeyed_by_every_command(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows")
    with process(tmp_path, "rules", "verify", "rows") as command:
        with open(tmp_path / "rows", "w"):  # opens once the command reads, so that it is at work by then
            command.signal(signal.SIGTERM)
            assert command.wait() == 0
        assert command.lines == []


@pytest.mark.parametrize("number", HEEDED)
def test_counting_without_end_is_broken_off_by_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "deep.epd").write_text(f"{START} ;D3 8902 ;D12 1\n", encoding="utf-8")
    for arguments in (("--depth", "30"), ("--epd", "deep.epd")):
        with process(tmp_path, "rules", "perft", "standard", *arguments) as command:
            eventually(lambda: processor_s(command.id) > 1.5, "it counts")
            command.signal(number)
            assert command.wait() == 0
            assert command.lines == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "perft", "standard", "--epd"),
        ("rules", "verify"),
        ("solve", "--nodes", "1"),
        ("match", "centella", "centella", "--games", "2", "--nodes", "1", "--openings"),
    ],
)
def test_a_file_that_is_no_text_or_not_there_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "picture").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    assert complaint(tmp_path, 2, *arguments, "picture") == "centella: picture: not UTF-8 text"
    assert complaint(tmp_path, 2, *arguments, "nowhere") == "centella: nowhere: No such file or directory"


def test_a_bad_position_is_told_in_the_same_words_everywhere(tmp_path: Path) -> None:
    bad = "8/8/8/8/8/8/8/8 w - - 0 1"
    (tmp_path / "openings").write_text(f"{bad}\n", encoding="utf-8")
    words = complaint(tmp_path, 2, "rules", "moves", "standard", bad).removeprefix("centella: ")
    match = ("match", "centella", "centella", "--games", "2", "--nodes", "1", "--openings", "openings")
    assert complaint(tmp_path, 2, *match) == f"centella: openings: {bad}: {words}"


@pytest.mark.parametrize("arguments", [(), ("dance",), ("local", "--port", "many"), ("local", "--think-ms", "0")])
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    failed = run(tmp_path, *arguments)
    assert failed.returncode == 2
    assert "usage: centella" in failed.stderr


def test_a_data_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    line = complaint(tmp_path, 2, "local", "--no-browser", "--port", "0", "--data", "file")
    assert line == "centella: data folder file: cannot be made: File exists"


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "centella.sqlite3").write_bytes(b"not a database " * 100)
    assert "cannot be used: file is not a database" in complaint(tmp_path, 1, "results", "--data", ".")


@pytest.mark.parametrize("file", ["centella.sqlite3", "server.sqlite3"])
def test_a_board_whose_databases_are_none_is_not_opened(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_bytes(b"not a database " * 100)
    failed = run(tmp_path, "local", "--no-browser", "--port", "0", "--data", ".")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == f"centella: {file}: cannot be used: file is not a database\n"


def test_version_and_empty_results(tmp_path: Path) -> None:
    assert run(tmp_path, "--version").stdout.startswith("centella ")
    assert results(tmp_path) == []
    assert run(tmp_path, "results", "--data", "nowhere").stdout == "No games yet.\n"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("arguments", [("local", "--port", "0", "--no-browser"), ("run", "--or-local")])
def test_the_local_board_opens_with_the_bot_on_it_and_stops_by_a_signal(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "config.yml").write_text(json.dumps({"local": {"port": 0, "browser": False}}), encoding="utf-8")
    with process(tmp_path, *arguments, "--data", "data") as local:
        local.says("Play against centella at http://127.0.0.1:")
        (line,) = [line for line in local.lines if line.startswith("Play against")]
        url = line.split(" at ")[1].split(" ")[0]
        eventually(lambda: "centella" in requests.get(f"{url}/api/bot/online", timeout=5).text, "the bot is there")
        local.signal(signal.SIGTERM)
        assert local.wait() == 0
        assert len(local.lines) == (2 if arguments[0] == "run" else 1), local.lines
