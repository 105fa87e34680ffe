"""The first signal asks, the second one insists."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.commands import FAILED

TWICE = """
import signal, sys
from bot.commands.signals import Signals
number = signal.Signals[sys.argv[1]]
with Signals():
    signal.raise_signal(number)
    print("one", flush=True)
    signal.raise_signal(number)
    print("two", flush=True)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_the_second_signal_ends_the_process_at_once(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", TWICE, name], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (FAILED, "one\n", "")
