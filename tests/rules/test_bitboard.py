"""The tables that sliders look up, held against walking along their lines."""

import random
from collections.abc import Iterator

import pytest

from rules.bitboard import table_attacks, walked_attacks


def arrangements(square: int, diagonal: bool) -> Iterator[int]:
    """Every way to occupy the squares that matter to a slider: those that shorten its reach."""
    reach = walked_attacks(square, 0, diagonal)
    matter = sum(1 << other for other in range(64) if walked_attacks(square, 1 << other, diagonal) != reach)
    occupied = 0
    while True:
        yield occupied
        occupied = (occupied - matter) & matter
        if not occupied:
            return


@pytest.mark.parametrize("diagonal", [False, True])
def test_every_square_looks_up_what_walking_finds_for_every_arrangement(diagonal: bool) -> None:
    chance = random.Random(3)
    for square in range(64):
        for occupied in arrangements(square, diagonal):
            everywhere = occupied | chance.getrandbits(64) & ~walked_attacks(square, 0, diagonal)
            assert table_attacks(square, everywhere, diagonal) == walked_attacks(square, occupied, diagonal)


def test_walking_stops_on_the_first_man() -> None:
    a4_and_c1 = 1 << 24 | 1 << 2
    assert walked_attacks(0, a4_and_c1, False) == 1 << 8 | 1 << 16 | 1 << 24 | 1 << 1 | 1 << 2
