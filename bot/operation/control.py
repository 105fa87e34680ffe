"""A socket in the data folder, by which the running bot is told what to do; only its user can reach it.

One request a connection: a line of JSON with the words of a command, answered by a line of JSON.

    Exception
    └── NobodyThere      no bot answers in that folder
"""

from __future__ import annotations

import json
import logging
import os
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.operation.reply import Reply

FOLDER: Final = "control"
FILE: Final = "socket"
LONGEST_ADDRESS: Final = 100
LONGEST_REQUEST: Final = 65_536
REQUEST_WITHIN_S: Final = 5.0
ANSWER_WITHIN_S: Final = 30.0

logger = logging.getLogger(__name__)


class NobodyThere(Exception):
    """No bot answers in that folder."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"no bot answers in {folder}: {why}")


class ControlSocket:
    """The bot's end, served while the context lasts; with another bot in the folder, there is none for this one."""

    def __init__(self, folder: Path, answer: Callable[[Sequence[str]], Reply]) -> None:
        self._folder = folder
        self._answer = answer
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        place = self._folder / FOLDER
        try:
            # the folder is what keeps others out, whatever the socket's own rights are while it is being made
            place.mkdir(mode=0o700, exist_ok=True)
            place.chmod(0o700)
            if not _is_left_over(self._folder):
                logger.warning("another bot answers in %s: this one can be stopped by signals only", self._folder)
                return self
            with suppress(FileNotFoundError):
                (place / FILE).unlink()
            with _address(place) as address:
                self._server = _Server(address, self._answer)
            (place / FILE).chmod(0o600)
        except OSError as error:
            logger.warning("no commands will be taken: %s: %s", place, error.strerror or error)
            return self
        self._thread = threading.Thread(target=self._server.serve_forever, name="control", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._server is None or self._thread is None:
            return
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        with suppress(OSError):
            (self._folder / FOLDER / FILE).unlink()


def ask(folder: Path, words: Sequence[str], within_s: float = ANSWER_WITHIN_S) -> Reply:
    """What the bot of that data folder says to a command. Raises NobodyThere."""
    request = json.dumps({"words": list(words)}).encode() + b"\n"
    try:
        with _connected(folder, within_s) as connection:
            connection.sendall(request)
            with connection.makefile("rb") as lines:
                line = lines.readline()
    except FileNotFoundError:
        raise NobodyThere(folder, "none is running") from None
    except TimeoutError:
        raise NobodyThere(folder, f"not within {within_s:g} s") from None
    except OSError as error:
        raise NobodyThere(folder, error.strerror or str(error)) from None
    try:
        return Reply(**json.loads(line))
    except (ValueError, TypeError):
        raise NobodyThere(folder, "it broke off") from None


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def __init__(self, address: str, answer: Callable[[Sequence[str]], Reply]) -> None:
        self.answer = answer
        super().__init__(address, _Request)


class _Request(socketserver.StreamRequestHandler):
    timeout = REQUEST_WITHIN_S
    server: _Server

    def handle(self) -> None:
        try:
            reply = self._reply(self.rfile.readline(LONGEST_REQUEST + 1))
            self.wfile.write(json.dumps(asdict(reply)).encode() + b"\n")
        except OSError as error:
            # whoever asked has gone; the bot plays on
            logger.debug("a command was not answered: %s", error)

    def _reply(self, line: bytes) -> Reply:
        try:
            words = json.loads(line)["words"]
        except (ValueError, TypeError, KeyError):
            words = None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            return Reply(False, "not a command")
        return self.server.answer(words)


def _is_left_over(folder: Path) -> bool:
    """Whether nobody listens there: there is no socket, or only that of a bot that was killed."""
    try:
        with _connected(folder, REQUEST_WITHIN_S):
            return False
    except TimeoutError:
        return False
    except OSError:
        return True


@contextmanager
def _connected(folder: Path, within_s: float) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as connection:
        connection.settimeout(within_s)
        with _address(folder / FOLDER) as address:
            connection.connect(address)
        yield connection


@contextmanager
def _address(place: Path) -> Iterator[str]:
    """The socket's address; a path that is too long for one is shortened by way of an open folder."""
    path = str(place / FILE)
    if len(os.fsencode(path)) <= LONGEST_ADDRESS or not Path("/proc/self/fd").exists():
        yield path
        return
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{FILE}"
    finally:
        os.close(descriptor)
