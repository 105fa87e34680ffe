"""Who is played, and when: queues, limits for each opponent, and what the site allows of games between bots."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from bot.server.quotas import Limits, Quota
from tests.incidents.house import BUSY_HOUSE, Seat, centella, eventually
from tests.server.players import Lines, Player

DAY_MS = 86_400_000


def person(lichess: LocalLichess, name: str) -> Player:
    return Player(lichess, name, bot=False)


def began(lichess: LocalLichess, game_id: str) -> bool:
    return lichess.call(lambda site: game_id in site.tables)


def refusal(events: Lines) -> str:
    """The reason of the next answer, "" when it is a game."""
    answer = events.next_of("challengeDeclined", "gameStart")
    return answer["challenge"]["declineReasonKey"] if answer["type"] == "challengeDeclined" else ""


def ask(player: Player, whom: str, **terms: Any) -> str:
    """How a challenge is answered."""
    events = player.events()
    player.challenge(Player(player.lichess, whom), **terms)
    found = refusal(events)
    events.close()
    return found


def test_who_waits_gets_the_place_that_becomes_free(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Behaviour 18."""
    with centella(lichess, tmp_path, accept={"max_games": 1, "queue": {"wait_s": 9.0}}) as bot:
        game = Seat(rival, bot.name)
        waiting = person(lichess, "patient").challenge(Player(lichess, bot.name))["id"]
        game.finish()
        eventually(lambda: began(lichess, waiting), "the one who waited is played")


