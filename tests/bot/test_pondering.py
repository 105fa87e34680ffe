"""Thinking on the opponent's time: a hit goes on, a miss begins anew, and no game takes a core from another."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.cores import Cores
from bot.pondering import Pondering, continued
from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from bot.sources.source import Setting
from bot.surroundings import Surroundings
from bot.thinking import Choice, Search, Thinking
from bot.timing import Budget, RunningClock
from rules import draws, variants
from rules.game import Game
from rules.move import Color
from tests.bot.test_thinking import around, game_of

MINUTES = RunningClock(300_000, 0, 10)
EXPECTED = "e7e5"


class Watched(Thinker):
    """A real mind that tells when a search begins and ends, and what it was about."""

    def __init__(self, hash_mb: int) -> None:
        super().__init__(hash_mb)
        self.began = threading.Semaphore(0)
        self.ended = threading.Semaphore(0)
        self.about: list[tuple[int, Limits]] = []

    def think(self, game: Any, limits: Limits, stop: StopFlag | None = None, on_progress: Any = None) -> Thought:
        self.about.append((len(game.moves), limits))

        def told(thought: Thought) -> None:
            if thought.depth == 6:
                self.began.release()

        try:
            return super().think(game, limits, stop, told)
        finally:
            self.ended.release()


def many_cores(surroundings: Surroundings, count: int = 4) -> Surroundings:
    return replace(surroundings, cores=Cores(count), clock=time.monotonic)


def watching(tmp_path: Path, **strength: Any) -> AbstractContextManager[Any]:
    return around(tmp_path, Watched, strength={"hash_mb": 1, **strength})


def table(surroundings: Surroundings, number: int = 1) -> Thinking:
    setting = Setting(f"game{number:04}", variants.STANDARD, Color.WHITE, "blitz", False)
    return Thinking(setting, None, surroundings)


def reply(game: Game, text: str = EXPECTED) -> Any:
    return continued(game, next(move for move in game.position.legal_moves() if uci_of(game, move) == text)).moves[-1]


def uci_of(game: Game, move: Any) -> str:
    return continued(game, move).uci_moves(False)[-1]


def search_of(one: Thinking, game: Game, budget: Budget) -> Choice:
    done, choices = threading.Event(), list[Choice | None]()

    def report(search: Search, choice: Choice | None) -> None:
        choices.append(choice)
        done.set()

    one.start(Search("", MINUTES, budget, time.monotonic()), game, report)
    assert done.wait(20)
    assert choices[0] is not None
    return choices[0]


def test_a_hit_goes_on_with_the_same_search(tmp_path: Path) -> None:
    game = game_of("e2e4")
    with watching(tmp_path) as (plain, made):
        one = table(many_cores(plain))
        one.ponder(game, reply(game))
        mind = made[0]
        assert mind.began.acquire(timeout=20)
        one.come_to(game_of(f"e2e4 {EXPECTED}"))
        choice = search_of(one, game_of(f"e2e4 {EXPECTED}"), Budget(60_000, 400))
        one.leave()
    assert len(mind.about) == 1, "no second search was begun"
    assert "before the opponent's move" in choice.how
    assert choice.reply is not None


def test_time_that_was_pondered_is_time_of_the_move(tmp_path: Path) -> None:
    game = game_of("e2e4")
    with watching(tmp_path) as (plain, made):
        one = table(many_cores(plain))
        one.ponder(game, reply(game))
        assert made[0].began.acquire(timeout=20)
        threading.Event().wait(0.3)
        began = time.monotonic()
        choice = search_of(one, game_of(f"e2e4 {EXPECTED}"), Budget(200, 20_000))
        took_s = time.monotonic() - began
        one.leave()
    assert took_s < 0.2, "it was thought about long enough already"
    assert "before the opponent's move" in choice.how


def test_a_miss_ends_it_at_once_and_begins_anew(tmp_path: Path) -> None:
    game, other = game_of("e2e4"), game_of("e2e4 c7c5")
    with watching(tmp_path) as (plain, made):
        one = table(many_cores(plain))
        one.ponder(game, reply(game))
        mind = made[0]
        assert mind.began.acquire(timeout=20)
        one.come_to(other)
        assert mind.ended.acquire(timeout=2), "stopped by the news, before anything is asked of it"
        choice = search_of(one, other, Budget(50, 100))
        one.leave()
    assert [plies for plies, _ in mind.about] == [2, 2]
    assert other.position.is_legal(choice.move)
    assert "before the opponent's move" not in choice.how


def test_the_end_of_the_game_ends_it_and_gives_the_mind_back(tmp_path: Path) -> None:
    game = game_of("e2e4")
    with watching(tmp_path) as (plain, made):
        surroundings = many_cores(plain)
        one = table(surroundings)
        one.ponder(game, reply(game))
        assert made[0].began.acquire(timeout=20)
        one.leave()
        assert made[0].ended.acquire(timeout=2)
        until = time.monotonic() + 5
        while (mind := surroundings.minds.take(1)[0]) is not made[0]:
            assert time.monotonic() < until, "the mind is used again"
        assert mind is made[0]


def test_a_dropped_search_drops_what_it_took_over(tmp_path: Path) -> None:
    game = game_of("e2e4")
    done = threading.Event()
    with watching(tmp_path) as (plain, made):
        one = table(many_cores(plain))
        one.ponder(game, reply(game))
        assert made[0].began.acquire(timeout=20)
        search = Search("", MINUTES, Budget(60_000, 60_000), time.monotonic())
        one.start(search, game_of(f"e2e4 {EXPECTED}"), lambda search, choice: done.set())
        search.drop()
        assert done.wait(5)
        one.leave()


def test_caps_hold_while_pondering(tmp_path: Path) -> None:
    game = game_of("e2e4")
    with watching(tmp_path, limits={"nodes": 300, "depth": 9, "time_ms": 700}) as (plain, made):
        one = table(many_cores(plain))
        one.ponder(game, reply(game))
        assert made[0].ended.acquire(timeout=20)
        choice = search_of(one, game_of(f"e2e4 {EXPECTED}"), Budget(4_000, 9_000))
        one.leave()
    assert made[0].about[0][1] == Limits(nodes=300, depth=9, time_ms=700, threads=1)
    assert " 300 nodes" in choice.how


def test_nothing_is_pondered_on_after_the_reply_that_ends_the_game(tmp_path: Path) -> None:
    game = game_of("f2f3 e7e5 g2g4")
    mate = reply(game, "d8h4")
    with watching(tmp_path) as (plain, made):
        one = table(many_cores(plain))
        one.ponder(game, mate)
        over = continued(game, mate)
        one.ponder(over, mate)
        one.leave()
    assert made[0].about == []


def test_a_search_that_failed_or_found_too_little_is_begun_anew() -> None:
    class Failing(Thinker):
        def think(self, game: Any, limits: Limits, stop: StopFlag | None = None, on_progress: Any = None) -> Thought:
            raise MemoryError("no room")

    class Shallow(Thinker):
        def think(self, game: Any, limits: Limits, stop: StopFlag | None = None, on_progress: Any = None) -> Thought:
            return super().think(game, Limits(depth=2), stop)

    game = game_of("e2e4")
    for mind in (Failing(1), Shallow(1)):
        pondering = Pondering(game, Limits(), time.monotonic)
        pondering.run(mind)
        assert pondering.finish(Limits(time_ms=100, soft_ms=50), only_move=False) is None


def test_a_game_too_many_ends_all_pondering(tmp_path: Path) -> None:
    game = game_of("e2e4")
    with watching(tmp_path) as (plain, made):
        surroundings = many_cores(plain, 2)
        first, second = table(surroundings, 1), table(surroundings, 2)
        for one, mind in zip((first, second), made, strict=True):
            one.ponder(game, reply(game))
            assert mind.began.acquire(timeout=20)
        third = table(surroundings, 3)
        for mind in made[:2]:
            assert mind.ended.acquire(timeout=2)
        first.ponder(game, reply(game))
        assert len(made[0].about) == 1, "with three games on two cores nobody ponders"
        third.leave()
        first.ponder(game, reply(game))
        assert made[0].began.acquire(timeout=20)
        for one in (first, second):
            one.leave()


def test_what_was_ended_early_is_begun_anew(tmp_path: Path) -> None:
    game = game_of("e2e4")
    with watching(tmp_path) as (plain, made):
        surroundings = many_cores(plain, 1)
        one = table(surroundings, 1)
        mind = made[0]
        one.ponder(game, reply(game))
        assert mind.began.acquire(timeout=20)
        table(surroundings, 2).leave()
        assert mind.ended.acquire(timeout=2)
        choice = search_of(one, game_of(f"e2e4 {EXPECTED}"), Budget(50, 100))
        one.leave()
    assert len(mind.about) == 2
    assert "before the opponent's move" not in choice.how


def test_a_hit_is_cut_short_by_no_new_game() -> None:
    pondering, mind = Pondering(game_of("e2e4"), Limits(), time.monotonic), Watched(1)
    threading.Thread(target=pondering.run, args=(mind,)).start()
    assert mind.began.acquire(timeout=20)
    hit = time.monotonic()
    threading.Timer(0.15, pondering.cease).start()
    assert pondering.finish(Limits(time_ms=500, soft_ms=60_000), only_move=False) is not None
    assert time.monotonic() - hit > 0.45


@pytest.mark.parametrize(
    ("cores", "games", "wanted", "threads"), [(4, 1, 4, 4), (4, 2, 4, 2), (4, 3, 4, 1), (2, 5, 8, 1), (8, 1, 2, 2)]
)
def test_threads_are_shared_out_among_the_games(cores: int, games: int, wanted: int, threads: int) -> None:
    shared = Cores(cores)
    players = [object() for _ in range(games)]
    for player in players:
        shared.enter(player)
    assert shared.threads(wanted) == threads
    for player in players[1:]:
        shared.leave(player)
    assert shared.threads(wanted) == min(wanted, cores)


def test_who_does_not_play_does_not_ponder() -> None:
    shared, player = Cores(2), object()
    stop: Callable[[], None] = threading.Event().set
    assert not shared.ponder(player, stop)
    shared.enter(player)
    assert shared.ponder(player, stop)
    shared.leave(player)
    assert not shared.ponder(player, stop)


@pytest.mark.parametrize(("quota", "threads"), [("100000 100000", 1), ("50000 100000", 1), ("max 100000", None)])
def test_a_container_has_the_cores_that_it_was_given(tmp_path: Path, quota: str, threads: int | None) -> None:
    (tmp_path / "cpu.max").write_text(f"{quota}\n", encoding="ascii")
    whole = Cores.of_this_machine(tmp_path / "none").threads(1000)
    assert Cores.of_this_machine(tmp_path / "cpu.max").threads(1000) == (threads or whole)


def test_a_game_is_continued_apart_from_itself() -> None:
    chance = random.Random(5)
    for variant in variants.ALL:
        fen = variant.start_fen if variant.needs_fen else None
        game = Game.start(variant, draws.for_game(variant, with_bot=True), fen)
        for _ in range(12):
            if game.outcome is None:
                game.play(chance.choice(game.position.legal_moves()))
        if game.outcome is None:
            move = game.position.legal_moves()[0]
            longer = continued(game, move)
            assert longer.moves == [*game.moves, move]
            assert longer.position == game.position.play(move)
            assert len(game.moves) == len(longer.moves) - 1
