"""Running the bot: told what to do by signals, through its socket or at its console, and seen to be well or not."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import requests

from bot.operation.control import ask
from bot.operation.reply import Reply
from bot.server.app import LocalLichess
from tests.incidents.house import PATIENCE_S, Seat, eventually
from tests.incidents.processes import Process, daemon, environment, run, written_config
from tests.server.players import Player

BOT = "centella"
EVENTS = "/api/stream/event"


def told(folder: Path, *words: str) -> Reply:
    """What the bot of this test says to a command."""
    return ask(folder / "data", words)


def status(folder: Path) -> dict[str, Any]:
    """How its only account fares."""
    (account,) = told(folder, "status").value["accounts"]
    found: dict[str, Any] = account
    return found


def declined(player: Player) -> str:
    """Why a challenge is declined."""
    events = player.events()
    player.challenge(Player(player.lichess, BOT))
    reason: str = events.next_of("challengeDeclined", "gameStart")["challenge"]["declineReasonKey"]
    return reason


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


def test_a_bot_is_asked_paused_and_resumed_while_it_plays(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)):
        game = Seat(Player(lichess, "rival", bot=False), BOT)
        game.move("e2e4")
        # the move may be told to the opponent before it is told to the bot
        eventually(lambda: [each["plies"] for each in status(tmp_path)["games"]] == [2], "the bot has seen its move")
        account = status(tmp_path)
        (running,) = account["games"]
        assert (account["account"], account["state"], account["places"]) == (BOT, "playing", 1)
        assert (running["game_id"], running["opponent"]) == (game.id, "rival")
        assert game.id in told(tmp_path, "games").text
        assert told(tmp_path, "pause").ok
        assert declined(Player(lichess, "late", bot=False)) == "later"
        assert status(tmp_path)["state"] == "paused"
        game.move("a2a3")
        assert told(tmp_path, "resume", BOT).ok
        Seat(Player(lichess, "other", bot=False), BOT).move("e2e4")
        assert not told(tmp_path, "pause", "nobody").ok
        game.finish()


def test_games_are_asked_for_by_command(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        rival = Player(lichess, "rival", bot=False)
        events = rival.events()
        reply = told(tmp_path, "challenge", "Rival", "3+2", "atomic", "white")
        assert (reply.ok, reply.text.startswith("challenged: ")) == (True, True)
        challenge = events.next_of("challenge")["challenge"]
        assert (challenge["variant"]["key"], challenge["timeControl"]["show"]) == ("atomic", "3+2")
        rival.accept(challenge["id"])
        assert events.next_of("gameStart")["game"]["color"] == "black"
        rival.command(challenge["id"], "abort")
        made = told(tmp_path, "open", "black")
        assert made.text.startswith("open to anybody: http://")
        refused = told(tmp_path, "challenge", "nobody-of-that-name")
        assert not refused.ok
        assert refused.text.startswith("not possible")
        assert told(tmp_path, "challenge", "rival", "atomc").text.endswith("did you mean 'atomic'?")
        assert told(tmp_path, "challenge").text == "whom?"
        assert not told(tmp_path, "join", "no arena").ok
        assert told(tmp_path, "join", "abcdefgh").ok
        bot.says("abcdefgh")
        assert told(tmp_path, "leave", "abcdefgh", "from", BOT).ok
        assert not told(tmp_path, "leave", "abcdefgh", "from", "nobody").ok


def test_the_command_line_asks_as_well(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)):
        shown = run(tmp_path, "ctl", "--data", "data", "status")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert f"{BOT} on {lichess.url}: playing, 0 of 4 places taken" in shown.stdout
        values = json.loads(run(tmp_path, "ctl", "--data", "data", "--json", "status").stdout)
        assert values["healthy"] is True
        wrong = run(tmp_path, "ctl", "--data", "data", "dance")
        assert wrong.returncode == 1
        assert "no command 'dance'" in wrong.stderr
        assert run(tmp_path, "health", "--data", "data").stdout == "all is well\n"
    gone = run(tmp_path, "health", "--data", "data")
    assert gone.returncode == 1
    assert "no bot answers" in gone.stderr


def test_finish_lets_the_running_game_end_and_then_stops(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        game = Seat(Player(lichess, "rival", bot=False), BOT)
        game.move("e2e4")
        assert told(tmp_path, "finish").ok
        assert declined(Player(lichess, "late", bot=False)) == "later"
        assert status(tmp_path)["state"] == "finishing"
        game.move("a2a3")
        game.finish()
        assert bot.wait() == 0


def test_stop_leaves_the_game_to_be_resumed(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        game = Seat(Player(lichess, "rival", bot=False), BOT)
        game.move("e2e4")
        assert told(tmp_path, "stop").ok
        assert bot.wait() == 0
    with daemon(lichess, tmp_path, lichess.mint(BOT)):
        game.move("a2a3")


def test_a_new_configuration_is_taken_up_without_dropping_the_game(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        game = Seat(Player(lichess, "rival", bot=False), BOT)
        game.move("e2e4")
        written_config(tmp_path, lichess.url, accept={"humans": {"allow": False}}, network={"stall_timeout_s": 9.0})
        bot.signal(signal.SIGHUP)
        bot.says("the new configuration is in force")
        bot.says("network: changes at the next start")
        assert declined(Player(lichess, "late", bot=False)) == "onlybot"
        game.move("a2a3")
        game.finish()


def test_a_bad_new_configuration_keeps_the_old_one_and_says_why(lichess: LocalLichess, tmp_path: Path) -> None:
    with daemon(lichess, tmp_path, lichess.mint(BOT)) as bot:
        config = tmp_path / "config.yml"
        config.write_text(f"url: {lichess.url}\naccept:\n  max_game: 3\n", encoding="utf-8")
        reply = told(tmp_path, "reload")
        assert not reply.ok
        assert reply.text.splitlines() == [
            "config.yml:3:3: accept.max_game: unknown key; did you mean 'max_games'?",
            "the configuration stays as it was",
        ]
        config.unlink()
        bot.signal(signal.SIGHUP)
        bot.says("cannot be read")
        Seat(Player(lichess, "rival", bot=False), BOT).move("e2e4")


def test_health_goes_bad_with_the_streams_and_good_again(lichess: LocalLichess, tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with daemon(lichess, tmp_path, lichess.mint(BOT), watch={"port": port, "dead_after_s": 0.6}):
        assert requests.get(f"{url}/health", timeout=5).status_code == 200
        lichess.fault(f"status=503@{EVENTS}")
        lichess.break_streams("drop", EVENTS)
        eventually(lambda: requests.get(f"{url}/health", timeout=5).status_code == 503, "it is unwell")
        reply = told(tmp_path, "health")
        assert not reply.ok
        assert "nothing on the event stream" in reply.text
        lichess.clear_faults()
        eventually(lambda: requests.get(f"{url}/health", timeout=5).status_code == 200, "it is well again")
        metrics = requests.get(f"{url}/metrics", timeout=5).text
        assert f'centella_stream_openings_total{{account="{BOT}",stream="events"}}' in metrics


def test_commands_are_typed_at_the_console(lichess: LocalLichess, tmp_path: Path) -> None:
    config = written_config(tmp_path, lichess.url)
    bot = subprocess.Popen(
        [sys.executable, "-m", "bot", "run", "--config", config, "--data", "data", "--console"], cwd=tmp_path,
        env=environment(tmp_path, CENTELLA_TOKEN=lichess.mint(BOT)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        output, errors = bot.communicate("help\nstatus\n'unclosed\ndance\nstop\n", timeout=PATIENCE_S)
    finally:
        bot.kill()
    assert bot.returncode == 0
    for words in ("Type help", "pause [ACCOUNT]", f"{BOT} on {lichess.url}", "not a command", "no command 'dance'"):
        assert words in output


def test_a_console_that_is_closed_does_not_end_the_bot(lichess: LocalLichess, tmp_path: Path) -> None:
    config = written_config(tmp_path, lichess.url)
    bot = Process(
        tmp_path, "run", "--config", config, "--data", "data", "--console", stdin=subprocess.DEVNULL,
        CENTELLA_TOKEN=lichess.mint(BOT),
    )  # fmt: skip
    try:
        bot.says("Type help")
        Seat(Player(lichess, "rival", bot=False), BOT).move("e2e4")
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 0
    finally:
        bot.kill()


def test_a_port_that_is_taken_is_told_in_one_line(lichess: LocalLichess, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = written_config(tmp_path, lichess.url, watch={"port": port})
        failed = run(tmp_path, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=lichess.mint(BOT))
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1] == f"centella: cannot listen on 127.0.0.1:{port}: Address already in use"


def test_a_signal_before_the_site_has_answered_ends_it_in_good_order(lichess: LocalLichess, tmp_path: Path) -> None:
    lichess.fault("delay=1500@/api/account")
    config = written_config(tmp_path, lichess.url)
    bot = Process(tmp_path, "run", "--config", config, "--data", "data", CENTELLA_TOKEN=lichess.mint(BOT))
    try:
        eventually(lambda: (tmp_path / "data" / "centella.sqlite3").exists(), "it has begun")
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 0
        assert "Traceback" not in "".join(bot.lines)
    finally:
        bot.kill()


def test_the_token_is_nowhere_to_be_found(lichess: LocalLichess, tmp_path: Path) -> None:
    token, port = lichess.mint(BOT), free_port()
    with daemon(lichess, tmp_path, token, watch={"port": port}, log={"level": "debug"}) as bot:
        game = Seat(Player(lichess, "rival", bot=False), BOT)
        game.move("e2e4")
        seen = [requests.get(f"http://127.0.0.1:{port}/{page}", timeout=5).text for page in ("status", "metrics")]
        assert f'centella_move_overhead_seconds_count{{account="{BOT}"}} 1.0' in seen[1]
        assert f'centella_requests_total{{account="{BOT}",kind="move",outcome="ok"}} 1.0' in seen[1]
        seen += [str(told(tmp_path, command)) for command in ("status", "games", "health", "help")]
        game.finish()
        bot.signal(signal.SIGTERM)
        assert bot.wait() == 0
        seen += bot.lines
    for folder, _, names in os.walk(tmp_path):
        seen += [(Path(folder) / name).read_bytes().decode("latin-1") for name in names]
    assert sum(len(text) for text in seen) > 10_000
    assert not any(token in text for text in seen)
