"""The search never returns an illegal move: random play of every game, at tiny limits."""

import random

import pytest

from bot.search.driver import Driver
from bot.search.evaluation import for_game
from bot.search.stopping import StopFlag
from bot.search.table import Table
from bot.search.thinker import Limits, Thinker
from rules import variants
from rules.move import Move
from tests.search.thinking import game

KEYS = [variant.key for variant in variants.ALL]


@pytest.mark.parametrize("key", KEYS)
def test_moves_and_lines_are_legal_all_through_random_games(key: str) -> None:
    chance = random.Random(f"search {key}")
    thinker = Thinker(1)
    searched = 0
    while searched < 600:
        played = game(key)
        while played.outcome is None and len(played.moves) < 200:
            thought = thinker.think(played, Limits(nodes=chance.choice((1, 3, 40, 250))))
            position = played.position
            for move in thought.pv:
                assert position.is_legal(move), (position.fen(), move)
                position = position.play(move)
            searched += 1
            played.play(thought.move if chance.random() < 0.3 else chance.choice(played.position.legal_moves()))


@pytest.mark.parametrize("key", KEYS)
def test_a_table_full_of_other_positions_moves_is_survived(key: str) -> None:
    """Every key near the root holds a move code of another position, or of none: it is never played."""
    variant = variants.by_key(key)
    profile = for_game(variant)
    chance = random.Random(f"collisions {key}")
    played = game(key)
    for _ in range(60):
        table = Table(1)
        driver = Driver(table, variant, profile.evaluation, dict(profile.options))
        driver.place(played.positions, played.policy, 0)
        for position in (played.position, *(played.position.play(move) for move in played.position.legal_moves())):
            for bound in (1, 2, 3):
                table.put(position.key, chance.getrandbits(21), chance.randint(-300, 300), 3, bound)
        assert table.get(driver.key_at_root()) is not None
        found = driver.think({"nodes": 400}, StopFlag())
        position = played.position
        for code in found["line"]:
            assert position.is_legal(Move(code)), (position.fen(), code)
            position = position.play(Move(code))
        played.play(chance.choice(played.position.legal_moves()))
        if played.outcome is not None:
            played = game(key)
