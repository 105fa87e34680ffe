"""Every kind of fault, the users and chances it can be narrowed to, and the seed that makes chance repeatable."""
from __future__ import annotations

from collections import Counter

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.fault_spec import Fault, FaultKind
from bot.server.faults import Faults
from bot.server.settings import ServerSettings
from tests.server.players import KEEP_ALIVE, Match, Player, until


@pytest.fixture
def match(rival: Player, housebot: Player) -> Match:
    return Match(rival, housebot)


def test_a_refused_request_is_not_carried_out(lichess: LocalLichess, match: Match, rival: Player) -> None:
    lichess.fault("refuse@/*/move/*#1")
    with pytest.raises(requests.ConnectionError):
        rival.command(match.id, "move/e2e4")
    rival.move(match.id, "e2e4")


@pytest.mark.parametrize(("spec", "code"), [("empty=429", 429), ("empty=502", 502), ("empty=200", 200)])
def test_an_empty_answer_has_no_body(lichess: LocalLichess, housebot: Player, spec: str, code: int) -> None:
    lichess.fault(f"{spec}@/api/account#1")
    answer = housebot.get("/api/account")
    assert (answer.status_code, answer.content) == (code, b"")
    assert housebot.get("/api/account").json()["id"] == "housebot"


def test_a_captive_portal_answers_html_with_200(lichess: LocalLichess, housebot: Player) -> None:
    lichess.fault("status=200@/api/account#1")
    answer = housebot.get("/api/account")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")


def test_a_repeated_move_is_played_once_and_its_second_answer_is_an_error(
    lichess: LocalLichess, match: Match, rival: Player
) -> None:
    lines = rival.game(match.id)
    lichess.fault("repeat@/*/move/*#1")
    refused = rival.command(match.id, "move/e2e4")
    assert (refused.status_code, refused.json()) == (400, {"error": "Not your turn, or game already over"})
    assert [lines.next()["type"] for _ in range(2)] == ["gameFull", "gameState"]
    assert lines.nothing_yet()


def test_a_repeated_form_is_read_twice(lichess: LocalLichess, match: Match, rival: Player) -> None:
    lichess.fault("repeat@/*/chat#1")
    assert rival.command(match.id, "chat", data={"room": "player", "text": "hello"}).status_code == 200
    said = rival.get(f"/api/board/game/{match.id}/chat").json()
    assert [line["text"] for line in said] == ["hello", "hello"]


def test_a_repeated_challenge_with_a_stream_leaves_one_to_wait_for(lichess: LocalLichess, rival: Player) -> None:
    bot = Player(lichess, "housebot")
    lichess.fault("repeat@/api/challenge/*#1")
    form = {"clock.limit": 60, "clock.increment": 0, "keepAliveStream": "true"}
    response = rival.post("/api/challenge/housebot", data=form, stream=True)
    until(lambda: len(bot.get("/api/challenge").json()["in"]) == 2)
    response.close()


