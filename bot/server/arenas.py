"""All arenas of a site: they start, pair, and end by the clock."""
from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bot.server.arena import Arena, ArenaPlan, ArenaStatus
from bot.server.errors import Missing
from bot.server.origin import GameSource, Origin
from bot.server.store.database import StoreError
from bot.server.table import Table
from bot.server.users import User
from bot.server.verdict import GameStatus

if TYPE_CHECKING:
    from bot.server.site import Site


class Arenas:
    """The arenas of one site, and the teams that they are for; they last as long as the server runs."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._arenas: dict[str, Arena] = {}
        self._teams: defaultdict[str, set[str]] = defaultdict(set)

    def get(self, arena_id: str) -> Arena:
        """One arena.

        Raises: Missing.
        """
        arena = self._arenas.get(arena_id)
        if arena is None:
            raise Missing("Not found")
        return arena

    def by_status(self) -> dict[ArenaStatus, list[Arena]]:
        """All arenas, by where they stand."""
        now_ms = self._site.now_ms()
        found: dict[ArenaStatus, list[Arena]] = {status: [] for status in ArenaStatus}
        for arena in self._arenas.values():
            found[arena.status(now_ms)].append(arena)
        return found

    def create(self, creator: User, plan: ArenaPlan) -> Arena:
        """A new arena; a team that it is for begins with its creator."""
        arena = Arena(self._site.new_id(), plan, creator.id)
        self._arenas[arena.id] = arena
        if plan.team_id is not None:
            self._teams[plan.team_id].add(creator.id)
        self._site.timekeeper.call_at(plan.starts_at_ms, partial(self._pair, arena))
        return arena

    def join(self, arena_id: str, user: User, password: str, *, eager: bool) -> None:
        """Take part in an arena.

        Raises: Missing, Refused.
        """
        arena = self.get(arena_id)
        in_team = user.id in self._teams.get(arena.plan.team_id or "", ())
        arena.join(user, password, self._site.now_ms(), in_team=in_team, eager=eager)

    def withdraw(self, arena_id: str, user: User) -> None:
        """Play no more in an arena. Raises: Missing."""
        self.get(arena_id).withdraw(user.id, self._site.now_ms())

    def withdraw_everywhere(self, user: User) -> None:
        """Play no more in any arena."""
        for arena in self._arenas.values():
            arena.withdraw(user.id, self._site.now_ms())

    def join_team(self, team_id: str, user: User) -> None:
        """Become a member of a team; there are those that an arena is for.

        Raises: Missing.
        """
        if team_id not in self._teams:
            raise Missing("Not found")
        self._teams[team_id].add(user.id)

    def follow(self, table: Table) -> None:
        """Something has happened at a table: perhaps a game of an arena is over."""
        tournament_id = table.origin.tournament_id
        arena = None if tournament_id is None else self._arenas.get(tournament_id)
        if arena is None or not table.over:
            return
        white_id, black_id = (seat.user_id for seat in table.seats)
        if white_id is None or black_id is None or arena.entrants[white_id].game_id != table.id:
            return
        verdict = table.verdict
        started = verdict.status is not GameStatus.NO_START
        arena.end_game((white_id, black_id), verdict.winner, table.berserk, self._site.now_ms(), started=started)

    def _pair(self, arena: Arena) -> None:
        site, plan = self._site, arena.plan
        now_ms = site.now_ms()
        if arena.status(now_ms) is not ArenaStatus.STARTED:
            return
        present = {user_id for user_id in arena.entrants if site.audience.online(user_id)}
        # Whoever runs the server has been told when something cannot be kept, and takes it down.
        with suppress(StoreError):
            for player_ids in arena.pairs(present, now_ms):
                self._begin(arena, player_ids)
        due_ms = min(now_ms + site.settings.arena_pairing_ms, plan.ends_at_ms)
        site.timekeeper.call_at(due_ms, partial(self._pair, arena))

    def _begin(self, arena: Arena, player_ids: tuple[str, str]) -> None:
        origin = Origin(GameSource.ARENA, arena.id, arena.plan.berserkable)
        table = self._site.open_table(self._site.new_id(), arena.plan.terms, player_ids, origin)
        arena.begin_game(table.id, player_ids)
        self._site.announce(table)
