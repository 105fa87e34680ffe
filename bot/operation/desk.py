"""Commands to the running bot, from the console or through the socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from typing import Final

from pydantic import ValidationError

from bot.arenas import Arenas
from bot.config import Arena
from bot.matchmaker import Told
from bot.matchmaking import Proposal
from bot.operation import shown
from bot.operation.fleet import Fleet, Member
from bot.operation.help import HELP
from bot.operation.invitation import FROM, read
from bot.operation.reply import Reply
from bot.status import ailments

TOLD_WITHIN_S: Final = 15.0
REFUSED: Final = "not possible"


class Desk:
    """Answers commands; for any thread."""

    def __init__(self, fleet: Fleet, dead_after_s: float) -> None:
        self._fleet = fleet
        self._dead_after_s = dead_after_s
        self._commands: Mapping[str, Callable[[Sequence[str]], Reply]] = {
            "status": self._status,
            "games": self._games,
            "health": self._health,
            "pause": self._pause,
            "resume": self._resume,
            "challenge": self._challenge,
            "open": self._open,
            "join": self._join,
            "leave": self._leave,
            "reload": self._reload,
            "finish": self._finish,
            "stop": self._stop,
            "quit": self._stop,
            "help": self._help,
        }

    def answer(self, words: Sequence[str]) -> Reply:
        """Carry out a command."""
        command = self._commands.get(words[0].lower()) if words else None
        if command is None:
            return Reply(False, f"no command {' '.join(words[:1])!r}; known: {', '.join(sorted(self._commands))}")
        return command(words[1:])

    def _status(self, words: Sequence[str]) -> Reply:
        statuses = self._fleet.statuses()
        problems = ailments(statuses, self._dead_after_s)
        return Reply(True, shown.as_text(statuses, problems), shown.as_values(statuses, problems))

    def _games(self, words: Sequence[str]) -> Reply:
        return Reply(True, shown.games_text(self._fleet.statuses()))

    def _health(self, words: Sequence[str]) -> Reply:
        problems = ailments(self._fleet.statuses(), self._dead_after_s)
        text = "\n".join(problems) if problems else "all is well"
        return Reply(not problems, text, {"healthy": not problems, "problems": problems})

    def _pause(self, words: Sequence[str]) -> Reply:
        return self._with_accounts(words, self._fleet.pause, "no more games for now")

    def _resume(self, words: Sequence[str]) -> Reply:
        return self._with_accounts(words, self._fleet.resume, "playing on")

    def _with_accounts(self, words: Sequence[str], act: Callable[[Sequence[str]], None], done: str) -> Reply:
        known = [account.lower() for account in self._fleet.accounts]
        unknown = [word for word in words if word.lower() not in known]
        if unknown:
            return Reply(False, f"no account {unknown[0]!r}; known: {', '.join(self._fleet.accounts)}")
        act(words)
        return Reply(True, f"{', '.join(words or self._fleet.accounts)}: {done}")

    def _challenge(self, words: Sequence[str]) -> Reply:
        if not words:
            return Reply(False, "whom?")

        def ask(member: Member, proposal: Proposal, told: Told) -> None:
            member.daemon.matchmaker.challenge(proposal, told, member.config.matchmaking.answer_within_s)

        return self._invite(words[0], words[1:], ask)

    def _open(self, words: Sequence[str]) -> Reply:
        return self._invite("", words, lambda member, proposal, told: member.daemon.matchmaker.open(proposal, told))

    def _invite(self, opponent: str, words: Sequence[str], ask: Callable[[Member, Proposal, Told], None]) -> Reply:
        try:
            invitation = read(opponent, words)
            member = self._fleet.member(invitation.account)
        except ValueError as error:
            return Reply(False, str(error))
        told: SimpleQueue[str] = SimpleQueue()
        member.daemon.post(lambda: ask(member, invitation.proposal, told.put))
        try:
            sentence = told.get(timeout=TOLD_WITHIN_S)
        except Empty:
            return Reply(False, f"the site has not answered within {TOLD_WITHIN_S:g} s")
        return Reply(not sentence.startswith(REFUSED), sentence)

    def _join(self, words: Sequence[str]) -> Reply:
        return self._at_arena(words, "joining", lambda arenas, arena: arenas.join(arena))

    def _leave(self, words: Sequence[str]) -> Reply:
        return self._at_arena(words, "leaving", lambda arenas, arena: arenas.leave(arena.id))

    def _at_arena(self, words: Sequence[str], doing: str, act: Callable[[Arenas, Arena], None]) -> Reply:
        name, *rest = words or [""]
        try:
            arena = Arena(id=name)
        except ValidationError:
            return Reply(False, f"{name!r} is no arena: write its eight characters, or its address")
        try:
            daemon = self._fleet.member(rest[1] if len(rest) == 2 and rest[0] == FROM else None).daemon
        except ValueError as error:
            return Reply(False, str(error))
        daemon.post(lambda: act(daemon.arenas, arena))
        return Reply(True, f"{doing} {arena.id}")

    def _reload(self, words: Sequence[str]) -> Reply:
        in_force, lines = self._fleet.reload()
        return Reply(in_force, "\n".join(lines))

    def _finish(self, words: Sequence[str]) -> Reply:
        self._fleet.finish()
        return Reply(True, "stopping when the running games have ended")

    def _stop(self, words: Sequence[str]) -> Reply:
        self._fleet.stop()
        return Reply(True, "stopping")

    def _help(self, words: Sequence[str]) -> Reply:
        width = max(map(len, HELP))
        return Reply(True, "\n".join(f"{name:{width}}  {purpose}" for name, purpose in HELP.items()))
