"""The tables that sliders look up, held against walking along their lines."""

import random

import pytest

from rules.bitboard import table_attacks, walked_attacks


@pytest.mark.parametrize("diagonal", [False, True])
def test_every_square_looks_up_what_walking_finds(diagonal: bool) -> None:
    chance = random.Random(3)
    for square in range(64):
        for _ in range(200):
            occupied = chance.getrandbits(64) & chance.getrandbits(64)
            assert table_attacks(square, occupied, diagonal) == walked_attacks(square, occupied, diagonal)


def test_walking_stops_on_the_first_man() -> None:
    a4_and_c1 = 1 << 24 | 1 << 2
    assert walked_attacks(0, a4_and_c1, False) == 1 << 8 | 1 << 16 | 1 << 24 | 1 << 1 | 1 << 2
