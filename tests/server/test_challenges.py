"""Challenges from both sides: section 4 of the contract."""
from __future__ import annotations

from typing import Any

import pytest

from bot import wire
from bot.server.app import LocalLichess
from tests.server.players import KEEP_ALIVE, Lines, Match, Player, until

NINE_SIXTY = "nqbrnbkr/pppppppp/8/8/8/8/PPPPPPPP/NQBRNBKR w KQkq - 0 1"
BLACK_TO_MOVE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 8"


def refusal(player: Player, other: str, **fields: object) -> tuple[int, dict[str, Any]]:
    terms = {"clock.limit": 180, "clock.increment": 2} | {key.replace("__", "."): fields[key] for key in fields}
    response = player.post(f"/api/challenge/{other}", json={key: terms[key] for key in terms if terms[key] != "none"})
    return response.status_code, response.json()


def test_both_sides_are_told_of_a_challenge(housebot: Player, rival: Player) -> None:
    to_bot, to_person = housebot.events(), rival.events()
    reply = rival.challenge(housebot, rated=True, color="random")
    seen = to_bot.next()
    assert seen == to_person.next()
    assert seen["type"] == "challenge" and seen["compat"] == {"bot": True, "board": True}
    assert reply == seen["challenge"] | {"direction": "out"}
    assert seen["challenge"] | {"id": "", "url": ""} == {
        "id": "", "url": "", "status": "created",
        "challenger": {"id": "rival", "name": "Rival", "rating": 1500, "provisional": True, "online": True},
        "destUser": {
            "id": "housebot", "name": "housebot", "rating": 1500, "provisional": True,
            "title": "BOT", "online": True,
        },
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "rated": True, "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"},
        "color": "random", "finalColor": seen["challenge"]["finalColor"],
        "perf": {"icon": "\ue01d", "name": "Blitz"},
    }
    assert seen["challenge"]["url"].endswith(f"/{reply['id']}")
    assert isinstance(wire.read(wire.ChallengeMade, seen), wire.ChallengeMade)


def test_a_form_is_as_good_as_json_and_null_as_good_as_nothing(housebot: Player, fusebox: Player) -> None:
    form = {"rated": "true", "clock.limit": "60", "clock.increment": "1", "color": "black", "variant": "atomic"}
    by_form = housebot.post("/api/challenge/fusebox", data=form).json()
    fields = {"rated": True, "clock.limit": 60, "clock.increment": 1, "color": "black", "variant": "atomic"}
    nothing = {"days": None, "fen": None, "keepAliveStream": None, "rules": None}
    by_json = housebot.post("/api/challenge/fusebox", json=fields | nothing).json()
    assert by_form | {"id": "", "url": ""} == by_json | {"id": "", "url": ""}
    assert (by_json["finalColor"], by_json["speed"], by_json["rated"]) == ("black", "bullet", True)
    assert by_json["perf"] == {"icon": "\ue000", "name": "Atomic"}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"clock__limit": 0, "clock__increment": 3}, ("bullet", "0+3")),
        ({"clock__limit": 30, "clock__increment": 0}, ("bullet", "½+0")),
        ({"clock__limit": 45, "clock__increment": 0}, ("bullet", "¾+0")),
        ({"clock__limit": 90, "clock__increment": 0}, ("bullet", "1.5+0")),
        ({"clock__limit": 300, "clock__increment": 0}, ("blitz", "5+0")),
        ({"clock__limit": 600, "clock__increment": 5}, ("rapid", "10+5")),
        ({"clock__limit": 1800, "clock__increment": 20}, ("classical", "30+20")),
    ],
)
def test_the_speed_counts_forty_increments(
    housebot: Player, fusebox: Player, fields: dict[str, int], expected: tuple[str, str]
) -> None:
    challenge = housebot.challenge(fusebox, **fields)
    assert (challenge["speed"], challenge["timeControl"]["show"]) == expected


