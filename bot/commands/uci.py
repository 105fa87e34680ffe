"""`centella uci`: be an engine for other programs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from bot import __version__
from bot.commands import OK
from bot.search.uci import Session

if TYPE_CHECKING:
    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "be an engine for other programs (UCI, over standard input and output)"
    subparsers.add_parser("uci", help=purpose, description=purpose).set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve one session."""
    Session(sys.stdout, f"Centella {__version__}").run(sys.stdin)
    return OK
