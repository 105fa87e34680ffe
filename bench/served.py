"""A local Lichess in a process of its own, and what it takes of the machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from bot.server.app import create_app
from bot.server.running import bind, serve
from bot.server.settings import ServerSettings
from bot.server.site import Site


@dataclass(frozen=True)
class Served:
    """Where it is, and the tokens of the accounts that were asked for."""

    process_id: int
    port: int
    tokens: list[str]

    def resident_mb(self) -> float:
        """Memory in use, in MiB."""
        pages = int(Path(f"/proc/{self.process_id}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def processor_s(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self.process_id}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self) -> int:
        """Open files and connections."""
        return len(os.listdir(f"/proc/{self.process_id}/fd"))


@contextmanager
def served(bots: list[str], people: list[str], settings: ServerSettings) -> Iterator[Served]:
    """A server for as long as the context lasts; tokens come in the order of the names, bots first."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(there, bots, people, settings), daemon=True)
    process.start()
    port, tokens = here.recv()
    assert process.pid is not None
    try:
        yield Served(process.pid, port, tokens)
    finally:
        process.terminate()
        process.join(10)


def _serve(pipe: Connection, bots: list[str], people: list[str], settings: ServerSettings) -> None:
    listener = bind(settings.host, 0)
    app = create_app(settings)
    site: Site = app.state.site
    users = [site.users.ensure(name, site.now_ms(), bot=True) for name in bots]
    users += [site.users.ensure(name, site.now_ms(), bot=False) for name in people]
    pipe.send((listener.getsockname()[1], [site.users.mint(user, None, site.now_ms()) for user in users]))
    serve(app, listener)