def test_days_and_no_clock_are_correspondence(housebot: Player, fusebox: Player) -> None:
    none = {"clock__limit": None, "clock__increment": None}
    by_days = housebot.challenge(fusebox, days=3, **none)
    assert by_days["timeControl"] == {"type": "correspondence", "daysPerTurn": 3}
    unlimited = housebot.challenge(fusebox, **none)
    assert unlimited["timeControl"] == {"type": "unlimited"}
    assert unlimited["speed"] == by_days["speed"] == "correspondence"


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"clock__limit": 70}, {"clock.limit": ["Invalid value"]}),
        ({"clock__limit": 10860}, {"clock.limit": ["Invalid value"]}),
        ({"clock__limit": "abc"}, {"clock.limit": ["Numeric value expected"]}),
        ({"clock__increment": 61}, {"clock.increment": ["Invalid value"]}),
        ({"clock__increment": None}, {"clock.increment": ["This field is required"]}),
        ({"clock__limit": "none", "clock__increment": "none", "days": 4}, {"days": ["Invalid value"]}),
        ({"variant": "ludo"}, {"variant": ["Invalid variant"]}),
        ({"color": "green"}, {"color": ["Invalid value"]}),
        ({"rules": "noFun"}, {"rules": ["Invalid value"]}),
        ({"clock__limit": 15, "clock__increment": 0}, {"global": ["Invalid speed"]}),
        ({"turn__limit": 30}, {"turn.limit": ["Invalid value"]}),
        ({"variant": "fromPosition"}, {"fen": ["This variant needs a FEN"]}),
        ({"variant": "chess960", "fen": BLACK_TO_MOVE}, {"fen": ["Not one of the 960 start positions"]}),
        ({"variant": "atomic", "fen": BLACK_TO_MOVE}, {"fen": ["This variant has one start position only"]}),
        ({"fen": BLACK_TO_MOVE, "rated": True}, {"global": ["This game cannot be rated"]}),
    ],
)
def test_a_wrong_field_is_named_twice(
    housebot: Player, fusebox: Player, fields: dict[str, Any], wrong: dict[str, list[str]]
) -> None:
    assert refusal(housebot, fusebox.name, **fields) == (400, wrong | {"error": wrong})


def test_a_bad_fen_is_refused_with_the_reason(housebot: Player, fusebox: Player) -> None:
    status, body = refusal(housebot, fusebox.name, fen="8/8/8/8/8/8/8/8 w - - 0 1")
    assert status == 400 and "king" in body["error"]["fen"][0]
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert refusal(housebot, fusebox.name, fen=mated)[1]["fen"] == ["The game would be over at once"]


def test_nobody_plays_against_ghosts_or_themselves(housebot: Player, rival: Player) -> None:
    assert refusal(rival, "nosuchplayer") == (400, {"error": "No such user: nosuchplayer"})
    assert refusal(rival, "RIVAL")[0] == 400
    status, body = refusal(rival, "housebot", rules="noRematch")
    assert status == 400 and isinstance(body["error"], str)


