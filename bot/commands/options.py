"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_config(parser: argparse.ArgumentParser) -> None:
    """`--config` and `--data`."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="the configuration (default: ./config.yml)")
    parser.add_argument("--data", metavar="DIR", help="the folder for results and log (default: the user's own)")
