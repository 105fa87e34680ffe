"""Challenges of ours: to whom, when, and what is learnt from the answers."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.matchmaking import Proposal
from bot.server.app import LocalLichess
from bot.server.quotas import Limits, Quota
from bot.time_controls import Countdown
from tests.incidents.house import BUSY_HOUSE, Centella, Seat, centella, eventually
from tests.server.players import Lines, Player

DAY_MS = 86_400_000
ONLINE = "/api/bot/online"


def asking(**changes: Any) -> dict[str, Any]:
    """Eager to play; `types` may differ from one kind of casual blitz."""
    usual = {"time_controls": ("3+2",), "color_pairs": False}
    return {"allow": True, "pause_s": 0.05, "answer_within_s": 5.0, "types": {"usual": usual}} | changes


def asked(events: Lines) -> dict[str, Any]:
    """The next challenge that comes."""
    challenge: dict[str, Any] = events.next_of("challenge")["challenge"]
    return challenge


def aspects(bot: Centella, opponent: str) -> set[str]:
    return {shun.aspect for shun in bot.players.shunned(time.time()) if shun.opponent == opponent}


def nobody_is_asked(events: Lines, seconds: float = 0.5) -> bool:
    threading.Event().wait(seconds)
    return all('"challenge"' not in (line or "") for line in list(events._lines.queue))


def play_out(player: Player, game_id: str, color: str) -> None:
    """Resign a game after both have moved."""
    lines = player.game(game_id)
    moves = lines.next_of("gameFull")["state"]["moves"]
    if color == "black":
        while not moves:
            moves = lines.next_of("gameState")["moves"]
    player.move(game_id, "e7e5" if color == "black" else "e2e4")
    while len(moves.split()) < 2:
        moves = lines.next_of("gameState")["moves"]
    player.command(game_id, "resign")


def test_nobody_is_asked_unless_it_is_configured(lichess: LocalLichess, tmp_path: Path) -> None:
    events = Player(lichess, "fusebox").events()
    with centella(lichess, tmp_path, matchmaking={"pause_s": 0.05}):
        assert nobody_is_asked(events)


def test_an_idle_bot_asks_another_one_and_plays_it_with_either_color(lichess: LocalLichess, tmp_path: Path) -> None:
    fusebox = Player(lichess, "fusebox")
    events = fusebox.events()
    pairs = {"usual": {"time_controls": ("3+2",), "color_pairs": True}}
    with centella(lichess, tmp_path, matchmaking=asking(types=pairs)) as bot:
        colors = []
        for _ in range(2):
            challenge = asked(events)
            assert (challenge["rated"], challenge["timeControl"]["show"]) == (False, "3+2")
            fusebox.accept(challenge["id"])
            game = events.next_of("gameStart")["game"]
            colors.append(game["color"])
            play_out(fusebox, game["id"], game["color"])
        assert sorted(colors) == ["black", "white"]
        assert {record.opponent for record in bot.ended(2)} == {"fusebox"}
        assert bot.players.bot_games(0) == 2


def test_who_does_not_answer_is_taken_back_from_and_left_alone(lichess: LocalLichess, tmp_path: Path) -> None:
    silent, other = Player(lichess, "silent"), Player(lichess, "other")
    first = silent.events()
    with centella(lichess, tmp_path, matchmaking=asking(answer_within_s=0.3)) as bot:
        challenge = asked(first)
        assert first.next_of("challengeCanceled")["challenge"]["id"] == challenge["id"]
        assert aspects(bot, "silent") == {""}
        second = other.events()
        other.accept(asked(second)["id"])
        assert nobody_is_asked(first, 0.1)


@pytest.mark.parametrize(
    ("reason", "aspect"),
    [
        ("later", ""),
        ("noBot", ""),
        ("tooFast", "time:3+2"),
        ("variant", "variant:standard"),
        ("rated", "casual"),
        ("nonsense", ""),
    ],
)
def test_a_refusal_is_understood(lichess: LocalLichess, tmp_path: Path, reason: str, aspect: str) -> None:
    """Traps 39 and 40, from the other side."""
    fusebox = Player(lichess, "fusebox")
    events = fusebox.events()
    with centella(lichess, tmp_path, matchmaking=asking()) as bot:
        challenge = asked(events)
        fusebox.post(f"/api/challenge/{challenge['id']}/decline", data={"reason": reason})
        eventually(lambda: aspects(bot, "fusebox") == {aspect}, "the refusal is remembered")


def test_who_refused_one_kind_of_game_is_asked_for_another_also_after_a_restart(
    lichess: LocalLichess, tmp_path: Path
) -> None:
    fusebox = Player(lichess, "fusebox")
    events = fusebox.events()
    kinds = {"one": {"time_controls": ("1+1",)}, "two": {"time_controls": ("10+5",)}}
    with centella(lichess, tmp_path, matchmaking=asking(types=kinds)) as bot:
        first = asked(events)
        fusebox.post(f"/api/challenge/{first['id']}/decline", data={"reason": "timeControl"})
        eventually(lambda: len(aspects(bot, "fusebox")) == 1, "the refusal is remembered")
    events = fusebox.events()
    with centella(lichess, tmp_path, matchmaking=asking(types=kinds)):
        second = asked(events)
        assert {first["timeControl"]["show"], second["timeControl"]["show"]} == {"1+1", "10+5"}


def test_nobody_is_asked_while_a_game_runs_but_beside_a_long_one(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    events = Player(lichess, "fusebox").events()
    with centella(lichess, tmp_path, matchmaking=asking(pause_s=0.4, beside=("classical",))) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        assert nobody_is_asked(events, 0.9)
        Seat(rival, bot.name, **{"clock.limit": 3600, "clock.increment": 30})
        game.finish()
        asked(events)


def test_busy_bots_and_those_on_a_list_are_not_asked(lichess: LocalLichess, tmp_path: Path) -> None:
    names = ("busy", "playing", "blocked", "free")
    busy, playing, blocked, free = (Player(lichess, name) for name in names)
    streams = {name: Player(lichess, name).events() for name in names}
    busy.accept(playing.challenge(busy)["id"])
    with centella(lichess, tmp_path, matchmaking=asking(), lists={"block": {"names": ("Blocked",)}}):
        free.accept(asked(streams["free"])["id"])
        assert nobody_is_asked(streams["blocked"], 0.1)
        for name in ("busy", "playing"):
            assert not any("centella" in (line or "") for line in list(streams[name]._lines.queue))


def test_nobody_is_asked_when_the_day_is_used_up(lichess: LocalLichess, tmp_path: Path) -> None:
    """Behaviour 29."""
    events = Player(lichess, "fusebox").events()
    with centella(lichess, tmp_path, matchmaking=asking(), citizenship={"bot_games_a_day": 0}):
        assert nobody_is_asked(events)


@pytest.mark.parametrize("limited", ["us", "them"])
def test_a_daily_limit_that_the_site_tells_of_is_kept(tmp_path: Path, limited: str) -> None:
    """Behaviour 29: one counter for games of ours and of others."""
    settings = replace(BUSY_HOUSE, limits=Limits(bot_games=Quota(1, DAY_MS)))
    with LocalLichess(settings) as lichess:
        used_up, third = Player(lichess, "centella" if limited == "us" else "fusebox"), Player(lichess, "third")
        spent = used_up.challenge(third)["id"]
        third.accept(spent)
        third.command(spent, "abort")
        events = Player(lichess, "fusebox").events()
        with centella(lichess, tmp_path, matchmaking=asking()) as bot:
            shunned = "" if limited == "us" else "fusebox"
            eventually(lambda: bool(aspects(bot, shunned)), "the limit is remembered")
            asked_before = bot.players.approach_count(0)
            threading.Event().wait(0.4)
            assert bot.players.approach_count(0) == asked_before == 1
            rival = Seat(Player(lichess, "rival", bot=False), bot.name)
            rival.move("e2e4")
            assert nobody_is_asked(events, 0.0)


def test_too_many_challenges_make_it_pause(lichess: LocalLichess, tmp_path: Path) -> None:
    lichess.fault("limit=60@/api/challenge/fusebox")
    events = Player(lichess, "fusebox").events()
    with centella(lichess, tmp_path, matchmaking=asking()) as bot:
        eventually(lambda: bot.players.approach_count(0) == 1, "one is asked")
        assert nobody_is_asked(events)
        assert bot.players.approach_count(0) == 1


def test_a_game_that_begins_before_the_answer_to_our_challenge_has_its_place(
    lichess: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Trap 3: the one place is this game's own, not a second one."""
    fusebox = Player(lichess, "fusebox")
    events = fusebox.events()
    lichess.fault("delay=400@/api/challenge/fusebox")
    one: Mapping[str, Any] = {"max_games": 1, "surplus": "abort"}
    with centella(lichess, tmp_path, accept=one, matchmaking=asking()) as bot:
        fusebox.accept(asked(events)["id"])
        game = events.next_of("gameStart")["game"]
        play_out(fusebox, game["id"], game["color"])
        (record,) = bot.ended(1)
        assert record.reason == "resignation"
        assert not any("beyond" in message for message in caplog.messages)


