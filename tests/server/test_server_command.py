"""`centella server`: what it prints, and how it ends."""
from __future__ import annotations

import argparse
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
import requests

from bot.__main__ import main
from bot.commands.exposure import add_exposure, exposed
from bot.server.quotas import LICHESS_LIMITS, SHARED_LIMITS, UNLIMITED, Limits
from bot.server.settings import ServerSettings
from tests.server.processes import ServerProcess


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", "server", "--memory", *arguments]


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and error output of a server that does not start."""
    try:
        code = main(["server", "--memory", *arguments])
    except SystemExit as ending:
        code = int(ending.code or 0)
    printed = capsys.readouterr()
    assert printed.out == ""
    return code, printed.err


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_address_and_tokens_and_ends_cleanly_on_a_signal(number: signal.Signals) -> None:
    faults = ("--fault", "status=503@/__ping#1%100", "--fault-seed", "7")
    with running("--port", "0", "--mint", "alpha", "beta", *faults) as server:
        assert server.stdout is not None and server.stderr is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
        assert address is not None
        url = address.group()
        tokens = dict(re.findall(r"token of (\w+): (\w+)", server.stdout.readline() + server.stdout.readline()))
        headers = {"Authorization": f"Bearer {tokens['beta']}"}
        assert requests.get(f"{url}/api/account", headers=headers, timeout=5).json()["title"] == "BOT"
        assert [requests.get(f"{url}/__ping", timeout=5).status_code for _ in range(2)] == [503, 200]
        with requests.get(f"{url}/api/stream/event", headers=headers, stream=True, timeout=5):
            server.send_signal(number)
            assert server.wait(timeout=10) == 0
        assert server.stderr.read() == ""


@pytest.mark.parametrize(("switch", "written"), [([], "e1g1"), (["--rook-castling"], "e1h1")])
def test_castling_of_standard_chess_is_written_as_the_switch_says(switch: list[str], written: str) -> None:
    with running("--port", "0", "--mint", "alpha", "beta", *switch) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        white, black = ({"Authorization": f"Bearer {server.stdout.readline().split()[-1]}"} for _ in range(2))

        def post(path: str, headers: dict[str, str], **fields: object) -> requests.Response:
            response = requests.post(f"{url}/api/{path}", json=fields, headers=headers, timeout=5)
            assert response.status_code == 200, response.text
            return response

        terms = {"clock.limit": 180, "clock.increment": 2, "color": "white"}
        game = post("challenge/beta", white, **terms).json()["id"]
        post(f"challenge/{game}/accept", black)
        for ply, move in enumerate(("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1")):
            post(f"bot/game/{game}/move/{move}", black if ply % 2 else white)
        with requests.get(f"{url}/api/bot/game/stream/{game}", headers=white, stream=True, timeout=5) as stream:
            full = json.loads(next(stream.iter_lines(chunk_size=None)))
        assert full["state"]["moves"].split()[-1] == written


def test_a_port_in_use_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, error = failure(capsys, "--port", str(port))
    assert code == 1
    assert re.fullmatch(rf"centella: cannot listen on http://127\.0\.0\.1:{port}: Address already in use\n", error)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fault", "burn@/x"], "unknown kind 'burn'"),
        (["--mint", "no name"], "'no name' is not a user name"),
        (["--mint", "Admin"], "the name 'Admin' is reserved for the server itself"),
        (["--port", "70000"], "'70000' is not a port"),
        (["--limits", "lichess,sharp"], "'sharp' is no limit"),
        (["--trust-proxy", "nginx"], "'nginx' is not the address of a proxy"),
        (["--public-url", "chess.example"], "'chess.example' is not an address"),
    ],
)
def test_wrong_arguments_are_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, error = failure(capsys, "--port", "0", *arguments)
    assert code == 2 and words in error and "Traceback" not in error


def test_a_server_that_strangers_can_reach_says_so_and_limits_them() -> None:
    proxy = ("--trust-proxy", "127.0.0.1", "--public-url", "https://chess.example", "--allow-host", "other.example")
    with running("--host", "0.0.0.0", "--port", "0", *proxy, "--limits", "guests_by_address") as server:
        assert server.stdout is not None and server.stderr is not None
        assert re.match(r"centella: warning: everyone who can reach 0\.0\.0\.0 port \d+", server.stderr.readline())
        assert "at https://chess.example" in server.stdout.readline()


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ([], UNLIMITED),
        (["--host", "::1"], UNLIMITED),
        (["--host", "0.0.0.0"], SHARED_LIMITS),
        (["--host", "192.0.2.1"], SHARED_LIMITS),
        (["--trust-proxy", "127.0.0.1"], SHARED_LIMITS),
        (["--host", "0.0.0.0", "--limits", "off"], UNLIMITED),
        (["--limits", "lichess"], LICHESS_LIMITS),
    ],
)
def test_limits_are_on_where_others_can_come_unless_they_are_switched(arguments: list[str], limits: Limits) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default=ServerSettings().host)
    add_exposure(parser)
    args = parser.parse_args(arguments)
    assert exposed(ServerSettings(host=args.host), args).limits == limits


def test_it_makes_room_for_its_connections_where_few_files_may_be_open() -> None:
    starved = ["sh", "-c", 'ulimit -Sn 64 && exec "$@"', "sh", *command("--port", "0")]
    with subprocess.Popen(starved, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://127\.0\.0\.1:(\d+)", server.stdout.readline())
            assert address is not None
            clients = [socket.create_connection(("127.0.0.1", int(address[1]))) for _ in range(150)]
            assert requests.get(f"{address[0]}/__ping", timeout=5).status_code == 200
            for client in clients:
                client.close()
        finally:
            server.kill()


@pytest.mark.parametrize(
    ("fault", "path"),
    [
        ("refuse", "/api/account"),
        ("lose", "/api/account"),
        *((f"{kind}=1", "/api/stream/event") for kind in ("drop", "tear", "end", "freeze")),
    ],
)
def test_an_answer_that_breaks_off_on_purpose_is_no_error_of_the_server(
    tmp_path: Path, fault: str, path: str
) -> None:
    with ServerProcess(tmp_path, "--fault", f"{fault}@{path}", "--mint", "alpha", "beta", "gamma") as server:
        headers, *others = ({"Authorization": f"Bearer {server.line().split()[-1]}"} for _ in range(3))
        for other in others:
            requests.post(f"{server.url}/api/challenge/alpha", headers=other, timeout=5)
        with suppress(requests.RequestException), closing(
            requests.get(server.url + path, headers=headers, stream=True, timeout=1)
        ) as response:
            for _ in response.iter_lines():
                pass
        assert requests.get(f"{server.url}/__ping", timeout=5).text == "pong"
        printed = server.end()
    assert "Error" not in printed and "ASGI" not in printed and "Traceback" not in printed, printed
