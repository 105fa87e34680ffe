"""`centella bench`: search fixed positions to fixed depths, and tell the nodes and the speed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bot.commands import OK
from bot.search.benchmark import Measured, measure

if TYPE_CHECKING:
    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command."""
    purpose = "search fixed positions to fixed depths: total nodes and nodes/s"
    subparsers.add_parser("bench", help=purpose, description=purpose).set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print; the last two lines are the totals."""
    nodes, seconds = measure(_tell)
    print(f"Bench: {nodes}")
    print(f"nodes/s {round(nodes / max(seconds, 1e-9))}")
    return OK


def _tell(measured: Measured) -> None:
    rate = round(measured.nodes / max(measured.seconds, 1e-9))
    print(f"{measured.game:10} depth {measured.depth:2}  nodes {measured.nodes:9}  nodes/s {rate:8}")
