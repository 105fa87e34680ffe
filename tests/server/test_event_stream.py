"""The event stream: section 3 of the contract."""
from __future__ import annotations

import random

from bot import wire
from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from bot.server.timekeeper import RealTime
from tests.server.players import KEEP_ALIVE, Match, Player, until


def test_on_connecting_running_games_come_first_then_challenges_to_the_reader(
    housebot: Player, fusebox: Player, rival: Player
) -> None:
    waiting, urgent = Match(housebot, fusebox), Match(housebot, rival)
    waiting.play("e2e4")
    over = Match(housebot, fusebox)
    housebot.command(over.id, "abort")
    incoming = rival.challenge(housebot)["id"]
    housebot.challenge(fusebox)
    events = housebot.events()
    assert [events.next()["game"]["id"] for _ in range(2)] == [urgent.id, waiting.id]
    challenge = events.next()
    assert challenge["challenge"]["id"] == incoming and "compat" not in challenge
    assert events.nothing_yet()


def test_a_blank_line_is_sent_every_six_seconds_without_news(lichess: LocalLichess, housebot: Player) -> None:
    events = housebot.events()
    lichess.advance(5_999)
    assert events.nothing_yet()
    lichess.advance(1)
    assert events.raw() == KEEP_ALIVE
    lichess.advance(6_000)
    assert events.raw() == KEEP_ALIVE


def test_a_second_stream_of_a_user_ends_the_first(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    first = housebot.events()
    other_token = lichess.mint("housebot")
    second = Player(lichess, "housebot")
    assert other_token != second.token
    events = second.events()
    assert first.rest() == [] and not first.broken
    rival.challenge(housebot)
    assert events.next()["type"] == "challenge"


def test_of_more_than_thirty_two_lines_the_oldest_are_lost(housebot: Player, fusebox: Player) -> None:
    games = [Match(fusebox, housebot).id for _ in range(40)]
    events = housebot.events()
    told = [events.next()["game"]["id"] for _ in range(32)]
    assert told == games[8:]


def test_the_end_of_a_game_is_told_to_both(housebot: Player, rival: Player) -> None:
    events = [rival.events(), housebot.events()]
    match = Match(rival, housebot)
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    for lines, color in zip(events, ("white", "black"), strict=True):
        game = lines.next_of("gameFinish")["game"]
        assert (game["status"], game["winner"], game["color"]) == ({"id": 30, "name": "mate"}, "black", color)
        assert (game["lastMove"], game["hasMoved"], game["isMyTurn"]) == ("d8h4", True, color == "white")
        assert game["fen"] == "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        assert wire.read(wire.OngoingGame, game).winner == "black"


def test_leaving_the_stream_makes_a_bot_offline(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    events = housebot.events()
    assert lichess.call(lambda site: site.audience.online("housebot"))
    events.close()
    until(lambda: not lichess.call(lambda site: site.audience.online("housebot")))
    assert "online" not in rival.challenge(housebot)["destUser"]


def test_a_question_for_the_head_of_a_stream_ends(housebot: Player) -> None:
    answer = housebot.http.head(f"{housebot.lichess.url}/api/stream/event", timeout=5)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    assert not housebot.lichess.call(lambda site: site.audience.online("housebot"))


def test_streams_that_open_together_are_not_kept_alive_together() -> None:
    time = RealTime(random.Random(1))
    firsts_ms = [time.first_after_ms(6_000) for _ in range(200)]
    assert 3_000 <= min(firsts_ms) < 3_200 and 5_800 < max(firsts_ms) <= 6_000
    settings = ServerSettings(port=0, event_keep_alive_ms=40)
    with LocalLichess(settings) as lichess:
        lines = Player(lichess, "housebot").events()
        assert [lines.raw() for _ in range(3)] == [KEEP_ALIVE] * 3
