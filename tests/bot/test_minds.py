"""Minds are shared out among running games, and used again."""

from __future__ import annotations

from bot.minds import Minds
from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from rules import draws, variants
from rules.game import Game


class Counted:
    """Remembers its size, and how often it was cleared."""

    def __init__(self, hash_mb: int) -> None:
        self.hash_mb = hash_mb
        self.cleared = 0

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        return Thinker(1).think(game, limits, stop)

    def clear(self) -> None:
        self.cleared += 1


def test_no_game_gets_more_than_its_part_of_the_memory() -> None:
    minds = Minds(Counted, total_mb=100, places=4)
    assert [minds.take(64)[1] for _ in range(6)] == [25] * 6
    assert minds.take(8)[1] == 8
    assert Minds(Counted, total_mb=2, places=8).take(64)[1] == 1


def test_a_mind_is_used_again_by_a_later_game_and_has_forgotten_the_earlier_one() -> None:
    minds = Minds(Counted, total_mb=100, places=1)
    first, size = minds.take(10)
    other, _ = minds.take(10)
    assert other is not first
    minds.give_back(first, size)
    again, _ = minds.take(10)
    assert again is first
    assert isinstance(first, Counted) and first.cleared == 1
    assert minds.take(20)[0] is not first


def test_a_real_mind_thinks_as_well_after_it_was_used() -> None:
    minds = Minds(Thinker, total_mb=4, places=1)
    game = Game.start(variants.SPARK, draws.for_game(variants.SPARK, with_bot=True))
    mind, size = minds.take(4)
    fresh = mind.think(game, Limits(depth=4))
    minds.give_back(mind, size)
    used = minds.take(4)[0].think(game, Limits(depth=4))
    assert (fresh.move, fresh.score_cp, fresh.nodes) == (used.move, used.score_cp, used.nodes)
