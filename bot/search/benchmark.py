"""A fixed amount of searching: its nodes tell whether the search has changed, its speed how fast the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.search.thinker import Limits, Thinker
from rules import draws, variants
from rules.game import Game

# Game, depth, position; None is the usual start.
POSITIONS: Final = (
    ("standard", 13, None),
    ("standard", 12, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("standard", 12, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
    ("standard", 14, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("standard", 12, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"),
    ("standard", 16, "8/8/1p1k4/1P1p1p2/P2K1P2/8/6P1/8 w - - 0 1"),
    ("chess960", 12, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
    ("parlour", 12, "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 30 10"),
    ("atomic", 13, None),
    ("atomic", 13, "rnbqkb1r/pppppppp/8/3n4/4P3/2N2P2/PPPP2PP/R1BQKBNR b KQkq - 2 3"),
    ("atomic", 14, "8/4k3/2p5/3p4/1P1P1p2/5P2/3K4/2R5 w - - 0 40"),
    ("spark", 12, None),
    ("spark", 11, "r1bqkb1r/ppp2ppp/2n1pn2/3p4/3P4/2N1PN2/PPP2PPP/R1BQKB1R w - - 0 5"),
    ("crazyhouse", 11, None),
    ("antichess", 13, None),
    ("kingOfTheHill", 11, None),
    ("threeCheck", 11, None),
    ("racingKings", 11, None),
    ("horde", 11, None),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One position, searched to its depth."""

    game: str
    depth: int
    nodes: int
    seconds: float


def measure(tell: Callable[[Measured], None]) -> tuple[int, float]:
    """Search all positions, each with an empty table; the total of nodes and of seconds."""
    thinker = Thinker(16)
    nodes, seconds = 0, 0.0
    for key, depth, position in POSITIONS:
        variant = variants.by_key(key)
        game = Game.start(variant, draws.for_game(variant, with_bot=True), position)
        thinker.clear()
        began = time.perf_counter()
        thought = thinker.think(game, Limits(depth=depth))
        measured = Measured(key, depth, thought.nodes, time.perf_counter() - began)
        nodes += measured.nodes
        seconds += measured.seconds
        tell(measured)
    return nodes, seconds