def test_accounts_of_one_operator_do_not_ask_each_other(lichess: LocalLichess, tmp_path: Path) -> None:
    """Behaviour 27."""
    sister, stranger = Player(lichess, "sister").events(), Player(lichess, "stranger").events()
    with centella(lichess, tmp_path, matchmaking=asking(pause_s=0.3)) as bot:
        bot.daemon.meet_family(["Sister", "centella"])
        asked(stranger)
        assert nobody_is_asked(sister, 0.1)


def test_two_bots_of_ours_find_each_other(lichess: LocalLichess, tmp_path: Path) -> None:
    eager = asking(types={"quick": {"time_controls": ("0.5+0",), "variants": ("antichess", "atomic")}})
    with (
        centella(lichess, tmp_path / "ada", "ada", matchmaking=eager) as ada,
        centella(lichess, tmp_path / "bea", "bea", accept={"max_games": 1}) as bea,
    ):
        eventually(lambda: bool(ada.records.ended_games()) and bool(bea.records.ended_games()), "a game is played", 30)
        assert ada.records.ended_games()[0].opponent == "bea"


REMATCH = {"accept": {"humans": {"rematches_in_a_row": 5}}, "rematches": {"humans": 1, "bots": 1}}


@pytest.mark.parametrize("bot_rival", [True, False])
def test_a_rematch_is_offered_with_the_colors_swapped_so_many_times(
    lichess: LocalLichess, tmp_path: Path, bot_rival: bool
) -> None:
    """Trap 36, from the other side."""
    rival = Player(lichess, "rival", bot=bot_rival)
    with centella(lichess, tmp_path, **REMATCH) as bot:
        game = Seat(rival, bot.name, variant="chess960")
        first = game.full["initialFen"]
        events = rival.events()
        rival.move(game.id, "a2a3")
        game.read_until(2)
        game.finish()
        challenge = asked(events)
        assert (challenge["color"], challenge["initialFen"]) == ("white", first)
        rival.accept(challenge["id"])
        lines = rival.game(challenge["id"])
        moves = lines.next_of("gameFull")["state"]["moves"]
        while not moves:
            moves = lines.next_of("gameState")["moves"]
        rival.move(challenge["id"], "a7a6")
        rival.command(challenge["id"], "resign")
        bot.ended(2)
        met = bot.players.encounter(challenge["id"])
        assert met is not None
        assert met.rematch_of == game.id
        assert nobody_is_asked(events, 0.3)


