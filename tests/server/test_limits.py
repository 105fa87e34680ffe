"""Limits are off until they are set; then they refuse with Lichess's bodies: sections 4 and 8 of the contract."""
from __future__ import annotations

import pytest
import requests

from bot.server.quotas import LICHESS_LIMITS, UNLIMITED, Limits, Meter, Quota
from bot.server.settings import ServerSettings
from tests.server.conftest import Serve
from tests.server.players import Match, Player

DAY_MS = 86_400_000
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def refusal(response: requests.Response) -> tuple[int, dict[str, object] | None]:
    """The status, and what is said about the limit."""
    body = response.json()
    assert body["error"], body
    return response.status_code, body.get("ratelimit")


def test_a_quota_is_counted_over_a_rolling_window() -> None:
    meter = Meter(Quota(3, 1_000))
    for at_ms in (0, 400):
        assert meter.wait_ms("me", 1, at_ms) == 0
        meter.spend("me", 1, at_ms)
    assert meter.wait_ms("me", 2, 500) == 500
    assert meter.wait_ms("me", 3, 500) == 900
    assert meter.wait_ms("me", 4, 500) == 1_000
    assert meter.wait_ms("you", 3, 500) == 0
    assert meter.wait_ms("me", 2, 1_000) == 0
    assert meter.wait_ms("me", 0, 500) == 0


def test_nothing_is_limited_unless_it_is_set() -> None:
    assert ServerSettings().limits == UNLIMITED == Limits()
    meter = Meter(None)
    for _ in range(1_000):
        meter.spend("me", 100, 0)
    assert meter.wait_ms("me", 1_000_000, 0) == 0


def test_lichess_lets_bots_play_a_hundred_games_a_day_against_each_other() -> None:
    assert LICHESS_LIMITS.bot_games == Quota(100, DAY_MS)
    assert LICHESS_LIMITS.challenges_by_user == (Quota(25, 60_000), Quota(200, DAY_MS))


def test_a_bot_at_its_limit_is_told_so_and_for_how_long(serve: Serve) -> None:
    lichess = serve(limits=Limits(bot_games=Quota(1, DAY_MS)))
    one, two, fresh = (Player(lichess, name) for name in ("onebot", "twobot", "freshbot"))
    rival = Player(lichess, "rival", bot=False)
    Match(one, two)
    lichess.advance(60_000)
    fields = {"clock.limit": 180, "clock.increment": 2}
    expected = {"key": "bot.vsBot.day", "seconds": 86_340}
    own = one.post("/api/challenge/freshbot", json=fields)
    assert refusal(own) == (429, expected) and own.headers["Retry-After"] == "86340"
    assert refusal(fresh.post("/api/challenge/onebot", json=fields)) == (400, expected)
    Match(rival, one)
    Match(one, rival, clock__limit=600)
    lichess.advance(DAY_MS)
    Match(one, fresh)


def test_either_bot_may_be_at_its_limit_when_a_challenge_is_accepted(serve: Serve) -> None:
    lichess = serve(limits=Limits(bot_games=Quota(1, DAY_MS)))
    one, two, three = (Player(lichess, name) for name in ("onebot", "twobot", "threebot"))
    waiting = [one.challenge(two)["id"], two.challenge(one)["id"], one.challenge(three)["id"]]
    Match(one, three)
    assert refusal(two.post(f"/api/challenge/{waiting[0]}/accept"))[0] == 400
    assert refusal(one.post(f"/api/challenge/{waiting[1]}/accept"))[0] == 429
    assert refusal(three.post(f"/api/challenge/{waiting[2]}/accept"))[0] == 429