def test_a_fen_makes_a_standard_game_one_from_position(housebot: Player, fusebox: Player) -> None:
    challenge = housebot.challenge(fusebox, fen=BLACK_TO_MOVE)
    assert challenge["variant"] == {"key": "fromPosition", "name": "From Position", "short": "FEN"}
    assert challenge["initialFen"] == BLACK_TO_MOVE and challenge["perf"]["name"] == "Blitz"
    usual = housebot.challenge(fusebox, fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert usual["variant"]["key"] == "standard" and "initialFen" not in usual


def test_chess960_draws_a_start_unless_one_is_chosen(housebot: Player, fusebox: Player) -> None:
    chosen = housebot.challenge(fusebox, variant="chess960", fen=NINE_SIXTY)
    assert chosen["initialFen"] == NINE_SIXTY
    by_lot = housebot.challenge(fusebox, variant="chess960")
    assert "initialFen" not in by_lot
    fusebox.accept(by_lot["id"])
    full = housebot.game(by_lot["id"]).next()
    assert sorted(full["initialFen"].split("/")[0]) == sorted("rnbqkbnr")


def test_a_variant_too_fast_to_be_rated_becomes_casual(rival: Player, fusebox: Player) -> None:
    assert not rival.challenge(fusebox, variant="atomic", clock__limit=0, clock__increment=1, rated=True)["rated"]
    assert rival.challenge(fusebox, variant="atomic", clock__limit=60, clock__increment=0, rated=True)["rated"]


def test_an_ultra_bullet_variant_gets_through_and_fails_when_accepted(rival: Player, housebot: Player) -> None:
    events = housebot.events()
    challenge = rival.challenge(housebot, variant="atomic", clock__limit=15, clock__increment=0)
    seen = events.next()
    assert seen["compat"] == {"bot": False, "board": False} and challenge["speed"] == "ultraBullet"
    refused = housebot.post(f"/api/challenge/{challenge['id']}/accept")
    assert (refused.status_code, refused.json()) == (400, {"error": "Game incompatible with a BOT account"})


def test_an_accepted_challenge_becomes_a_game_of_the_same_id(housebot: Player, rival: Player) -> None:
    to_bot, to_person = housebot.events(), rival.events()
    match = Match(rival, housebot, rated=True)
    for events, color in ((to_bot, "black"), (to_person, "white")):
        game = events.next_of("gameStart")["game"]
        assert game["gameId"] == game["id"] == match.id and game["color"] == color
        assert (game["source"], game["status"]) == ("friend", {"id": 20, "name": "started"})
        assert game["perf"] == game["speed"] == "blitz" and game["rated"] and game["lastMove"] == ""
        assert game["secondsLeft"] == 180 and game["isMyTurn"] == (color == "white")
    again = housebot.post(f"/api/challenge/{match.id}/accept")
    assert (again.status_code, again.json()) == (404, {"error": "Not found"})


def test_only_the_challenged_may_accept(housebot: Player, fusebox: Player, rival: Player) -> None:
    challenge_id = rival.challenge(housebot)["id"]
    for stranger in (fusebox, rival):
        assert stranger.post(f"/api/challenge/{challenge_id}/accept").status_code == 404
    assert housebot.post("/api/challenge/gone1234/accept").status_code == 404


@pytest.mark.parametrize(("sent", "key"), [("tooFast", "toofast"), ("NOBOT", "nobot"), ("because", "generic")])
def test_a_declined_challenge_tells_why(housebot: Player, rival: Player, sent: str, key: str) -> None:
    events = rival.events()
    challenge_id = rival.challenge(housebot)["id"]
    assert housebot.post(f"/api/challenge/{challenge_id}/decline", data={"reason": sent}).json() == {"ok": True}
    declined = events.next_of("challengeDeclined")["challenge"]
    assert (declined["status"], declined["declineReasonKey"]) == ("declined", key)
    assert len(declined["declineReason"]) > 20
    assert housebot.post(f"/api/challenge/{challenge_id}/accept").status_code == 400
    assert housebot.post(f"/api/challenge/{challenge_id}/decline").status_code == 404


def test_declining_needs_no_body(housebot: Player, rival: Player) -> None:
    challenge_id = rival.challenge(housebot)["id"]
    assert housebot.post(f"/api/challenge/{challenge_id}/decline").status_code == 200
    shown = rival.get(f"/api/challenge/{challenge_id}/show").json()
    assert (shown["status"], shown["direction"], shown["declineReasonKey"]) == ("declined", "out", "generic")


def test_cancelling_depends_on_whose_challenge_it_is(housebot: Player, rival: Player) -> None:
    events = housebot.events()
    own = rival.challenge(housebot)["id"]
    assert rival.post(f"/api/challenge/{own}/cancel").json() == {"ok": True}
    assert events.next_of("challengeCanceled")["challenge"]["status"] == "canceled"
    addressed = rival.challenge(housebot)["id"]
    assert housebot.post(f"/api/challenge/{addressed}/cancel").status_code == 200
    assert events.next_of("challengeDeclined")["challenge"]["id"] == addressed
    accepted = Match(rival, housebot)
    assert rival.post(f"/api/challenge/{accepted.id}/cancel").status_code == 200
    assert events.next_of("gameFinish")["game"]["status"] == {"id": 25, "name": "aborted"}
    running = Match(rival, housebot)
    running.play("e2e4", "e7e5")
    assert rival.post(f"/api/challenge/{running.id}/cancel").status_code == 400
    assert rival.post("/api/challenge/gone1234/cancel").status_code == 404


def test_pending_challenges_are_listed_by_direction(housebot: Player, fusebox: Player, rival: Player) -> None:
    incoming, outgoing = rival.challenge(housebot)["id"], housebot.challenge(fusebox)["id"]
    listed = housebot.get("/api/challenge").json()
    assert [(each["id"], each["direction"]) for each in listed["in"]] == [(incoming, "in")]
    assert [(each["id"], each["direction"]) for each in listed["out"]] == [(outgoing, "out")]


def test_a_challenge_lapses_in_silence_but_can_still_be_accepted(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    challenge_id = rival.challenge(housebot)["id"]
    lichess.advance(19_999)
    assert rival.get(f"/api/challenge/{challenge_id}/show").json()["status"] == "created"
    lichess.advance(1)
    assert rival.get(f"/api/challenge/{challenge_id}/show").json()["status"] == "offline"
    assert housebot.get("/api/challenge").json() == {"in": [], "out": []}
    housebot.accept(challenge_id)


def test_a_correspondence_challenge_does_not_lapse(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    challenge_id = rival.challenge(housebot, days=3, clock__limit=None, clock__increment=None)["id"]
    lichess.advance(3_600_000)
    assert rival.get(f"/api/challenge/{challenge_id}/show").json()["status"] == "created"


@pytest.mark.parametrize(("answer", "done"), [("accept", "accepted"), ("decline", "declined")])
def test_a_kept_alive_challenge_ends_its_own_stream(
    lichess: LocalLichess, housebot: Player, fusebox: Player, answer: str, done: str
) -> None:
    lines = keep_alive(housebot, fusebox)
    challenge = lines.next()
    assert challenge["direction"] == "out" and challenge["status"] == "created"
    lichess.advance(50_000)
    assert lines.raw() == KEEP_ALIVE
    fusebox.post(f"/api/challenge/{challenge['id']}/{answer}")
    assert lines.rest() == [{"done": done}]


def test_a_kept_alive_challenge_lapses_once_its_stream_is_closed(
    lichess: LocalLichess, housebot: Player, fusebox: Player
) -> None:
    lines = keep_alive(housebot, fusebox)
    challenge_id = lines.next()["id"]
    lichess.advance(60_000)
    assert housebot.get(f"/api/challenge/{challenge_id}/show").json()["status"] == "created"
    lines.close()
    until(lambda: not lichess.call(lambda site: site.audience.awaited(challenge_id)))
    lichess.advance(20_000)
    assert housebot.get(f"/api/challenge/{challenge_id}/show").json()["status"] == "offline"


def test_cancelling_ends_the_stream_that_keeps_alive(housebot: Player, fusebox: Player) -> None:
    lines = keep_alive(housebot, fusebox)
    housebot.post(f"/api/challenge/{lines.next()['id']}/cancel")
    assert lines.rest() == [{"done": "canceled"}]


def keep_alive(challenger: Player, other: Player) -> Lines:
    form = {"clock.limit": "60", "clock.increment": "1", "keepAliveStream": "true"}
    return Lines(challenger.post(f"/api/challenge/{other.name}", data=form, stream=True))
