"""Networks with random numbers, and what they compute, done slowly and independently."""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass
from pathlib import Path

from bot.search.evaluation import netfile, networks
from rules import draws
from rules.game import Game
from rules.move import Role
from rules.position import Position
from rules.variant import Variant


@dataclass(frozen=True)
class Numbers:
    """A network's numbers, by feature, sum and head."""

    rows: list[list[int]]
    biases: list[int]
    output: list[list[int]]
    output_biases: list[int]
    scale_cp: int


def numbers(variant: Variant, width: int = 64, heads: int = 4, seed: int = 1) -> Numbers:
    """Random numbers of the sizes that learning leaves, with some as large as they may be."""
    chance = random.Random(seed)

    def some(count: int, spread: float, most: int) -> list[int]:
        found = [max(-most, min(most, round(chance.gauss(0, spread)))) for _ in range(count)]
        found[chance.randrange(count)] = chance.choice((-most, most))
        return found

    count = networks.features_of(variant).count
    return Numbers(
        rows=[some(width, 30, netfile.MOST_ROW) for _ in range(count)],
        biases=some(width, 60, netfile.MOST_ROW),
        output=[some(2 * width, 40, netfile.MOST_OUTPUT) for _ in range(heads)],
        output_biases=some(heads, 2000, 100_000),
        scale_cp=300,
    )


def file_of(variant: Variant, found: Numbers, **description: object) -> bytes:
    """The network's file."""
    width = len(found.biases)

    def shorts(row: list[int]) -> bytes:
        return struct.pack(f"<{len(row)}h", *row)

    packed = [
        b"".join(map(shorts, found.rows)),
        shorts(found.biases),
        b"".join(map(shorts, found.output)),
        struct.pack(f"<{len(found.output_biases)}i", *found.output_biases),
    ]
    whole = {"game": networks.game_of(variant), **description}
    features = networks.features_of(variant)
    return netfile.written(whole, features, width, len(found.output), found.scale_cp, packed)


def write(path: Path, variant: Variant, width: int = 64, seed: int = 1) -> Path:
    """A random network for a game."""
    path.write_bytes(file_of(variant, numbers(variant, width, seed=seed)))
    return path


def walk(variant: Variant, plies: int, seed: int) -> list[Position]:
    """Positions of random games, one after the other."""
    chance = random.Random(f"{variant.key} {seed}")
    found: list[Position] = []
    while len(found) < plies:
        game = Game.start(variant, draws.for_game(variant, with_bot=True))
        while game.outcome is None and len(game.moves) < 120:
            game.play(chance.choice(game.position.legal_moves()))
        found += game.positions
    return found[:plies]


def seen(position: Position, color: int) -> list[int]:
    """The numbers of the features that a side sees, by the book."""
    variant = position.variant
    flips = variant.has_pawns
    kinds = 6 + 2 * variant.has_pocket + variant.counts_checks
    king = position.king(color) if variant.kings[color][1] == 1 else None
    found = []

    def turned(square: int) -> int:
        square ^= 56 if color and flips else 0
        return square ^ 7 if king is not None and king % 8 >= 4 else square

    for square, piece in position.pieces().items():
        side = 0 if piece.color == color else kinds
        found.append((side + piece.role) * 64 + turned(square))
    for owner in (0, 1):
        side = 0 if owner == color else kinds
        if variant.has_pocket:
            for role, count in position.pocket(owner).items():
                first, most = (0, 16) if role == Role.PAWN else (8 + 8 * role, 8)
                found += [(side + 6) * 64 + first + one for one in range(min(count, most))]
            for square in position.promoted_squares():
                if position.pieces()[square].color == owner:
                    found.append((side + 7) * 64 + turned(square))
        if variant.counts_checks:
            found += [(side + 6) * 64 + one for one in range(position.checks(owner))]
    return found


def slowly(found: Numbers, position: Position) -> int:
    """The score, from nothing."""
    turn = position.turn
    head = min((len(position.pieces()) - 1) * len(found.output) // 32, len(found.output) - 1)
    total = 0
    for half, color in enumerate((turn, 1 - turn)):
        sums = list(found.biases)
        for feature in seen(position, color):
            sums = [one + other for one, other in zip(sums, found.rows[feature], strict=True)]
        weights = found.output[head][half * len(sums) :]
        total += sum(min(max(one, 0), 255) ** 2 * weight for one, weight in zip(sums, weights, strict=False))
    return int((int(total / 255) + found.output_biases[head]) * found.scale_cp / (255 * 64))
