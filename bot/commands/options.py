"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

# Of milliseconds, nodes, games: more than anybody waits for, and well within what the search can count.
MOST: Final = 10**12


def add_config(parser: argparse.ArgumentParser, default: object = None) -> None:
    """`--config` and `--data`; a subcommand that shares them with its command has no `default` of its own."""
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=default, help="the configuration (default: ./config.yml)"
    )
    parser.add_argument(
        "--data", metavar="DIR", default=default, help="the folder for games and log (default: the user's own)"
    )


def positive(text: str) -> int:
    """A whole number above zero, and not beyond what anything here can count, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    if number > MOST:
        raise argparse.ArgumentTypeError(f"{text} is more than {MOST}")
    return number
