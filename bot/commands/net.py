"""`centella net show`: what a network is, where it comes from, and what it has learnt."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.commands import OK
from bot.search.evaluation import for_game, netfile, networks
from bot.search.evaluation.insight import man_values, picture
from rules import variants

if TYPE_CHECKING:
    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command and its subcommand."""
    parser = subparsers.add_parser("net", help="look into a network")
    show = parser.add_subparsers(metavar="WHAT", required=True).add_parser(
        "show", help="where it comes from, what men are worth to it, and where it looks"
    )
    show.add_argument("file", metavar="FILE", type=Path)
    show.add_argument("--json", action="store_true", help="print only where it comes from, whole, as JSON")
    show.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what there is to tell of a network."""
    file = netfile.read(args.file)
    if args.json:
        print(json.dumps(file.description, indent=2))
        return OK
    variant = variants.by_key(file.game)
    network = networks.load(args.file, variant, hand=for_game(variant).evaluation)
    features = networks.features_of(variant)
    shape = file.shape
    print(f"{variant.name}: {features.count} features -> 2 x {shape.width} -> {shape.heads} heads")
    print(f"features {features.name}; {shape.scale_cp} cp a unit; runs as {network.instructions}")
    if file.refines:
        print(f"added to the evaluation made by hand, whose weights are {file.refines}")
    for line in _origin(file.description):
        print(line)
    values = man_values(network, variant).items()
    print("men, in centipawns: " + ", ".join(f"{role.name.lower()} {cp}" for role, cp in values))
    print("\n".join(["", *picture(network, features.pairs)]))
    return OK


def _origin(description: Any) -> list[str]:
    """Where the network comes from, as far as its file says."""
    lines = [f"{name} {description[name]}" for name in ("made_by", "positions", "held_out_loss") if name in description]
    if isinstance(description.get("recipe"), dict):
        lines.append("recipe " + ", ".join(f"{name} {value}" for name, value in description["recipe"].items()))
    for records in description.get("records", ()):
        told = ("made_by", "seed", "nodes", "games_played", "positions")
        lines.append("games " + ", ".join(f"{name} {records[name]}" for name in told if name in records))
    return lines
