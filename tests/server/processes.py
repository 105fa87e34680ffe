"""`centella server` in a process of its own, which can be killed."""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.server.players import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]


def environment() -> dict[str, str]:
    """Nothing of the tester's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CENTELLA_")}
    return {**kept, "PYTHONPATH": str(ROOT)}


class ServerProcess:
    """A server on the database in `folder`, by itself or as a part of `centella local`; `url` is its address."""

    def __init__(self, folder: Path, *arguments: str, command: str = "server") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", command, "--port", "0", "--data", str(folder), *arguments],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        address = re.search(r"http://[\d.:]+", first)
        assert address is not None, first + self.end()
        self.url = address.group()

    def line(self) -> str:
        """The next line that it prints."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def wait(self) -> int:
        """Wait until it ends by itself; its exit code."""
        return self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait(PATIENCE_S)

    def end(self) -> str:
        """End it, and read what else it printed."""
        self._process.terminate()
        return "".join(self._process.communicate(timeout=PATIENCE_S))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
