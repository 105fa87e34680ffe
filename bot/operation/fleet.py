"""Several accounts in one process: a daemon for each, in a thread of its own, and one place to tell them what to do."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from bot.config import Config, ConfigError
from bot.daemon import Daemon, DaemonStopped
from bot.logs import change_level
from bot.operation.reloading import changed_for_later, kept
from bot.records.database import RecordsError
from bot.status import AccountStatus, State
from bot.transport import Unauthorized

ANSWER_WITHIN_S: Final = 2.0
USE_WITHIN_S: Final = 20.0
SIGNALS_WITHIN_S: Final = 0.5

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """One account: its name in the configuration ("" for the only one), its daemon, and what it goes by."""

    name: str
    account: str
    site: str
    daemon: Daemon
    config: Config


@dataclass(frozen=True)
class _Over:
    name: str
    failure: Exception | None


class Fleet:
    """Plays with all its accounts until each has stopped; `run` is for one thread, the other calls are for any.

    `stop` and `ask_to_reload` are for signal handlers too.  `reread` gives the configuration of a name as it stands in
    the file now, and raises ConfigError.
    """

    def __init__(self, members: Sequence[Member], reread: Callable[[], dict[str, Config]]) -> None:
        self._members = {member.name: member for member in members}
        self._reread = reread
        self._running = set(self._members)
        self._problems: dict[str, str] = {}
        self._inbox: SimpleQueue[_Over | Callable[[], object]] = SimpleQueue()
        self._reloading = threading.Lock()

    def run(self) -> None:
        """Play until every account has stopped. Raises what stopped the first of them, if one had to."""
        for member in self._members.values():
            threading.Thread(target=self._play, args=(member,), name=f"daemon {member.account}").start()
        failures: list[Exception] = []
        while self._running:
            try:
                # Woken now and then: a signal that comes just before the wait begins is handled only after it.
                message = self._inbox.get(timeout=SIGNALS_WITHIN_S)
            except Empty:
                continue
            if not isinstance(message, _Over):
                message()
                continue
            self._running.discard(message.name)
            if message.failure is not None:
                failures.append(message.failure)
                self._problems[message.name] = problem_of(message.failure)
                logger.error("%s: stopped: %s", self._members[message.name].account, problem_of(message.failure))
        if failures:
            raise failures[0]

    def stop(self) -> None:
        """Let running games end for a while, and then everything."""
        for member in self._members.values():
            member.daemon.stop()

    def finish(self) -> None:
        """Let running games end, however long that takes, and then everything."""
        for member in self._members.values():
            member.daemon.finish()

    def pause(self, accounts: Sequence[str]) -> None:
        """Begin no games with these accounts for now."""
        for member in self._named(accounts):
            member.daemon.pause()

    def resume(self, accounts: Sequence[str]) -> None:
        """Begin games with these accounts again."""
        for member in self._named(accounts):
            member.daemon.resume()

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts, as the site knows them."""
        return tuple(member.account for member in self._members.values())

    def member(self, account: str | None) -> Member:
        """An account by its name, None for the only one. Raises ValueError when it is not clear which is meant."""
        named = self._named([] if account is None else [account])
        if len(named) != 1:
            raise ValueError(f"which account? known: {', '.join(self.accounts)}")
        return named[0]

    def statuses(self) -> tuple[AccountStatus, ...]:
        """How every account fares."""
        return tuple(self._status(member) for member in self._members.values())

    def ask_to_reload(self) -> None:
        """Read the configuration anew, soon."""
        self._inbox.put(self.reload)

    def reload(self) -> tuple[bool, list[str]]:
        """Read the configuration anew. Whether it is in force, and what is to be said; a bad one changes nothing."""
        with self._reloading:
            try:
                configs = self._reread()
            except ConfigError as error:
                return self._told(False, [*error.problems, "the configuration stays as it was"])
            lines = [] if configs.keys() == self._members.keys() else ["accounts: changes at the next start"]
            in_force = True
            for member in [member for member in self._members.values() if member.name in configs]:
                new = configs[member.name]
                problems = self._use(member, kept(member.config, new))
                in_force = in_force and not problems
                lines += [line for line in problems or changed_for_later(member.config, new) if line not in lines]
            outcome = "the new configuration is in force; running games keep the one they began with"
            return self._told(in_force, [*lines, outcome if in_force else "the configuration stays as it was"])

    def _use(self, member: Member, config: Config) -> tuple[str, ...]:
        """What stands against a new configuration of an account; without anything, it goes by it from now on."""
        if member.name not in self._running:
            return ()
        try:
            problems = self._ask(member, lambda: member.daemon.use(config), USE_WITHIN_S)
        except Empty:
            return (f"{member.account}: its thread does not answer",)
        if not problems:
            self._members[member.name] = replace(member, config=config)
            change_level(config.log)
        return problems

    def _told(self, good: bool, lines: list[str]) -> tuple[bool, list[str]]:
        for line in lines:
            logger.log(logging.INFO if good else logging.ERROR, "%s", line)
        return good, lines

    def _ask(self, member: Member, question: Callable[[], T], within_s: float) -> T:
        """What a daemon answers in its own thread. Raises Empty when it does not."""
        answer: SimpleQueue[T] = SimpleQueue()
        member.daemon.post(lambda: answer.put(question()))
        return answer.get(timeout=within_s)

    def _named(self, accounts: Sequence[str]) -> list[Member]:
        wanted = {account.lower() for account in accounts}
        return [member for member in self._members.values() if not wanted or member.account.lower() in wanted]

    def _play(self, member: Member) -> None:
        failure: Exception | None = None
        try:
            member.daemon.run()
        except (Unauthorized, DaemonStopped, RecordsError) as error:
            failure = error
        except Exception as error:  # the other accounts play on; this one says why it does not
            logger.exception("%s: stopped by an error of ours", member.account)
            failure = error
        self._inbox.put(_Over(member.name, failure))

    def _status(self, member: Member) -> AccountStatus:
        gone = partial(AccountStatus, account=member.account, site=member.site, state=State.STOPPED)
        if member.name not in self._running:
            return gone(problem=self._problems.get(member.name))
        try:
            return self._ask(member, member.daemon.status, ANSWER_WITHIN_S)
        except Empty:
            if member.name not in self._running:
                return gone(problem=self._problems.get(member.name))
            return AccountStatus(
                account=member.account, site=member.site, state=State.PLAYING,
                problem=f"its thread does not answer within {ANSWER_WITHIN_S:g} s",
            )  # fmt: skip


def problem_of(failure: Exception) -> str:
    """Why an account has stopped, in a line."""
    if isinstance(failure, Unauthorized):
        return f"the token is no longer accepted: {failure}"
    if isinstance(failure, DaemonStopped | RecordsError):
        return str(failure)
    return f"an error of ours: {type(failure).__name__}"
