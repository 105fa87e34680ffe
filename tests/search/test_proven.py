"""What the search calls won or lost is so: checked against every line of play, by the rules alone, in every game."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from rules import variants
from rules.position import Position
from tests.search.thinking import game, think

KEYS = [variant.key for variant in variants.ALL]

# Random play seldom comes near the end of these games.
NEAR_THE_END = {
    "racingKings": (
        "8/k6K/8/8/8/8/8/8 w - - 0 1",
        "8/1K4k1/8/8/8/4n3/R6q/8 b - - 0 1",
        "7K/k7/8/8/8/8/1R4r1/8 b - - 0 1",
    ),
    "kingOfTheHill": ("8/8/2k5/8/8/5K2/8/8 w - - 0 1", "8/5k2/8/8/8/2K5/4r3/R7 b - - 0 1"),
    "threeCheck": ("k7/8/8/8/8/8/4Q3/4K2r w - - 2+1 0 1",),
    "antichess": ("r7/8/8/8/8/8/8/1R6 w - - 0 1", "2r5/8/1n6/8/8/8/4P3/8 w - - 0 1"),
    "atomic": ("4k3/3n4/8/8/8/8/8/3RK3 w - - 0 1",),
    "spark": ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",),
    "horde": ("4k3/8/8/8/8/8/8/3P4 w - - 0 1",),
}


def won(position: Position, plies: int) -> bool:
    """Whether the side to move wins by force within so many plies."""
    ending = position.ending()
    if ending is not None:
        return ending.winner is position.turn
    return plies > 0 and any(lost(position.play(move), plies - 1) for move in position.legal_moves())


def lost(position: Position, plies: int) -> bool:
    """Whether the side to move loses by force within so many plies."""
    ending = position.ending()
    if ending is not None:
        return ending.winner is position.turn.other
    return plies > 0 and all(won(position.play(move), plies - 1) for move in position.legal_moves())


def positions(key: str) -> Iterator[Position]:
    """Positions of random games, from the start and from near the end, without end."""
    chance = random.Random(f"proven {key}")
    while True:
        played = game(key, chance.choice((None, *NEAR_THE_END.get(key, ()))))
        while played.outcome is None and len(played.moves) < 60:
            yield played.position
            played.play(chance.choice(played.position.legal_moves()))


@pytest.mark.parametrize("key", KEYS)
def test_a_win_that_is_said_to_threaten_is_one(key: str) -> None:
    found = 0
    for position in islice(positions(key), 1500):
        if position.threatens_win():
            found += 1
            assert won(position, 1), position.fen()
    assert found or key not in ("racingKings", "kingOfTheHill", "atomic", "spark")


@pytest.mark.parametrize("key", KEYS)
def test_wins_and_losses_within_a_move_are_told_rightly(key: str) -> None:
    for position in islice(positions(key), 0, 1200, 6):
        told = think(game(key, position.fen()), depth=3).win_in
        assert (told == 1) == won(position, 2), (position.fen(), told)
        assert (told == -1) == lost(position, 2), (position.fen(), told)
