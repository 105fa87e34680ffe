"""Another game for the two players of a finished one."""
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.server.errors import Refused
from bot.server.lobby import Challenge
from bot.server.table import Table
from bot.server.terms import Terms
from bot.server.users import User

if TYPE_CHECKING:
    from bot.server.site import Site


def offer(site: Site, user: User, game_id: str) -> Challenge | Table:
    """Offer a rematch, with colors swapped, or accept the opponent's offer: then the new game.

    Raises: Missing, Refused.
    """
    table, color = site.seated(user, game_id)
    if not table.over:
        raise Refused("This game is not over")
    if "noRematch" in table.terms.rules or not table.has_player_chat:
        raise Refused("This game allows no rematch")
    if table.rematch_id is not None:
        raise Refused("There has been a rematch")
    for pending in site.lobby:
        if pending.rematch_of == game_id and pending.acceptable:
            if pending.challenger_id == user.id:
                return pending
            begun = site.challenges.accept(user, pending.id)
            assert begun is not None
            return begun
    if site.now_ms() > table.changed_at_ms + site.settings.rematch_ms:
        raise Refused("Your opponent has left the board")
    return site.challenges.offer_rematch(user, table, color, _terms(site, table))


def _terms(site: Site, finished: Table) -> Terms:
    """The terms of the rematch: a start position that was drawn by lot is played twice, with either color."""
    terms = finished.terms
    if not terms.variant.chess960 or terms.variant.needs_fen:
        return terms
    before = None if finished.origin.rematch_of is None else site.tables.get(finished.origin.rematch_of)
    played_twice = before is not None and before.terms.start_fen == terms.start_fen
    return replace(terms, start_fen=None) if played_twice else terms
