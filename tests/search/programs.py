"""Small programs that speak UCI, each with a fault or a mind of its own."""

from __future__ import annotations

import sys
from pathlib import Path

OWN = f"{sys.executable} -m bot uci"
_PROGRAM = """
import sys
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("option name Mood type string default calm", flush=True)
        print("uciok", flush=True)
    if line.startswith("isready"):
        print("readyok", flush=True)
    if line.startswith("setoption name Mood"):
        mood = line.split(" value ")[1].strip()
    if line.startswith("go"):
        {answer}
"""


def program(folder: Path, answer: str) -> str:
    """The command of a program that does this when it shall move; `mood` is the value of its only option."""
    path = folder / "program with a blank.py"
    path.write_text(_PROGRAM.format(answer=answer))
    return f"{sys.executable} '{path}'"
