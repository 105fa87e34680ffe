"""In the thread of a search: what is asked and thought, how long, and how the processor is shared."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.config import Config, ConfigError
from bot.lichess import Lichess
from bot.records.database import Records
from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from bot.sources.source import Setting
from bot.surroundings import Crowd, Surroundings
from bot.thinking import Choice, Search, Thinking
from bot.timing import Budget, GameClock, NoClock, RunningClock
from rules import draws, variants
from rules.game import Game
from rules.move import Color
from tests.bot.asking import Hands

MINUTES = RunningClock(300_000, 0, 10)


@dataclass(eq=False)
class Recorder:
    """A mind that keeps what it was asked, and answers with the first move."""

    hash_mb: int
    asked: list[Limits] = field(default_factory=list)

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        self.asked.append(limits)
        move = game.position.legal_moves()[0]
        return Thought(move, None, 12, None, limits.depth or 9, 9, 99, 1, (move,))

    def clear(self) -> None:
        self.asked.clear()


@contextmanager
def around(folder: Path, new_mind: Callable[[int], Any], clock: Hands | None = None, **sections: Any) -> Iterator[Any]:
    """Surroundings without a site to talk to, and the minds that were made."""
    config = Config.model_validate(sections)
    made: list[Any] = []

    def noted(hash_mb: int) -> Any:
        made.append(new_mind(hash_mb))
        return made[-1]

    with Records(folder) as records:
        surroundings = Surroundings.open(
            config, Lichess("http://127.0.0.1:9", None, config.network), records, "centella",
            clock=clock or Hands(), now=lambda: datetime.now(UTC), chance=random.Random(1), new_mind=noted,
            crowd=lambda: Crowd(0, 4, 0), look=lambda _: None,
        )  # fmt: skip
        yield surroundings, made
        surroundings.close()


def game_of(moves: str = "", fen: str | None = None) -> Game:
    variant = variants.STANDARD
    return Game.replay(variant, draws.for_game(variant, with_bot=True), fen, moves.split())


def thinking(surroundings: Surroundings, game: Game) -> Thinking:
    return Thinking(Setting("abcdefgh", game.variant, Color(game.turn), "blitz", False), None, surroundings)


def found(one: Thinking, game: Game, budget: Budget, clock: GameClock = MINUTES) -> Choice | None:
    """What a search of that game comes to."""
    done, choices = threading.Event(), []

    def report(search: Search, choice: Choice | None) -> None:
        choices.append(choice)
        done.set()

    one.start(Search("", clock, budget, 1000.0), game, report)
    assert done.wait(20)
    return choices[0]  # type: ignore[no-any-return]


def test_limits_are_those_of_strength_and_budget(tmp_path: Path) -> None:
    strength = {"limits": {"depth": 7, "nodes": 5000, "time_ms": 400}}
    hands = Hands()
    with around(tmp_path, Recorder, hands, strength=strength) as (surroundings, made):
        one = thinking(surroundings, game_of("a2a3"))
        hands.now += 0.25
        found(one, game_of("a2a3"), Budget(500, 900))
        found(one, game_of("a2a3"), Budget(250, 300))
        found(one, game_of("a2a3"), Budget(50, 100))
        found(one, game_of("a2a3"), Budget(240, 900))
        (mind,) = made
    assert mind.asked == [
        Limits(time_ms=400, soft_ms=250, depth=7, nodes=5000, threads=1),
        Limits(time_ms=50, soft_ms=50, depth=7, nodes=5000, threads=1),
        Limits(time_ms=1, soft_ms=1, depth=7, nodes=5000, threads=1),
        # what came before the search took all of its time: a part of it is thought for all the same
        Limits(time_ms=400, soft_ms=60, depth=7, nodes=5000, threads=1),
    ]


def test_an_only_move_takes_little_thought(tmp_path: Path) -> None:
    only = game_of(fen="7k/8/8/8/8/8/1r6/K7 w - - 0 1")
    assert len(only.position.legal_moves()) == 1
    with around(tmp_path, Thinker) as (surroundings, _):
        choice = found(thinking(surroundings, only), only, Budget(5_000, 9_000))
    assert choice is not None
    assert choice.how.startswith("depth 8,")


def test_a_mind_that_hangs_is_not_given_to_another_game(tmp_path: Path) -> None:
    class Hanging(Recorder):
        def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
            release.wait(20)
            return super().think(game, limits, stop)

    release, ended = threading.Event(), threading.Event()
    game = game_of("a2a3")
    with around(tmp_path, Hanging) as (surroundings, made):
        one = thinking(surroundings, game)
        search = Search("", MINUTES, Budget(10, 20), 1000.0)
        one.start(search, game, lambda search, choice: ended.set())
        one.renew()
        one.leave()
        assert len(made) == 2
        assert surroundings.minds.take(64)[0] is made[1]
        release.set()
        assert ended.wait(20)
        assert surroundings.minds.take(64)[0] not in made[:2], "the one that hung is not used again"


def test_a_game_that_ends_in_the_middle_of_a_search_gives_its_mind_back_afterwards(tmp_path: Path) -> None:
    game = game_of("a2a3")
    ended = threading.Event()
    with around(tmp_path, Thinker, strength={"hash_mb": 1}) as (surroundings, made):
        one = thinking(surroundings, game)
        search = Search("", NoClock(), Budget(60_000, 60_000), 1000.0)
        one.start(search, game, lambda search, choice: ended.set())
        one.leave()
        search.drop()
        assert ended.wait(20), "the search stops at once"
        assert surroundings.minds.take(1)[0] is made[0]


@pytest.mark.parametrize("opening_plies", [0, 2])
def test_openings_vary_if_that_is_wished(tmp_path: Path, opening_plies: int) -> None:
    variety = {"opening_plies": opening_plies, "opening_loss_cp": 40}
    conduct = {"variety": variety}
    strength = {"hash_mb": 1, "limits": {"depth": 2}}
    game, moves = game_of(), set()
    with around(tmp_path, Thinker, conduct=conduct, strength=strength) as (surroundings, _):
        for number in range(12):
            setting = Setting(f"game{number:04}", game.variant, Color.WHITE, "blitz", False)
            one = Thinking(setting, None, surroundings)
            choice = found(one, game, Budget(4_000, 8_000))
            assert choice is not None
            moves.add(choice.move)
            one.leave()
    assert len(moves) == 1 if opening_plies == 0 else len(moves) > 2


def test_no_running_game_starves(tmp_path: Path) -> None:
    """Six searches at once on however few cores: each gets a fair part of the nodes."""
    game, nodes, lock = game_of("e2e4 e7e5 g1f3 b8c6"), [], threading.Lock()
    done = threading.Semaphore(0)
    barrier = threading.Barrier(6)

    class Starting(Thinker):
        def think(self, game: Game, limits: Limits, stop: StopFlag | None = None, on_progress: Any = None) -> Thought:
            barrier.wait(20)
            thought = super().think(game, limits, stop)
            with lock:
                nodes.append(thought.nodes)
            return thought

    with around(tmp_path, Starting, strength={"hash_mb": 1}) as (surroundings, _):
        for number in range(6):
            setting = Setting(f"game{number:04}", game.variant, Color.WHITE, "blitz", False)
            search = Search("", MINUTES, Budget(600, 600), 1000.0)
            Thinking(setting, None, surroundings).start(search, game, lambda search, choice: done.release())
        for _ in range(6):
            assert done.acquire(timeout=30)
    assert len(nodes) == 6
    assert min(nodes) > sum(nodes) / 6 / 5, nodes


def test_a_network_that_cannot_be_used_is_an_error_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "atomic.net").write_bytes(b"none")
    wrong = {"strength": {"network": str(tmp_path / "atomic.net")}}
    complaint = r"strength\.network: .*atomic\.net: this is no network"
    with pytest.raises(ConfigError, match=complaint), around(tmp_path, Thinker, **wrong):
        pytest.fail("it was taken")
    with around(tmp_path, Recorder) as (surroundings, _), pytest.raises(ConfigError, match=complaint):
        surroundings.reloaded(Config.model_validate(wrong))
