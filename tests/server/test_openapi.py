"""The description of the server: it tells all that is served, and everything answers as it tells."""
from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import Mount, Route

from bot.server.app import LocalLichess, create_app
from bot.server.openapi import describe
from bot.server.openapi_notes import NOTES
from bot.server.settings import ServerSettings
from tests.server.players import Match, Player

CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FEW = settings(
    max_examples=6,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
HERE = "http://localhost"


def described() -> dict[str, Any]:
    return describe(create_app(ServerSettings()).routes, HERE)


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation of all that is described."""
    paths = description["paths"].items()
    return [(path, method.upper(), operation) for path, item in paths for method, operation in item.items()]


@pytest.fixture(scope="module")
def house() -> Iterator[LocalLichess]:
    """A server that answers at once."""
    server = LocalLichess(ServerSettings(port=0, claim_answer_ms=0, ai_game_move_ms=0))
    yield server
    server.begin_stop()


def test_every_route_is_described_and_nothing_else() -> None:
    routes = create_app(ServerSettings()).routes
    served = {(route.path, method) for route in routes if isinstance(route, Route) for method in route.methods or ()}
    listed = {(path, method) for path, method, _ in operations(describe(routes, HERE))}
    assert {type(route) for route in routes} == {Route, Mount}
    for path, method in served - listed:
        assert method == "HEAD" or "{command}" in path, (path, method)
    for path, method in listed - served:
        assert method == "POST" and path.startswith(("/api/bot/game/{id}/", "/api/board/game/{id}/")), path
    assert ("/api/bot/game/{id}/move/{argument}", "POST") in listed


def test_every_route_has_a_note_and_every_note_a_route() -> None:
    routes = [route for route in create_app(ServerSettings()).routes if isinstance(route, Route)]
    endpoints = {f"{route.endpoint.__module__.rpartition('.')[2]}.{route.endpoint.__name__}" for route in routes}
    assert endpoints == set(NOTES)


def test_every_operation_has_a_summary_and_a_name_of_its_own() -> None:
    listed = [operation for _, _, operation in operations(described())]
    assert all(operation["summary"].endswith((".", ";")) for operation in listed)
    assert len({operation["operationId"] for operation in listed}) == len(listed)


def test_the_description_is_served_with_the_address_that_was_asked(house: LocalLichess) -> None:
    reply = requests.get(f"{house.url}/openapi.json", timeout=5).json()
    assert reply["openapi"] == "3.1.0" and reply["servers"] == [{"url": house.url}]
    assert reply["paths"] == described()["paths"]


def filled(path: str) -> str:
    """A path with something for every parameter."""
    return path.replace("{name}", "fusebox").replace("{argument}", "e2e4").replace("{seconds}", "15").replace(
        "{action}", "follow"
    ).replace("{id}", "nosuchgm").replace("{game_id}", "nosuchgm")  # fmt: skip


@pytest.mark.parametrize(("path", "method", "operation"), operations(described()), ids=lambda value: str(value)[:60])
def test_who_may_ask_is_as_described(house: LocalLichess, path: str, method: str, operation: dict[str, Any]) -> None:
    url = house.url + filled(path)
    nobody = requests.request(method, url, timeout=5, stream=True)
    nobody.close()
    assert (nobody.status_code == 401) == ({} not in operation.get("security", [{}]))
    if "scopes" in operation.get("description", ""):
        token = house.mint("powerless", scopes=frozenset({"none:at:all"}))
        refused = requests.request(method, url, headers={"Authorization": f"Bearer {token}"}, timeout=5, stream=True)
        refused.close()
        assert refused.status_code == 403
        accepted = refused.headers["X-Accepted-OAuth-Scopes"].split(", ")
        # The two APIs of a game take the token of their own kind.
        assert set(accepted) <= set(operation["description"].rstrip(".").partition(": ")[2].split(", "))


def examine(schema: Any, players: list[Player], known: dict[str, list[str]]) -> int:
    """Ask everything that is described a few times, oddly as well; how many questions there were."""
    chance, asked = random.Random(6), 0
    for result in schema.exclude(tag="stream").get_all_operations():

        @FEW
        @given(case=result.ok().as_strategy())
        def ask(case: Any) -> None:
            nonlocal asked
            asked += 1
            for name in case.path_parameters or {}:
                if name in known and chance.random() < 0.7:
                    case.path_parameters[name] = chance.choice(known[name])
            token = chance.choice(players).token
            if isinstance(case.body, dict):
                # With that the answer would be a stream.
                case.body.pop("keepAliveStream", None)
            headers = {"Authorization": f"Bearer {token}"}
            case.call_and_validate(base_url=players[0].lichess.url, checks=CHECKS, headers=headers, timeout=10)

        ask()
    return asked


def test_everything_answers_as_described_whatever_it_is_asked(house: LocalLichess) -> None:
    players = [Player(house, "housebot"), Player(house, "fusebox"), Player(house, "Rival", bot=False)]
    running, over = Match(players[0], players[1]), Match(players[2], players[0])
    over.play("e2e4", "e7e5")
    players[2].command(over.id, "resign")
    ids = [running.id, over.id, players[2].challenge(players[0])["id"]]
    known = {"id": ids, "game_id": ids, "name": ["housebot", "Rival", "nobody"], "argument": ["e2e4", "yes", "no"]}
    assert examine(schemathesis.openapi.from_url(f"{house.url}/openapi.json"), players, known) > 250


@pytest.mark.parametrize(
    "lie", [{"200": {"description": "", "content": {"application/json": {"schema": {"type": "integer"}}}}}, {}]
)
def test_a_wrong_description_would_be_noticed(house: LocalLichess, lie: dict[str, Any]) -> None:
    description = described()
    description["paths"] = {"/api/users/status": description["paths"]["/api/users/status"]}
    description["paths"]["/api/users/status"]["get"]["responses"] = lie or {"404": {"description": ""}}
    with pytest.raises(FailureGroup):
        examine(schemathesis.openapi.from_dict(description), [Player(house, "housebot")], {})
