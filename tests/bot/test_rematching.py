"""Whether to ask for another game after one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot import directory, wire
from bot.admission import Known, Load
from bot.config import Acceptance, Rematches
from bot.matchmaking import Proposal
from bot.records.game import GameRecord, OpenGame
from bot.records.settling import record_of_export
from bot.rematching import challenge_back, rematch
from bot.time_controls import Countdown, PerDays, PerTurn, Unlimited
from tests.bot.test_records import NOW, OPEN

WON: GameRecord = record_of_export(
    replace(OPEN, variant="standard", color="black", opponent="rival"),
    directory.ExportedGame(id="abcdefgh", status="mate", winner="black", moves="f3 e5 g4 Qh4#"),
    NOW,
)


def full(**changes: Any) -> wire.GameFull:
    usual: dict[str, Any] = {
        "id": "abcdefgh",
        "variant": {"key": "standard"},
        "speed": "blitz",
        "clock": {"initial": 180_000, "increment": 2000},
        "white": {"id": "rival", "name": "Rival", "rating": 1700},
        "black": {"id": "housebot", "name": "housebot", "title": "BOT", "rating": 1800},
        "state": {"moves": "", "wtime": 1, "btime": 1, "status": "mate"},
    }
    return wire.read(wire.GameFull, usual | changes)


def offered(
    settings: Rematches | None = None,
    record: GameRecord = WON,
    entry: OpenGame = OPEN,
    known: Known | None = None,
    load: Load | None = None,
    **changes: Any,
) -> Proposal | None:
    game = full(**changes)
    wanted = challenge_back(record, game, entry.rules.split(), "housebot")
    if wanted is None:
        return None
    settings, known = settings or Rematches(humans=2, bots=1), known or Known()
    return rematch(wanted, record, game, settings, Acceptance(), load or Load(), known)


def test_the_same_game_with_the_colors_swapped() -> None:
    assert offered() == Proposal(
        "rival", "standard", Countdown(180, 2), False, "white", rematch_of="abcdefgh"
    )


def test_nothing_is_offered_unless_it_is_configured() -> None:
    assert offered(Rematches()) is None
    assert offered(known=Known(rematches=2)) is None
    assert offered(known=Known(rematches=1)) is not None
    fusebox = {"id": "fusebox", "name": "fusebox", "title": "BOT"}
    assert offered(white=fusebox) is not None
    assert offered(white=fusebox, known=Known(rematches=1)) is None


@pytest.mark.parametrize("status", ["aborted", "timeout", "noStart", "cheat", "unknownFinish"])
def test_who_has_gone_or_never_came_is_not_asked(status: str) -> None:
    """Trap 22."""
    assert offered(record=replace(WON, status=status)) is None


def test_machines_nobody_and_arenas_are_not_asked() -> None:
    assert offered(white={"aiLevel": 3}) is None
    assert offered(white={}) is None
    assert offered(tournamentId="aReNa123") is None
    assert offered(entry=replace(OPEN, rules="noRematch")) is None


def test_what_would_not_be_accepted_is_not_offered() -> None:
    assert offered(variant={"key": "bughouse"}) is None
    assert offered(load=Load(closing=True)) is None
    assert offered(load=Load(live=4)) is None
    assert offered(known=Known(listed="blocked")) is None
    assert offered(rated=True, known=Known(rated_today=10)) is None
    assert offered(rated=True, known=Known(last_rated_color="black")) is not None


@pytest.mark.parametrize(
    ("terms", "control"),
    [
        ({"clock": None, "daysPerTurn": 3}, PerDays(3)),
        ({"clock": None}, Unlimited()),
        ({"clock": None, "secondsPerTurn": 30}, PerTurn(30)),
    ],
)
def test_the_time_control_is_kept(terms: dict[str, Any], control: object) -> None:
    found = offered(**terms)
    assert found is not None
    assert found.control == control


def test_a_start_of_its_own_is_played_again() -> None:
    fen = "nqbrnbkr/pppppppp/8/8/8/8/PPPPPPPP/NQBRNBKR w KQkq - 0 1"
    found = offered(variant={"key": "chess960"}, initialFen=fen)
    assert found is not None
    assert found.fen == fen
