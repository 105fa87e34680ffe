"""Health, status and metrics over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from bot.config import Watch
from bot.meters import Meters
from bot.operation.watch import GAUGES, Watched, WatchPort
from bot.status import AccountStatus, GameStatus, State, ailments

GAME = GameStatus(
    game_id="abcdefgh", url="https://lichess.org/abcdefgh", variant="atomic", speed="blitz", rated=True, color="white",
    opponent="rival", plies=23, our_turn=True, left_s=61.5, heard_s=3.0,
)  # fmt: skip
WELL = AccountStatus(
    account="housebot", site="https://lichess.org", state=State.PLAYING, heard_s=2.0, places=1, most_games=4,
    games=(GAME,),
)  # fmt: skip


@contextmanager
def served(*statuses: AccountStatus, meters: Meters | None = None) -> Iterator[str]:
    watched = Watched(lambda: statuses, 60.0, (meters or Meters()).registry)
    with WatchPort(Watch(), 0, watched) as port:
        yield port.address


def get(url: str) -> requests.Response:
    return requests.get(url, timeout=10)


def test_all_is_well() -> None:
    with served(WELL) as url:
        health = get(f"{url}/health")
        assert (health.status_code, health.json()) == (200, {"healthy": True, "problems": []})
        status = get(f"{url}/status").json()
    assert status["accounts"][0]["games"][0]["opponent"] == "rival"
    assert status["accounts"][0]["state"] == "playing"


@pytest.mark.parametrize(
    ("ill", "says"),
    [
        (replace(WELL, heard_s=61.0), "housebot: nothing on the event stream for 61 s"),
        (replace(WELL, games=(replace(GAME, heard_s=99.0),)), "housebot: nothing on the stream of game abcdefgh"),
        (replace(WELL, state=State.STOPPED, problem="the token is no longer accepted"), "the token is no longer"),
    ],
)
def test_dead_streams_are_bad_health(ill: AccountStatus, says: str) -> None:
    with served(WELL, ill) as url:
        health = get(f"{url}/health")
    assert health.status_code == 503
    (problem,) = health.json()["problems"]
    assert says in problem


def test_an_account_that_has_ended_in_good_order_is_not_ill() -> None:
    assert ailments([replace(WELL, state=State.STOPPED, heard_s=1e6, games=())], 60.0) == []


def test_metrics_are_in_prometheus_text() -> None:
    meters = Meters()
    meters.challenge("housebot", "later")
    meters.over("housebot", "atomic", "won", "variantEnd")
    meters.moved("housebot", 0.004)
    meters.request("housebot", "move", "ok", 0.05)
    with served(WELL, replace(WELL, account="other", state=State.PAUSED), meters=meters) as url:
        answer = get(f"{url}/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain")
    samples = {
        (sample.name, sample.labels.get("account", "")): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    assert {(name, "housebot") for name in GAUGES} <= samples.keys()
    assert samples["centella_challenges_total", "housebot"] == 1
    assert samples["centella_games_total", "housebot"] == 1
    assert samples["centella_move_overhead_seconds_count", "housebot"] == 1
    assert (samples["centella_playing", "housebot"], samples["centella_playing", "other"]) == (1, 0)
    assert samples["centella_healthy", ""] == 1
    assert samples["process_open_fds", ""] > 0


def test_other_pages_and_methods_are_refused() -> None:
    with served(WELL) as url:
        assert get(f"{url}/secrets").status_code == 404
        assert requests.post(f"{url}/health", timeout=10).status_code == 501
        head = requests.head(f"{url}/health", timeout=10)
        assert (head.status_code, head.text) == (200, "")


def test_the_status_is_json_whatever_is_in_it() -> None:
    with served(replace(WELL, games=(replace(GAME, opponent="\ud83d\u2028"),))) as url:
        assert json.loads(get(f"{url}/status").content)["accounts"][0]["games"][0]["opponent"] == "\ud83d\u2028"
