"""Text files that are named on the command line."""

from __future__ import annotations

from pathlib import Path

from bot.commands import USAGE, CommandFailed


def lines_of(path: Path) -> list[str]:
    """The lines of a file. Raises CommandFailed, which names it."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror}", USAGE) from None
    except UnicodeDecodeError:
        raise CommandFailed(f"{path}: not UTF-8 text", USAGE) from None
