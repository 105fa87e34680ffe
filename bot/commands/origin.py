"""What made a file: the version, and in a checkout the commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bot import __version__

ROOT = Path(__file__).resolve().parents[2]


def origin() -> str:
    """The version and, in a checkout with git at hand, the commit; `-dirty` when files differ from it."""
    name = f"centella {__version__}"
    if not (ROOT / ".git").exists():
        return name
    try:
        words = ["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=10"]
        found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return name
    return f"{name} {found.stdout.strip()}"
