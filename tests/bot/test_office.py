"""What is known of a challenger, from the games begun with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import wire
from bot.admission import Known
from bot.office import guest_at
from bot.places import Guest
from bot.records.database import Records
from bot.records.met import DAY_S, Encounter, Shun
from bot.refusals import RateLimit
from bot.transport import Limited, Refused
from tests.bot.offices import NOW_S, Desk
from tests.bot.test_admission import challenge


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records(tmp_path) as records:
        yield records


@pytest.fixture
def desk(records: Records) -> Desk:
    return Desk(records)


def met(game_id: str, ago_s: float = 60.0, **changes: Any) -> Encounter:
    usual: dict[str, Any] = {"opponent": "rival", "bot": False, "rated": True, "color": "white"}
    return Encounter(game_id, begun_at=NOW_S - ago_s, **usual | changes)


def known(desk: Desk, *encounters: Encounter, **changes: Any) -> Known:
    for encounter in encounters:
        desk.office.players.meet(encounter)
        if encounter.aborted:
            desk.office.players.note_abort(encounter.game_id)
    return desk.office.known(challenge(**changes))


def test_a_stranger_is_unknown(desk: Desk) -> None:
    assert known(desk) == Known()
    assert known(desk, challenger=None) == Known()


def test_games_of_a_day_are_counted_aborted_ones_apart(desk: Desk) -> None:
    found = known(
        desk,
        met("rated001", 5000, color="black"),
        met("casual01", 4000, rated=False),
        met("aborted1", 3000, aborted=True),
        met("aborted2", 7200, aborted=True),
        met("longago1", DAY_S + 1),
        met("others01", 10, opponent="other"),
    )
    assert found == Known(today=2, rated_today=1, aborts=1, last_rated_color="black")


def test_rematches_in_a_row_are_counted(desk: Desk) -> None:
    """Trap 36."""
    chain = [met("game0001"), met("game0002", rematch_of="game0001"), met("game0003", rematch_of="game0002")]
    assert known(desk, *chain, rematchOf="game0003").rematches == 2
    assert known(desk, rematchOf="game0001").rematches == 0
    assert known(desk).rematches == 0


def test_running_games_and_those_about_to_start_count_for_the_opponent(desk: Desk) -> None:
    desk.office.places.take("running1", Guest("rival"))
    desk.office.places.reserve("expected", Guest("rival"), 5.0)
    assert known(desk).running == 2


def test_the_day_of_games_with_bots_is_shared_by_all_and_by_those_that_are_expected(records: Records) -> None:
    """Behaviour 29."""
    desk = Desk(records, citizenship={"bot_games_a_day": 5})
    for number in range(3):
        desk.office.players.meet(met(f"botgame{number}", opponent="fusebox", bot=True))
    desk.office.players.meet(met("yesterda", DAY_S + 1, opponent="fusebox", bot=True))
    desk.office.places.reserve("expected", Guest("fusebox", bot=True))
    assert desk.office.bot_games_left == 1
    desk.seconds = DAY_S
    assert desk.office.bot_games_left == 4


def test_what_the_site_says_of_the_day_counts_as_long_as_it_says(desk: Desk) -> None:
    """Behaviour 29."""
    assert desk.office.note_limit(Limited("429", 100.0, wire.BOT_GAMES), "fusebox")
    assert desk.office.bot_games_left == 0
    desk.seconds = 101.0
    assert desk.office.bot_games_left > 0


def test_an_opponents_day_is_its_own(desk: Desk) -> None:
    limit = RateLimit(key=wire.BOT_GAMES, seconds=100)
    assert desk.office.note_limit(Refused(400, "400", limit), "Rival")
    assert desk.office.players.shunned(NOW_S) == (Shun("rival", wire.BOT_GAMES, NOW_S + 100),)
    assert known(desk).resting
    assert desk.office.bot_games_left > 0


@pytest.mark.parametrize("failure", [Limited("429", 60.0), Refused(400, "400"), Refused(404, "404")])
def test_other_refusals_tell_of_no_daily_limit(desk: Desk, failure: Exception) -> None:
    assert not desk.office.note_limit(failure, "rival")
    assert desk.office.players.shunned(NOW_S) == ()


@pytest.mark.parametrize(
    ("opponent", "guest"),
    [
        ({"id": "fusebox", "username": "BOT fusebox"}, Guest("fusebox", bot=True)),
        ({"id": "rookery", "username": "NM rookery"}, Guest("rookery")),
        ({"id": None, "username": "Stockfish level 3", "ai": 3}, Guest()),
        ({}, Guest()),
    ],
)
def test_an_opponent_is_known_by_its_id_and_not_by_what_is_shown(opponent: dict[str, Any], guest: Guest) -> None:
    """Trap 38."""
    game = wire.read(
        wire.OngoingGame, {"gameId": "abcdefgh", "variant": {"key": "standard"}, "speed": "blitz", "opponent": opponent}
    )
    assert guest_at(game) == guest
