"""The commands: one module each, with `add_parser(subparsers)` and `run(args) -> exit code`.

    Exception
    └── CommandFailed      one line for the user, and the exit code
"""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2


class CommandFailed(Exception):
    """The command cannot do what was asked."""

    def __init__(self, text: str, code: int = FAILED) -> None:
        self.code = code
        super().__init__(text)
