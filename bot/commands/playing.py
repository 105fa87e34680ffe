"""What `run` and `local` have in common: accounts, their daemons, and what an operator can do with them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from bot import allocation, proving, wire
from bot.commands import OK, CommandFailed
from bot.commands.signals import Signals
from bot.config import Config
from bot.cores import Cores
from bot.daemon import Daemon, DaemonStopped
from bot.lichess import Lichess
from bot.meters import Meters
from bot.operation.console import Console
from bot.operation.control import ControlSocket
from bot.operation.desk import Desk
from bot.operation.fleet import Fleet, Member, problem_of
from bot.operation.watch import Watched, WatchPort
from bot.records.database import Records, RecordsError
from bot.transport import LichessError, Unauthorized


@dataclass(frozen=True)
class Seat:
    """An account to play with: its name in the configuration ("" for the only one), and the site it is on."""

    name: str
    config: Config
    lichess: Lichess
    source: str


def play(
    seats: Sequence[Seat],
    house: Config,
    records: Records,
    signals: Signals,
    reread: Callable[[], dict[str, Config]],
    *,
    console: bool,
) -> int:
    """Play until a signal or a command comes; `house` is what holds for the whole process."""
    allocation.keep_together()
    _prove(seats)
    meters = Meters()
    fleet = Fleet(_members(seats, records, meters), reread)
    if not signals.obeyed_by(fleet):
        return OK
    desk = Desk(fleet, house.watch.dead_after_s)
    with ExitStack() as desks:
        desks.enter_context(ControlSocket(records.folder, desk.answer))
        if house.watch.port is not None:
            watched = Watched(fleet.statuses, house.watch.dead_after_s, meters.registry)
            desks.enter_context(_port(house, house.watch.port, watched))
        if console:
            desks.enter_context(Console(sys.stdin.fileno(), desk.answer, _say))
        try:
            fleet.run()
        except (Unauthorized, DaemonStopped, RecordsError) as error:
            raise CommandFailed(problem_of(error)) from None
        except Exception as error:
            raise CommandFailed(f"{problem_of(error)}; the log has it") from None
    return OK


def playable_account(lichess: Lichess) -> wire.Account:
    """The account, if it may play by the Bot API. Raises CommandFailed."""
    try:
        account = lichess.account()
    except Unauthorized as error:
        raise CommandFailed(f"{lichess.url} does not accept the token: {error}") from None
    except (LichessError, wire.MalformedMessage) as error:
        raise CommandFailed(f"{lichess.url} cannot be used: {error}") from None
    if account.disabled or account.tos_violation:
        raise CommandFailed(f"the account {account.username} is closed or marked by {lichess.url}")
    if not account.is_bot:
        played = f"; it has played {account.count.all} games, so it never can be" if account.count.all else ""
        raise CommandFailed(f"{account.username} is not a bot account on {lichess.url}{played}")
    return account


def accepted_games(config: Config) -> set[str]:
    """The keys of all games that are accepted from anybody."""
    return config.accept.games()


def _prove(seats: Sequence[Seat]) -> None:
    problems = [
        problem
        for seat in seats
        for problem in proving.unplayable(
            accepted_games(seat.config), seat.config.strength.network, seat.config.strength.tables
        )
    ]
    if problems:
        raise CommandFailed("\n".join(problems))


def _members(seats: Sequence[Seat], records: Records, meters: Meters) -> list[Member]:
    members, taken = list[Member](), dict[tuple[str, str], str]()
    cores = Cores.of_this_machine()
    for seat in seats:
        try:
            account = playable_account(seat.lichess)
        except CommandFailed as error:
            raise CommandFailed(f"{seat.name}: {error}" if seat.name else str(error)) from None
        other = taken.setdefault((seat.lichess.url, account.id), seat.name)
        if other != seat.name:
            raise CommandFailed(f"{other} and {seat.name} are the same account: {account.username}")
        daemon = Daemon(seat.config, seat.lichess, records, account, source=seat.source, meters=meters, cores=cores)
        members.append(Member(seat.name, account.username, seat.lichess.url, daemon, seat.config))
    for member in members:
        member.daemon.meet_family(other.account for other in members if other.site == member.site)
    return members


def _port(house: Config, port: int, watched: Watched) -> WatchPort:
    try:
        return WatchPort(house.watch, port, watched)
    except OSError as error:
        raise CommandFailed(f"cannot listen on {house.watch.host}:{port}: {error.strerror or error}") from None


def _say(text: str) -> None:
    print(text, flush=True)
