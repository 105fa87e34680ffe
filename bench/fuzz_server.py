"""Asks the local Lichess everything that its description allows, and much that it does not, while streams are misused.

    python bench/fuzz_server.py [--minutes 10] [--seed 1] [--clients 8]

The first is done by schemathesis, over and over with other values; the second by bench/mischief.py.  A finding is an
answer that the description does not know, a failure of the server (5xx), or no answer at all.  Exit code 1 if there are
any.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import threading
import time
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from mischief import Mischief, Report, watch
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served import Served, served

from bot.server.settings import ServerSettings

_BOTS = ["fuzz0", "fuzz1"]
_PEOPLE = ["fuzz2", "fuzz3"]
_GAMES = 12
_CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def begun_games(server: Served) -> list[str]:
    """Games among the four accounts."""
    url, ids = f"http://127.0.0.1:{server.port}", []
    for number in range(_GAMES):
        one, other = server.tokens[number % 4], (number + 1) % 4
        form = {"clock.limit": 10_800, "clock.increment": 60} if number % 3 else {}
        name = [*_BOTS, *_PEOPLE][other]
        head = {"Authorization": f"Bearer {one}"}
        made = requests.post(f"{url}/api/challenge/{name}", data=form, headers=head, timeout=10).json()
        head = {"Authorization": f"Bearer {server.tokens[other]}"}
        requests.post(f"{url}/api/challenge/{made['id']}/accept", headers=head, timeout=10).raise_for_status()
        ids.append(made["id"])
    return ids


class Questioner:
    """Goes through all that is described, one operation after the other, again and again."""

    def __init__(self, server: Served, games: list[str], seed: int, report: Report) -> None:
        self._url = f"http://127.0.0.1:{server.port}"
        self._tokens = [*server.tokens, "lip_nobody"]
        self._chance = random.Random(seed)
        self._report = report
        self._known = {
            "id": [*games, "nosuchgm"],
            "game_id": games,
            "name": [*_BOTS, *_PEOPLE, "nobody"],
            "argument": ["e2e4", "yes", "no", "a7a8q", "P@e4"],
        }
        self.rounds = 0

    def run(self, end_s: float) -> None:
        """Ask until it is time."""
        schema = schemathesis.openapi.from_url(f"{self._url}/openapi.json").exclude(tag="stream")
        listed = [result.ok() for result in schema.get_all_operations()]
        while time.monotonic() < end_s:
            self.rounds += 1
            for operation in listed:
                self._ask(operation)
                if time.monotonic() > end_s:
                    return

    def _ask(self, operation: Any) -> None:
        @seeded(self._chance.getrandbits(32))
        @settings(
            max_examples=15,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            for name in case.path_parameters or {}:
                if name in self._known and self._chance.random() < 0.6:
                    case.path_parameters[name] = self._chance.choice(self._known[name])
            if isinstance(case.body, dict):
                # With that the answer would be a stream.
                case.body.pop("keepAliveStream", None)
            headers = {"Authorization": f"Bearer {self._chance.choice(self._tokens)}"}
            self._report.done["asked"] += 1
            case.call_and_validate(checks=_CHECKS, headers=headers, timeout=15)

        try:
            ask()
        except FailureGroup as group:
            for failure in group.exceptions:
                self._report.find(f"{operation.label}: {failure}"[:120], str(group)[:800])
        except requests.RequestException as error:
            self._report.find(f"{operation.label}: {type(error).__name__}", str(error))


async def misuse(server: Served, games: list[str], args: argparse.Namespace, report: Report, end_s: float) -> None:
    """All bad clients at once."""
    clients = (Mischief(server.port, server.tokens, games, args.seed + each, report) for each in range(args.clients))
    await asyncio.gather(watch(server.port, report, end_s), *(client.run(end_s) for client in clients))


def main() -> int:
    """Do both at the same time, and tell."""
    parser = argparse.ArgumentParser(description="Ask the local Lichess everything.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=8)
    args = parser.parse_args()
    report = Report()
    quick = ServerSettings(claim_answer_ms=0, ai_game_move_ms=0, request_ms=3_000)
    with served(_BOTS, _PEOPLE, quick) as server:
        games = begun_games(server)
        before_mb, before = server.resident_mb(), server.descriptors()
        end_s = time.monotonic() + args.minutes * 60
        questioner = Questioner(server, games, args.seed, report)
        asking = threading.Thread(target=questioner.run, args=(end_s,))
        asking.start()
        asyncio.run(misuse(server, games, args, report, end_s))
        asking.join()
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {questioner.rounds} rounds")
        print(", ".join(f"{name} {count}" for name, count in sorted(report.done.items())))
        print(f"worst ping {report.worst_ping_ms:.0f} ms")
        print(f"memory {before_mb:.0f} -> {server.resident_mb():.0f} MiB")
        print(f"descriptors {before} -> {server.descriptors()}")
    print(f"findings {len(report.findings)}")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
