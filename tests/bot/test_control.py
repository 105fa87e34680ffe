"""The socket by which a running bot is told what to do."""

from __future__ import annotations

import json
import socket
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.operation.control import ControlSocket, NobodyThere, ask
from bot.operation.reply import Reply


def echo(words: Sequence[str]) -> Reply:
    """Says what it was told."""
    return Reply(words[0] == "good", " ".join(words), {"count": len(words)})


def test_a_command_is_answered(tmp_path: Path) -> None:
    with ControlSocket(tmp_path, echo):
        assert ask(tmp_path, ["good", "day", "\u2028"]) == Reply(True, "good day \u2028", {"count": 3})
        assert ask(tmp_path, ["bad"]) == Reply(False, "bad", {"count": 1})


def test_only_its_user_reaches_it(tmp_path: Path) -> None:
    with ControlSocket(tmp_path, echo):
        assert stat.S_IMODE((tmp_path / "control").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "control" / "socket").stat().st_mode) == 0o600


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NobodyThere, match="none is running"):
        ask(tmp_path, ["good"])
    with ControlSocket(tmp_path, echo):
        pass
    with pytest.raises(NobodyThere, match="none is running"):
        ask(tmp_path, ["good"])


def test_the_socket_of_a_bot_that_was_killed_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "control").mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "control" / "socket"))
    with pytest.raises(NobodyThere, match="refused"):
        ask(tmp_path, ["good"])
    with ControlSocket(tmp_path, echo):
        assert ask(tmp_path, ["good"]).ok


def test_a_second_bot_in_the_folder_leaves_the_first_its_socket(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with ControlSocket(tmp_path, echo):
        with ControlSocket(tmp_path, lambda words: Reply(True, "the second")):
            assert ask(tmp_path, ["good"]).text == "good"
        assert ask(tmp_path, ["good"]).text == "good"
    assert any("another bot answers" in message for message in caplog.messages)


def test_a_long_path_is_no_trouble(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    with ControlSocket(folder, echo):
        assert ask(folder, ["good"]).ok
    assert not (folder / "control" / "socket").exists()


@pytest.mark.parametrize("request_line", [b"rubbish\n", b"{}\n", b'{"words": "good"}\n', b'{"words": [1]}\n', b"\n"])
def test_what_is_no_command_is_refused(tmp_path: Path, request_line: bytes) -> None:
    with ControlSocket(tmp_path, echo), socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(tmp_path / "control" / "socket"))
        caller.sendall(request_line)
        assert json.loads(caller.makefile().readline())["text"] == "not a command"


def test_a_caller_who_goes_away_does_no_harm(tmp_path: Path) -> None:
    with ControlSocket(tmp_path, echo):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(tmp_path / "control" / "socket"))
        assert ask(tmp_path, ["good"]).ok


def test_a_folder_that_takes_no_socket_is_told_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "control").write_text("in the way", encoding="utf-8")
    with ControlSocket(tmp_path, echo):
        assert any("no commands will be taken" in message for message in caplog.messages)
