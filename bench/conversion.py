"""Are trivially won endings won?

    .venv/bin/python -m bench.conversion [--variants V,V] [--endings N] [--movetime MS] [--seed N] [--tables DIR]

Endings are drawn by chance.  That they are won is known from end-game tables, where the game can have them; elsewhere a
long search has found the forced win.  The search then plays both sides with a short time for each move; a game that
does not end with the win is shown.  The last lines are the figures; the exit code is 1 when a win was missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.search.tablebase.generation import Library
from bot.search.tablebase.material import Material
from bot.search.tablebase.tablebase import Tablebase
from bot.search.thinker import Limits, Thinker
from rules import draws, variants
from rules.errors import RulesError
from rules.game import Game
from rules.move import Role
from rules.position import Position
from rules.variant import Variant

MOST_PLIES: Final = 400
PROVING_NODES: Final = 150_000

# White's men beside the king, against a bare king.
BY_TABLE: Final = {
    "standard": ("Q", "R", "P", "RR", "BB"),
    "atomic": ("Q", "P", "RR", "QR", "QN"),
    "spark": ("Q", "R", "P", "RR", "NN"),
}
# White's men and Black's, with what is in hand.
BY_SEARCH: Final = {
    "crazyhouse": ("KQR/K[QR]", "KRRP/KP[BN]", "KQ/K[RBN]", "KRPP/K[QQ]", "KQN/KP[RRP]"),
    "racingKings": ("KR/KR", "KQ/KQ", "KRB/KRN", "KQR/KQR", "KRBN/KRBN"),
    "antichess": ("K/P", "R/N", "Q/PP", "KR/B", "RP/PN"),
}


def prepared_tables(variant: Variant, folder: Path) -> tuple[Tablebase, dict[str, Material]]:
    """The tables of this game that the endings need, made when they are missing, and the endings by name."""
    library = Library(variant, folder)
    wanted = {name: Material(tuple(Role("PNBRQK".index(letter)) for letter in name)) for name in BY_TABLE[variant.key]}
    for material in (Material(), *(Material((Role(role),)) for role in (4, 3, 2, 1, 0)), *wanted.values()):
        library.keep_or_make(material)
    return library.tablebase, wanted


def table_endings(variant: Variant, folder: Path, chance: random.Random) -> Iterator[Position]:
    """Positions that the tables say White wins, White to move."""
    tablebase, wanted = prepared_tables(variant, folder)
    while True:
        for material in wanted.values():
            yield from _first_won(tablebase, material, chance)


def _first_won(tablebase: Tablebase, material: Material, chance: random.Random) -> Iterator[Position]:
    while True:
        board = scattered("K" + "".join(role.letter.upper() for role in material.white), "k", chance)
        position = legal_position(tablebase.variant, f"{board} w - - 0 1")
        known = None if position is None else tablebase.probe(position)
        if position is not None and known is not None and known.result == 1:
            yield position
            return


def searched_endings(variant: Variant, chance: random.Random) -> Iterator[Position]:
    """Positions in which a long search finds a forced win for White, White to move."""
    while True:
        for kind in BY_SEARCH[variant.key]:
            men, _, pocket = kind.partition("[")
            white, black = men.split("/")
            hand = f"[{pocket.rstrip(']')}]" if variant.has_pocket else ""
            position = None
            while position is None or not _wins(position):
                board = scattered(white, black.lower(), chance) + hand
                position = legal_position(variant, f"{board} w - - 0 1")
            yield position


def _wins(position: Position) -> bool:
    game = Game(position, draws.for_game(position.variant, with_bot=True))
    if game.outcome is not None or not position.legal_moves():
        return False
    won = Thinker(16).think(game, Limits(nodes=PROVING_NODES)).win_in
    return won is not None and won > 0


def scattered(white: str, black: str, chance: random.Random) -> str:
    """The placement field of a FEN with these men on squares drawn by chance."""
    squares = chance.sample(range(64), len(white) + len(black))
    men = dict(zip(squares, white + black, strict=True))
    rows = ("".join(men.get(8 * row + file, "1") for file in range(8)) for row in range(8))
    return "/".join(rows)


def legal_position(variant: Variant, fen: str) -> Position | None:
    """The position, if it is one of this game."""
    runs = fen.partition(" ")
    placement = runs[0]
    for count in range(8, 1, -1):
        placement = placement.replace("1" * count, str(count))
    tail = "w - - 0 3 +0+0" if variant.counts_checks else runs[2]
    try:
        return Position.from_fen(variant, f"{placement} {tail}")
    except RulesError:
        return None


def played_out(position: Position, limits: Limits) -> Game:
    """The game that the search plays against itself from here."""
    game = Game(position, draws.for_game(position.variant, with_bot=True))
    thinkers = (Thinker(16), Thinker(16))
    while game.outcome is None and len(game.moves) < MOST_PLIES:
        game.play(thinkers[game.turn].think(game, limits).move)
    return game


def convert(variant: Variant, count: int, limits: Limits, endings: Iterator[Position]) -> int:
    """How many of so many endings White wins; shows the others."""
    won = 0
    for _ in range(count):
        position = next(endings)
        game = played_out(position, limits)
        if game.outcome is not None and game.outcome.winner is position.turn:
            won += 1
        else:
            reason = "unfinished" if game.outcome is None else game.outcome.reason.name
            print(f"{variant.key} {position.fen()}: {reason} after {len(game.moves)} plies", flush=True)
    return won


def main() -> int:
    """Draw endings, play them, tell."""
    parser = argparse.ArgumentParser(description="Are trivially won endings won?")
    parser.add_argument("--variants", default=",".join((*BY_TABLE, *BY_SEARCH)))
    parser.add_argument("--endings", type=int, default=50, help="of each game (default: 50)")
    parser.add_argument("--movetime", type=int, default=50, help="milliseconds (default: 50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=Path, help="a folder to keep the tables in")
    args = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for key in args.variants.split(","):
            chance = random.Random(args.seed)
            variant = variants.by_key(key)
            folder = args.tables or Path(temporary)
            by_table = key in BY_TABLE
            endings = table_endings(variant, folder, chance) if by_table else searched_endings(variant, chance)
            won = convert(variant, args.endings, Limits(time_ms=args.movetime), endings)
            missed += args.endings - won
            print(f"{key}: won {won} of {args.endings} at {args.movetime} ms a move", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