def test_challenging_people_costs_five_times_as_much_as_bots_and_followers_nothing(serve: Serve) -> None:
    lichess = serve(limits=Limits(challenges_by_user=(Quota(6, 60_000),)))
    housebot = Player(lichess, "housebot")
    rival = Player(lichess, "rival", bot=False)
    friend = Player(lichess, "friend", bot=False, scopes=frozenset({"follow:write"}))
    Player(lichess, "fusebox")
    friend.post("/api/rel/follow/housebot")
    fields = {"clock.limit": 300, "clock.increment": 0}
    challenge = [housebot.post(f"/api/challenge/{name}", json=fields).status_code for name in
                 ("rival", "fusebox", "friend", "fusebox", "rival")]
    assert challenge == [200, 200, 200, 429, 429]
    refused = housebot.post("/api/challenge/rival", json=fields)
    assert refused.json() == {"error": "Too many requests. Try again later."}
    lichess.advance(60_000)
    assert housebot.post("/api/challenge/rival", json=fields).status_code == 200
    assert rival.post("/api/challenge/housebot", json=fields).status_code == 200


def test_challenges_are_counted_by_address_too(serve: Serve) -> None:
    lichess = serve(limits=Limits(challenges_by_address=Quota(2, 600_000)))
    _, one, two = (Player(lichess, f"bot{number}") for number in range(3))
    fields = {"clock.limit": 300, "clock.increment": 0}
    statuses = [player.post("/api/challenge/bot0", json=fields).status_code for player in (one, two, one)]
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize(
    ("limits", "method", "path"),
    [
        (Limits(ai_games=(Quota(1, 60_000),)), "POST", "/api/challenge/ai"),
        (Limits(account_reads=Quota(1, 60_000)), "GET", "/api/account"),
        (Limits(event_streams=Quota(1, 60_000)), "GET", "/api/stream/event"),
        (Limits(token_tests=Quota(1, 60_000)), "POST", "/api/token/test"),
    ],
)
def test_other_calls_have_limits_of_their_own(serve: Serve, limits: Limits, method: str, path: str) -> None:
    lichess = serve(limits=limits)
    housebot = Player(lichess, "housebot")
    data = {"/api/challenge/ai": "level=1", "/api/token/test": "lip_wrong"}.get(path)

    def call() -> int:
        response = housebot.http.request(method, lichess.url + path, data=data, headers=FORM, stream=True, timeout=5)
        response.close()
        return response.status_code

    assert call() in (200, 201)
    assert call() == 429
    lichess.advance(60_000)
    assert call() in (200, 201)


def test_a_bot_holds_only_so_many_games(serve: Serve) -> None:
    lichess = serve(limits=Limits(games_at_once=2, live_games_at_once=1))
    housebot, rival = Player(lichess, "housebot"), Player(lichess, "rival", bot=False)
    days = {"days": 1, "clock.limit": None, "clock.increment": None}
    live = {"clock.limit": 300, "clock.increment": 0}
    waiting = rival.post("/api/challenge/housebot", json=live).json()["id"]
    Match(rival, housebot)
    for refused in (
        rival.post("/api/challenge/housebot", json=live),
        housebot.post(f"/api/challenge/{waiting}/accept"),
    ):
        assert (refused.status_code, refused.json()) == (400, {"error": "Challenge not created"})
    slow = rival.post("/api/challenge/housebot", json=days).json()["id"]
    housebot.accept(slow)
    assert rival.post("/api/challenge/housebot", json=days).status_code == 400


def test_a_flood_of_chat_is_dropped_in_silence(serve: Serve) -> None:
    lichess = serve(limits=Limits(chat_lines=Quota(2, 10_000)))
    match = Match(Player(lichess, "housebot"), Player(lichess, "rival", bot=False))
    for text in ("one", "two", "three"):
        form = {"room": "player", "text": text}
        assert match.white.command(match.id, "chat", data=form).json() == {"ok": True}
    match.black.command(match.id, "chat", data={"room": "player", "text": "hello"})
    lichess.advance(10_000)
    match.white.command(match.id, "chat", data={"room": "player", "text": "four"})
    said = match.white.get(f"/api/bot/game/{match.id}/chat").json()
    assert [line["text"] for line in said] == ["one", "two", "hello", "four"]
