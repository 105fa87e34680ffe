"""Sources of moves under guard: whatever they do, they cost no more than their time-out, and no move."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import pytest

from bot.config.sources import SourceTerms
from bot.sources.consultation import Sources
from bot.sources.guard import Guard
from bot.sources.source import Interrupt, MoveSource, SourceFailed, Suggestion
from bot.timing import DayClock, NoClock, RunningClock
from rules import variants
from rules.move import parse_square
from tests.bot.asking import Hands, Scripted, always, failing, question, stuck


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets stuck sources go at the end."""
    event = threading.Event()
    yield event
    event.set()


def guarded(source: MoveSource, clock: Hands | None = None, **terms: object) -> Guard:
    return Guard("0 (test)", source, SourceTerms.model_validate(terms), clock or Hands())


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_move_is_read_by_our_rules_and_says_where_it_comes_from() -> None:
    scored = Scripted(lambda _: Suggestion("e1g1", 35, certain=True))
    advice = guarded(scored).ask(question("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"))
    assert advice is not None
    assert (str(advice.source), advice.score_cp, advice.certain) == ("0 (test)", 35, True)
    assert advice.move in question("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").position.legal_moves()


def test_no_answer_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    guard = guarded(always(None), failures=1)
    assert [guard.ask(question()) for _ in range(3)] == [None] * 3
    assert guard.may_ask(question())
    assert warnings(caplog) == []


@pytest.mark.parametrize(
    "source",
    [always("e2e5"), always("nonsense"), always(""), failing(SourceFailed("gone")), failing(RuntimeError("boom"))],
    ids=["illegal move", "no move at all", "empty", "failure", "exception"],
)
def test_a_source_that_fails_is_told_once_and_left_alone_for_longer_each_time(
    source: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Hands()
    guard = guarded(source, clock, failures=2, rest_s=60)
    for rest_s in (60, 120):
        for _ in range(2):
            assert guard.may_ask(question())
            assert guard.ask(question()) is None
        clock.now += rest_s - 1
        assert not guard.may_ask(question())
        clock.now += 1
    assert guard.may_ask(question())
    assert len(warnings(caplog)) == 1


def test_a_success_makes_a_later_failure_news_again(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter(["e2e5", "e2e4", "e2e5"])
    guard = guarded(Scripted(lambda _: Suggestion(next(answers))))
    assert [guard.ask(question()) is None for _ in range(3)] == [True, False, True]
    assert len(warnings(caplog)) == 2


def test_a_site_that_names_a_pause_is_left_alone_for_that_long() -> None:
    clock = Hands()
    guard = guarded(failing(SourceFailed("429", rest_s=500)), clock, failures=9, rest_s=10)
    guard.ask(question())
    clock.now += 499
    assert not guard.may_ask(question())
    clock.now += 1
    assert guard.may_ask(question())


def test_a_slow_source_costs_its_time_out_and_no_more(
    release: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    guard = guarded(stuck(release), timeout_ms=50)
    began = time.monotonic()
    assert guard.ask(question()) is None
    assert time.monotonic() - began < 2
    assert "no answer within 50 ms" in warnings(caplog)[0]


def test_a_source_that_hangs_is_not_asked_by_ever_more_threads(release: threading.Event) -> None:
    clock = Hands()
    source = stuck(release)
    guard = guarded(source, clock, timeout_ms=1, failures=100)
    for _ in range(3):
        assert guard.may_ask(question())
        guard.ask(question())
    clock.now += 10_000
    assert not guard.may_ask(question()), "three threads wait for it already"
    release.set()
    for _ in range(500):
        if guard.may_ask(question()):
            break
        threading.Event().wait(0.01)
    assert guard.may_ask(question()), "they have come back"


def test_a_question_that_is_dropped_ends_at_once_and_is_no_failure(
    release: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    asked = question()
    told = Interrupt()
    source = Scripted(lambda mine: (mine.over.call(told.set), release.wait(20), None)[-1])
    guard = guarded(source, timeout_ms=10_000)
    threading.Timer(0.05, asked.over.set).start()
    began = time.monotonic()
    assert guard.ask(asked) is None
    assert time.monotonic() - began < 5
    assert told.is_set, "the source learns of it"
    assert warnings(caplog) == []


def test_a_source_is_asked_only_in_the_games_it_is_for() -> None:
    spark = question(variant=variants.SPARK).setting
    blitz, rated = question().setting, question(rated=True).setting
    black = question("e2e4").setting
    assert guarded(always(None)).serves(spark)
    assert not guarded(always(None), variants=("standard",)).serves(spark)
    assert guarded(always(None), variants=("standard",), speeds=("blitz",)).serves(blitz)
    assert not guarded(always(None), speeds=("bullet",)).serves(blitz)
    assert not guarded(always(None), modes=("casual",)).serves(rated)
    assert [guarded(always(None), colors=("black",)).serves(game) for game in (blitz, black)] == [False, True]


def test_a_source_is_asked_only_while_there_is_time_and_so_far_into_the_game() -> None:
    guard = guarded(always(None), least_clock_s=20, most_plies=2)
    assert guard.may_ask(question())
    assert not guard.may_ask(question(clock=RunningClock(19_000, 0, 10)))
    assert guard.may_ask(question(clock=NoClock()))
    assert guard.may_ask(question(clock=DayClock(86_400_000)))
    assert [guard.may_ask(question(moves)) for moves in ("e2e4", "e2e4 e7e5")] == [True, False]


def test_sources_are_asked_in_their_order_until_one_knows_a_move() -> None:
    first, second, third = always(None), always("d2d4"), always("e2e4")
    sources = Sources([guarded(first), guarded(second), guarded(third)], time.monotonic)
    consultation = sources.consult(question().setting)
    advice = consultation.ask(question())
    assert advice is not None and advice.move.target == parse_square("d4")
    assert [len(source.asked) for source in (first, second, third)] == [1, 1, 0]


def test_a_game_takes_so_many_moves_and_suffers_so_many_misses() -> None:
    generous = Guard("a", always("e2e4"), SourceTerms(most_moves=2), time.monotonic)
    ignorant = Guard("b", always(None), SourceTerms(most_misses=2), time.monotonic)
    consultation = Sources([generous, ignorant], time.monotonic).consult(question().setting)
    found = [consultation.ask(question()) is not None for _ in range(6)]
    assert found == [True, True, False, False, False, False]
    assert len(ignorant.source.asked) == 2  # type: ignore[attr-defined]


def test_all_sources_together_take_no_longer_than_they_may(release: threading.Event) -> None:
    guards = [Guard(str(number), stuck(release), SourceTerms(timeout_ms=150), time.monotonic) for number in range(8)]
    consultation = Sources(guards, time.monotonic).consult(question().setting)
    began = time.monotonic()
    assert consultation.ask(question(within_ms=200)) is None
    assert time.monotonic() - began < 5
    assert sum(bool(guard.source.asked) for guard in guards) <= 3  # type: ignore[attr-defined]


def test_sources_hear_of_games_and_close_when_the_last_game_is_over() -> None:
    source = always(None)
    sources = Sources([guarded(source)], time.monotonic)
    for _ in range(2):
        sources.hold()
    sources.close()
    # one of them has not asked yet
    games = [sources.consult(question().setting), sources.consult(question().setting)]
    assert "close" not in source.told
    for game in games:
        game.close()
        sources.let_go()
    assert source.told == ["begin abcdefgh"] * 2 + ["end abcdefgh"] * 2 + ["close"]