def test_an_aborted_game_asks_for_no_rematch(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    """Trap 22."""
    with centella(lichess, tmp_path, **REMATCH) as bot:
        game = Seat(rival, bot.name)
        events = rival.events()
        game.command("abort")
        bot.ended(1)
        assert nobody_is_asked(events, 0.3)


class Heard:
    """What somebody who asked for a challenge is told."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def hear(self, sentence: str) -> None:
        self.sentences.append(sentence)


def test_whoever_asks_for_a_challenge_is_told_what_becomes_of_it(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    events, heard = rival.events(), Heard()
    proposal = Proposal("rival", "atomic", Countdown(300, 3), False, "black")
    with centella(lichess, tmp_path) as bot:
        bot.daemon.post(lambda: bot.daemon.matchmaker.challenge(proposal, heard.hear, 5.0))
        first = asked(events)
        assert (first["variant"]["key"], first["color"], first["timeControl"]["show"]) == ("atomic", "black", "5+3")
        rival.post(f"/api/challenge/{first['id']}/decline", data={"reason": "later"})
        bot.daemon.post(lambda: bot.daemon.matchmaker.challenge(proposal, heard.hear, 5.0))
        second = asked(events)
        rival.accept(second["id"])
        nobody = replace(proposal, opponent="nosuchplayer")
        bot.daemon.post(lambda: bot.daemon.matchmaker.challenge(nobody, heard.hear, 5.0))
        eventually(lambda: len(heard.sentences) == 5, "everything is told")
        assert [sentence.partition(":")[0] for sentence in heard.sentences] == [
            "challenged", "declined", "challenged", "accepted", "not possible",
        ]  # fmt: skip


def test_an_open_challenge_is_for_anybody_who_has_its_address(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    heard = Heard()
    with centella(lichess, tmp_path) as bot:
        proposal = Proposal("", "standard", Countdown(300, 3), False, "black")
        bot.daemon.post(lambda: bot.daemon.matchmaker.open(proposal, heard.hear))
        eventually(lambda: bool(heard.sentences), "the address is told")
        found = re.fullmatch(r"open to anybody: http://.*/(\w{8})\?color=white", heard.sentences[0])
        assert found is not None
        response = rival.post(f"/api/challenge/{found[1]}/accept", params={"color": "white"})
        assert response.status_code == 200
        lines = rival.game(found[1])
        rival.move(found[1], "e2e4")
        while len(lines.next_of("gameState")["moves"].split()) < 2:
            pass
        rival.command(found[1], "resign")
        bot.ended(1)
