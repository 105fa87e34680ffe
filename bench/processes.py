"""The local Lichess and the bot as processes of their own, and what they use of the machine."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import requests

from bot.operation.control import NobodyThere, ask

ROOT: Final = Path(__file__).resolve().parents[1]
WAIT_S: Final = 120.0


def command(*arguments: str) -> list[str]:
    """`centella` with these arguments."""
    return [sys.executable, "-m", "bot", *arguments]


def environment(**changes: str) -> dict[str, str]:
    """Nothing of the user's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CENTELLA_")}
    return {**kept, "PYTHONPATH": str(ROOT), **changes}


class Server:
    """A local Lichess that forgets everything at its end; `tokens` are of bot accounts."""

    def __init__(self, names: Sequence[str], faults: Sequence[str], seed: int) -> None:
        options = [word for fault in faults for word in ("--fault", fault)]
        self._process = subprocess.Popen(
            command("server", "--memory", "--port", "0", "--fault-seed", str(seed), *options, "--mint", *names),
            cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.url, self.tokens = "", dict[str, str]()
        for line in iter(self._process.stdout.readline, ""):
            if address := re.search(r"at (http://\S+)", line):
                self.url = address.group(1)
            if minted := re.match(r"token of ([\w-]+): (\S+)", line):
                self.tokens[minted.group(1)] = minted.group(2)
            if len(self.tokens) == len(names):
                break
        # what else it says is of no interest, but must not fill the pipe
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def final(self, game_id: str) -> dict[str, Any]:
        """A game as the server has filed it."""
        found = requests.get(
            f"{self.url}/game/export/{game_id}", headers={"Accept": "application/json"}, timeout=WAIT_S
        )
        exported: dict[str, Any] = found.json()
        return exported

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


@dataclass(frozen=True)
class Usage:
    """What a process uses."""

    rss_mb: float
    threads: int
    descriptors: int


class Bot:
    """`centella run` in a folder that has its configuration and keeps its data."""

    def __init__(self, folder: Path, token: str) -> None:
        self._folder = folder
        self._output = (folder / "output.txt").open("ab")
        self._process = subprocess.Popen(
            command("run", "--config", str(folder / "config.yml"), "--data", str(folder / "data")),
            cwd=folder, env=environment(CENTELLA_TOKEN=token), stdout=self._output, stderr=self._output,
        )  # fmt: skip

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def usage(self) -> Usage:
        """What it uses now."""
        place = Path(f"/proc/{self._process.pid}")
        numbers = dict(re.findall(r"^(\w+):\s+(\d+)", (place / "status").read_text(), re.MULTILINE))
        return Usage(int(numbers["VmRSS"]) / 1024, int(numbers["Threads"]), len(os.listdir(place / "fd")))

    def results(self) -> list[dict[str, Any]]:
        """All records, aborted games included."""
        return asked_json(*command("results", "--json", "--all", "--data", str(self._folder / "data")))

    def ask(self, *words: str) -> Any:
        """What it says to a command, once it listens. Raises TimeoutError."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end and self.running:
            try:
                return ask(self._folder / "data", words).value
            except NobodyThere:
                pause(0.1)
        raise TimeoutError(f"the bot does not answer: see {self._folder}")

    def places_taken(self) -> int:
        """How many places for games are taken."""
        return int(self.ask("status")["accounts"][0]["places"])

    def reload(self) -> None:
        """Let it read its configuration anew."""
        self.ask("reload")

    def log(self) -> str:
        """Everything in its log files, the oldest first."""
        files = sorted((self._folder / "data").glob("centella.log*"), key=lambda file: -file.stat().st_mtime)
        return "".join(file.read_text(encoding="utf-8", errors="replace") for file in reversed(files))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._output.close()

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int | None:
        """End it in good order; its exit code, None when it had to be killed."""
        if self.running:
            self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(WAIT_S)
        self.kill()
        return None


def asked_json(*words: str) -> Any:
    """What a command prints, read as JSON."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=WAIT_S, env=environment(), check=False)
    return json.loads(done.stdout)


def write_config(folder: Path, url: str, values: dict[str, Any]) -> None:
    """A configuration for a bot on that server."""
    (folder / "config.yml").write_text(json.dumps({"url": url, **values}), encoding="utf-8")


def pause(seconds: float) -> None:
    """Let time pass."""
    threading.Event().wait(seconds)


def until(end_s: float, condition: Any) -> bool:
    """Whether a condition has come true before a time of the monotonic clock."""
    while not condition():
        if time.monotonic() > end_s:
            return False
        pause(0.2)
    return True
