"""The memory of players: what counts against whom, and that it outlives the process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.records.acquaintances import Acquaintances
from bot.records.database import FILE_NAME, STEPS, Records
from bot.records.met import REMEMBERED_S, Encounter, Shun
from tests.bot.test_records import OPEN

NOW = 1_800_000_000.0
GAME = Encounter("abcdefgh", "rival", bot=False, rated=True, color="white", begun_at=NOW)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records(tmp_path) as records:
        yield records


@pytest.fixture
def known(records: Records) -> Acquaintances:
    return Acquaintances(records, "lichess", "housebot")


def test_a_game_told_twice_is_one_encounter(known: Acquaintances) -> None:
    known.meet(GAME)
    known.meet(replace(GAME, color="black"))
    assert known.encounters_with("Rival", NOW - 1) == (GAME,)
    assert known.encounters_with("rival", NOW) == ()


def test_an_aborted_game_is_marked(known: Acquaintances) -> None:
    known.meet(GAME)
    known.note_abort(GAME.game_id)
    assert known.encounters_with("rival", 0) == (replace(GAME, aborted=True),)


def test_only_games_with_bots_count_for_their_daily_limit(known: Acquaintances) -> None:
    known.meet(GAME)
    known.meet(replace(GAME, game_id="botgame1", opponent="fusebox", bot=True, begun_at=NOW - 90_000))
    known.meet(replace(GAME, game_id="botgame2", opponent="fusebox", bot=True))
    assert known.bot_games(NOW - 86_400) == 1


def test_accounts_and_sites_do_not_mix(records: Records, known: Acquaintances) -> None:
    known.meet(replace(GAME, bot=True))
    for source, account in (("lichess", "other"), ("local", "housebot")):
        assert Acquaintances(records, source, account).bot_games(0) == 0


def test_the_longer_rest_stays(known: Acquaintances) -> None:
    known.shun(Shun("Fusebox", "", NOW + 50))
    known.shun(Shun("fusebox", "", NOW + 20))
    known.shun(Shun("fusebox", "rated", NOW + 5))
    assert set(known.shunned(NOW)) == {Shun("fusebox", "", NOW + 50), Shun("fusebox", "rated", NOW + 5)}
    assert known.shunned(NOW + 50) == ()


def test_approaches_are_counted_and_the_latest_is_known(known: Acquaintances) -> None:
    for at in (NOW - 100, NOW - 10, NOW - 200_000):
        known.note_approach("fusebox", at)
    assert known.approach_count(NOW - 86_400) == 2
    assert known.approaches(NOW - 86_400) == {"fusebox": NOW - 10}


def test_everything_outlives_the_process_and_old_things_are_dropped(tmp_path: Path) -> None:
    with Records(tmp_path) as records:
        known = Acquaintances(records, "lichess", "housebot")
        known.meet(GAME)
        known.meet(replace(GAME, game_id="longago1", begun_at=NOW - REMEMBERED_S - 1))
        known.shun(Shun("fusebox", "", NOW + 5))
        known.note_approach("fusebox", NOW)
    with Records(tmp_path) as records:
        known = Acquaintances(records, "lichess", "housebot")
        known.forget(NOW)
        assert known.encounters_with("rival", 0) == (GAME,)
        assert known.shunned(NOW) == (Shun("fusebox", "", NOW + 5),)
        assert known.approaches(0) == {"fusebox": NOW}


def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / FILE_NAME)
    old.executescript(STEPS[0] + "PRAGMA user_version = 1;")
    old.execute(
        "INSERT INTO journal VALUES ('abcdefgh', 'lichess', 'housebot', 'https://lichess.org/abcdefgh', 'spark', 0, "
        "'blitz', 'black', 'rival', '2026-11-30T11:00:00Z')"
    )
    old.commit()
    old.close()
    with Records(tmp_path) as records:
        assert records.open_games("lichess", "housebot") == [OPEN]
        assert Acquaintances(records, "lichess", "housebot").bot_games(0) == 0