def test_who_waits_in_vain_is_told_later_within_ten_seconds(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    """Behaviour 18."""
    with centella(lichess, tmp_path, accept={"max_games": 1, "queue": {"wait_s": 0.5}}) as bot:
        Seat(rival, bot.name)
        asked_at = time.monotonic()
        assert ask(person(lichess, "patient"), bot.name) == "later"
        assert 0.4 < time.monotonic() - asked_at < 10


def test_a_person_goes_before_a_bot_that_came_first(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Behaviour 18."""
    with centella(lichess, tmp_path, accept={"max_games": 1, "queue": {"wait_s": 9.0}}) as bot:
        game = Seat(rival, bot.name)
        first = Player(lichess, "fusebox").challenge(Player(lichess, bot.name))["id"]
        second = person(lichess, "patient").challenge(Player(lichess, bot.name))["id"]
        game.finish()
        eventually(lambda: began(lichess, second), "the person is played")
        assert not began(lichess, first)


def test_a_reserved_place_is_kept_for_people(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Behaviour 18."""
    places = {"max_games": 2, "reserved_for_humans": 1}
    with centella(lichess, tmp_path, accept={**places, "queue": {"wait_s": 0.1}}) as bot:
        assert ask(Player(lichess, "fusebox"), bot.name) == ""
        assert ask(Player(lichess, "sparkplug"), bot.name) == "later"
        assert ask(rival, bot.name) == ""


def test_a_player_on_a_list_in_a_file_is_not_played(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Behaviour 19."""
    (tmp_path / "blocked.txt").write_text("RIVAL  # by agreement\n", encoding="utf-8")
    with centella(lichess, tmp_path, lists={"block": {"files": (str(tmp_path / "blocked.txt"),)}}) as bot:
        assert ask(rival, bot.name) == "generic"
        assert ask(person(lichess, "other"), bot.name) == ""


def test_the_daily_limit_of_games_with_bots_survives_a_restart(lichess: LocalLichess, tmp_path: Path) -> None:
    """Behaviours 19 and 29."""
    fusebox, limit = Player(lichess, "fusebox"), {"bot_games_a_day": 1}
    with centella(lichess, tmp_path, citizenship=limit) as bot:
        game = Seat(fusebox, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)
    with centella(lichess, tmp_path, citizenship=limit) as bot:
        assert ask(fusebox, bot.name) == "later"
        assert ask(person(lichess, "rival"), bot.name) == ""


def test_the_sites_word_on_the_daily_limit_is_remembered_and_holds_up_nothing_else(tmp_path: Path) -> None:
    """Behaviour 29: our own limit is told as 429 with the seconds to wait."""
    limited = replace(BUSY_HOUSE, limits=Limits(bot_games=Quota(1, DAY_MS)))
    with LocalLichess(limited) as lichess:
        bots = [Player(lichess, name) for name in ("fusebox", "sparkplug")]
        streams = [each.events() for each in bots]
        for each in bots:
            each.challenge(Player(lichess, "centella"))
        with centella(lichess, tmp_path) as bot:
            assert sorted(refusal(stream) for stream in streams) == ["", "later"]
            asked_at = time.monotonic()
            assert ask(person(lichess, "rival"), bot.name) == ""
            assert time.monotonic() - asked_at < 2, "the limit is not one of requests"
            (own,) = (shun for shun in bot.players.shunned(time.time()) if shun.opponent == "")
            assert own.until - time.time() > DAY_MS / 2000


def test_an_opponents_daily_limit_is_remembered(tmp_path: Path) -> None:
    """Behaviour 29: the opponent's limit is told as 400; that opponent alone is left alone."""
    limited = replace(BUSY_HOUSE, limits=Limits(bot_games=Quota(1, DAY_MS)))
    with LocalLichess(limited) as lichess:
        fusebox, other = Player(lichess, "fusebox"), Player(lichess, "sparkplug")
        stream = fusebox.events()
        fusebox.challenge(Player(lichess, "centella"))
        used = fusebox.challenge(other)["id"]
        other.accept(used)
        with centella(lichess, tmp_path) as bot:
            assert stream.next_of("challengeDeclined")["challenge"]["declineReasonKey"] == "later"
            (shun,) = bot.players.shunned(time.time())
            assert shun.opponent == "fusebox"


def test_after_so_many_rated_games_a_person_is_asked_for_casual_ones(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    """Behaviour 28."""
    with centella(lichess, tmp_path, accept={"humans": {"rated_games_a_day": 1}}) as bot:
        game = Seat(rival, bot.name, rated=True)
        game.move("e2e4")
        game.finish()
        bot.ended(1)
        assert ask(rival, bot.name, rated=True, color="black") == "casual"
        assert ask(rival, bot.name) == ""


def test_the_same_color_again_is_not_to_be_had_in_rated_games(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    """Behaviour 28."""
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name, rated=True, color="white")
        game.move("e2e4")
        game.finish()
        bot.ended(1)
        assert ask(rival, bot.name, rated=True, color="white") == "casual"
        assert ask(rival, bot.name, rated=True, color="black") == ""


def test_who_aborts_for_the_color_has_to_wait(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Behaviour 19."""
    with centella(lichess, tmp_path, accept={"humans": {"cool_off": {"aborts": 2}}}) as bot:
        for _ in range(2):
            Seat(rival, bot.name).command("abort")
        bot.ended(2)
        assert ask(rival, bot.name) == "later"
        assert ask(person(lichess, "other"), bot.name) == ""


def test_a_game_for_which_there_is_no_place_is_aborted_if_so_configured(
    lichess: LocalLichess, tmp_path: Path
) -> None:
    """Trap 3."""
    us = Player(lichess, "centella")
    people = [person(lichess, name) for name in ("first", "second", "third")]
    ids = [each.challenge(us)["id"] for each in people]
    for game_id in ids:
        us.accept(game_id)
    people[0].move(ids[0], "e2e4")
    us.move(ids[0], "e7e5")
    with centella(lichess, tmp_path, accept={"max_games": 1, "surplus": "abort"}) as bot:
        aborted = {record.game_id for record in bot.ended(2) if record.status == "aborted"}
        assert aborted == set(ids[1:])
        people[0].move(ids[0], "a2a3")
        eventually(lambda: lichess.call(lambda site: site.tables[ids[0]].plies) == 4, "the first one is played")
        eventually(lambda: ask(people[1], bot.name) == "later", "its place is taken, and no other")
        assert not any(game.aborted for game in bot.players.encounters_with("second", 0))


def test_a_rematch_is_taken_with_the_colors_swapped(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Trap 36."""
    with centella(lichess, tmp_path, accept={"humans": {"rematches_in_a_row": 1}}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        events = rival.events()
        assert rival.post(f"/web/game/{game.id}/rematch").status_code == 200
        second = events.next_of("gameStart")["game"]
        assert (second["color"], second["gameId"] != game.id) == ("black", True)
        lines = rival.game(second["gameId"])
        while not lines.next_of("gameState")["moves"]:
            pass
        rival.move(second["gameId"], "e7e5")
        rival.command(second["gameId"], "resign")
        bot.ended(2)
        met = bot.players.encounter(second["gameId"])
        assert met is not None
        assert met.rematch_of == game.id
        assert rival.post(f"/web/game/{second['gameId']}/rematch").status_code == 200
        declined = events.next_of("challengeDeclined")
        assert declined["challenge"]["declineReasonKey"] == "later"


@pytest.mark.parametrize("trouble", ["404", "cancelled"])
def test_a_challenge_that_is_gone_when_we_accept_it_frees_its_place(
    lichess: LocalLichess, rival: Player, tmp_path: Path, trouble: str
) -> None:
    """Trap 34."""
    path = "/api/challenge/*/accept"
    lichess.fault(f"status=404@{path}#1" if trouble == "404" else f"lag=400@{path}#1")
    with centella(lichess, tmp_path, accept={"max_games": 1}) as bot:
        challenge = rival.challenge(Player(lichess, bot.name))
        if trouble == "cancelled":
            rival.post(f"/api/challenge/{challenge['id']}/cancel")
        other = Seat(person(lichess, "other"), bot.name)
        other.move("e2e4")
        other.finish()
        eventually(lambda: bot.records.has_ended(other.id, "test", bot.name), "the other is played")


def test_a_game_too_fast_for_bots_is_declined_and_not_tried(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    """Trap 37: of a variant the site lets the challenge through."""
    with centella(lichess, tmp_path) as bot:
        assert ask(rival, bot.name, variant="crazyhouse", **{"clock.limit": 15, "clock.increment": 0}) == "toofast"


def test_who_waits_when_the_bot_is_told_to_stop_is_not_left_without_an_answer(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    """Behaviour 18, trap 63."""
    patient = person(lichess, "patient")
    events = patient.events()
    with centella(
        lichess, tmp_path, accept={"max_games": 1, "queue": {"wait_s": 9.0}}, shutdown={"finish_games_s": 5.0}
    ) as bot:
        game = Seat(rival, bot.name)
        patient.challenge(Player(lichess, bot.name))
        bot.daemon.stop()
        assert refusal(events) == "later"
        game.move("e2e4")
        game.finish()
        bot.join()


def test_our_own_challenge_that_comes_back_is_not_answered(
    lichess: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Trap 33."""
    us = Player(lichess, "centella")
    with centella(lichess, tmp_path):
        challenge = us.challenge(person(lichess, "rival"))
        eventually(lambda: any("our own" in line for line in caplog.messages), "it has been seen")
        assert us.get(f"/api/challenge/{challenge['id']}/show").json()["status"] == "created"