def test_a_revoked_token_is_worthless_from_then_on(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    lichess.fault("revoke@housebot/api/account#1")
    assert rival.get("/api/account").status_code == 200
    for _ in range(2):
        refused = housebot.get("/api/account")
        assert (refused.status_code, refused.json()) == (401, {"error": "No such token"})


@pytest.mark.parametrize(("jump", "left_ms"), [("-170000", 10_000), ("+20000", 200_000)])
def test_a_clock_jumps_without_a_word(
    lichess: LocalLichess, match: Match, rival: Player, jump: str, left_ms: int
) -> None:
    match.play("e2e4", "e7e5")
    lines = rival.game(match.id)
    assert lines.next()["state"]["wtime"] == 180_000
    lichess.fault(f"clock={jump}@rival/api/board/game/*/chat#1")
    rival.command(match.id, "chat", data={"room": "player", "text": "where has my time gone"})
    assert lines.next()["type"] == "chatLine"
    rival.move(match.id, "g1f3")
    assert lines.next()["wtime"] == left_ms + 2_000


def test_a_clock_that_jumps_below_zero_has_run_out(lichess: LocalLichess, match: Match, rival: Player) -> None:
    match.play("e2e4", "e7e5")
    lichess.fault("clock=-999999@/*/move/*#1")
    assert rival.command(match.id, "move/g1f3").status_code == 400
    assert rival.game(match.id).next()["state"]["status"] == "outoftime"


def test_a_clock_of_a_game_that_is_over_or_unknown_stands_still(
    lichess: LocalLichess, match: Match, rival: Player
) -> None:
    rival.command(match.id, "resign")
    lichess.fault("clock=-999999@/api/*")
    assert rival.command(match.id, "resign").status_code == 400
    assert rival.get("/api/board/game/nowhere0/chat").status_code == 404
    assert rival.game(match.id).next()["state"]["wtime"] == 180_000


def test_a_lagging_move_costs_time_and_a_delayed_answer_does_not() -> None:
    with LocalLichess() as lichess:
        match = Match(Player(lichess, "housebot"), Player(lichess, "fusebox"), clock__limit=60, clock__increment=0)
        match.play("e2e4", "e7e5")
        lines = match.white.game(match.id)
        lines.next()
        for fault, move, least_ms, most_ms in (
            ("lag=200-250", "g1f3", 0, 59_800),
            ("delay=200", "b8c6", 59_810, 60_000),
        ):
            lichess.clear_faults()
            lichess.fault(f"{fault}@/*/move/*")
            player, clock = (match.white, "wtime") if move == "g1f3" else (match.black, "btime")
            reply = player.command(match.id, f"move/{move}")
            assert reply.status_code == 200 and reply.elapsed.total_seconds() >= 0.2
            assert least_ms <= lines.next()[clock] <= most_ms


def test_a_torn_stream_ends_within_a_line(lichess: LocalLichess, match: Match, housebot: Player) -> None:
    match.play("e2e4")
    lichess.fault("tear=1@/api/bot/game/stream/*#1")
    path = f"{lichess.url}/api/bot/game/stream/{match.id}"
    received = b""
    with requests.get(path, headers=housebot.http.headers, stream=True, timeout=5) as response:
        housebot.move(match.id, "e7e5")
        with pytest.raises(requests.exceptions.ChunkedEncodingError):
            for part in response.iter_content(None):
                received += part
    whole, torn = received.split(b"\n")
    assert whole.startswith(b'{"id"') and torn.startswith(b'{"type":"gameState"') and not torn.endswith(b"}")


def test_a_stream_can_break_before_its_first_line(lichess: LocalLichess, match: Match, housebot: Player) -> None:
    lichess.fault("drop=0@/api/bot/game/stream/*#1")
    lines = housebot.game(match.id)
    assert lines.rest() == [] and lines.broken


def test_late_lines_come_in_order(lichess: LocalLichess, match: Match, housebot: Player) -> None:
    lichess.fault("late=gameState:700@/api/bot/game/stream/*#1")
    lines, other = housebot.game(match.id), housebot.game(match.id, **{"User-Agent": "other"})
    assert lines.next() and other.next()
    match.play("e2e4", "e7e5")
    both = {"e2e4", "e2e4 e7e5"}
    # Whichever stream takes the one fault is silent, and the other one is not.
    until(lambda: lines.nothing_yet() != other.nothing_yet())
    prompt, late = (other, lines) if lines.nothing_yet() else (lines, other)
    assert {prompt.next()["moves"], prompt.next()["moves"]} == both
    lichess.advance(699)
    assert late.nothing_yet()
    lichess.advance(1)
    assert [late.next()["moves"], late.next()["moves"]] == ["e2e4", "e2e4 e7e5"]


def test_keep_alives_can_be_swallowed_while_events_come(
    lichess: LocalLichess, housebot: Player, rival: Player
) -> None:
    events = housebot.events()
    until(lambda: lichess.call(lambda site: site.audience.online("housebot")))
    lichess.fault("swallow=keepAlive@housebot/api/stream/event")
    lichess.advance(60_000)
    rival.challenge(housebot)
    assert events.raw() not in (None, KEEP_ALIVE)


def test_any_line_means_all_but_keep_alives(lichess: LocalLichess, housebot: Player, rival: Player) -> None:
    lichess.fault("swallow=any@/api/stream/event")
    events = housebot.events()
    rival.challenge(housebot)
    lichess.advance(6_000)
    assert events.raw() == KEEP_ALIVE


def test_a_fault_of_one_user_leaves_others_alone(lichess: LocalLichess, housebot: Player, fusebox: Player) -> None:
    lichess.fault("status=503@HouseBot/api/account")
    assert fusebox.get("/api/account").status_code == 200
    assert requests.get(f"{lichess.url}/api/account", timeout=5).status_code == 401
    assert housebot.get("/api/account").status_code == 503


def statuses(seed: int, spec: str) -> list[int]:
    """What 60 pings are answered."""
    with LocalLichess(ServerSettings(port=0, fault_seed=seed)) as lichess, requests.Session() as http:
        lichess.fault(spec)
        return [http.get(f"{lichess.url}/__ping", timeout=5).status_code for _ in range(60)]


def test_chance_is_the_same_for_the_same_seed() -> None:
    spec = "status=503@/__ping%30"
    first = statuses(1, spec)
    assert first == statuses(1, spec) != statuses(2, spec)
    assert 5 <= first.count(503) <= 35


def strikes(spec: str, seed: int = 0, tries: int = 2_000, *others: str) -> list[int | None]:
    """The number of the fault each time it can happen, None when it does not."""
    faults = Faults(seed)
    for each in (spec, *others):
        faults.add(each)
    taken = (faults.take("/path", lambda: "anyone", FaultKind.DELAY) for _ in range(tries))
    return [None if strike is None else strike.number for strike in taken]


def test_a_range_is_drawn_from_and_a_chance_is_kept_to() -> None:
    numbers = Counter(strikes("delay=50-52@/path%25"))
    assert set(numbers) == {None, 50, 51, 52}
    assert 1_400 < numbers[None] < 1_600
    assert strikes("delay=1@/path%0") == [None] * 2_000
    assert strikes("delay=1@/path%100", tries=3) == [1, 1, 1]


def test_a_number_of_times_counts_what_happened_not_what_could_have() -> None:
    assert sum(number is not None for number in strikes("delay=1@/path#20%10")) == 20


def test_other_faults_do_not_change_the_chances_of_one() -> None:
    assert strikes("delay=9@/path%50", 3) == strikes("delay=9@/path%50", 3, 2_000, "lag=5@/path%50")


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("drop@/x", Fault(FaultKind.DROP, "/x", low=1, high=1)),
        ("tear=0@/x", Fault(FaultKind.TEAR, "/x")),
        ("clock=-30000@Rival/x#2%0.5", Fault(FaultKind.CLOCK, "/x", "rival", -30_000, -30_000, times=2, percent=0.5)),
        ("late=final:20-30@/a*b", Fault(FaultKind.LATE, "/a*b", low=20, high=30, line_type="final")),
        ("repeat@/x%5", Fault(FaultKind.REPEAT, "/x", percent=5)),
    ],
)
def test_faults_are_read_as_written(spec: str, fault: Fault) -> None:
    assert Fault.parse(spec) == fault
