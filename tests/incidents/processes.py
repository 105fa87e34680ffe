"""Centella as its users start it: the command, in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.config import Config
from bot.server.app import LocalLichess
from tests.incidents.house import PATIENCE_S, eventually, quick_config

ROOT = Path(__file__).resolve().parents[2]


def environment(folder: Path, **changes: str) -> dict[str, str]:
    """Nothing of the tester's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CENTELLA_")}
    kept.pop("DISPLAY", None)
    kept.pop("WAYLAND_DISPLAY", None)
    return {**kept, "XDG_DATA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), **changes}


def run(folder: Path, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself; `folder` is its working folder."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder, env=environment(folder, **changes), capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def results(folder: Path, *options: str) -> list[dict[str, Any]]:
    """What `centella results --json` prints for the folder's database."""
    found = run(folder, "results", "--json", "--data", str(folder / "data"), *options)
    assert (found.returncode, found.stderr) == (0, "")
    rows: list[dict[str, Any]] = json.loads(found.stdout)
    return rows


class Process:
    """A running command, with what it has printed."""

    def __init__(self, folder: Path, *arguments: str, stdin: int | None = None, **changes: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments], cwd=folder, env=environment(folder, **changes),
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self.lines.extend(iter(self._process.stdout.readline, ""))

    @property
    def id(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def wait(self) -> int:
        """The exit code, once it has ended."""
        code = self._process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        return code

    def says(self, text: str) -> None:
        """Wait until it has printed that."""
        eventually(lambda: text in "".join(self.lines) or not self.running, f"it says {text!r}")
        assert text in "".join(self.lines), "".join(self.lines)

    def kill(self) -> None:
        """End it as a power failure would."""
        self._process.kill()
        self._process.wait(PATIENCE_S)


@contextmanager
def process(folder: Path, *arguments: str, **changes: str) -> Iterator[Process]:
    """A command that is killed at the end if it still runs."""
    started = Process(folder, *arguments, **changes)
    try:
        yield started
    finally:
        started.kill()


def written_config(
    folder: Path, url: str, sources: tuple[Mapping[str, Any], ...] = (), **sections: Mapping[str, Any]
) -> str:
    """A configuration file for a daemon that plays on `url`; its name."""
    config = quick_config(sources, **sections)
    values = config.model_dump(mode="json", exclude_unset=True) | {"url": url}
    assert Config.model_validate_json(json.dumps(values)).url == url
    # JSON is YAML
    (folder / "config.yml").write_text(json.dumps(values), encoding="utf-8")
    return "config.yml"


@contextmanager
def daemon(
    lichess: LocalLichess, folder: Path, token: str, **sections: Mapping[str, Any]
) -> Iterator[Process]:
    """`centella run` on a local Lichess, once it is online."""
    config = written_config(folder, lichess.url, **sections)
    with process(folder, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=token) as started:
        eventually(
            lambda: not started.running or lichess.call(lambda site: site.audience.online("centella")), "it is online"
        )
        assert started.running, "".join(started.lines)
        yield started
