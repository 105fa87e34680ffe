"""Games of people and bots against machines."""
from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bot.server.ai_form import AiForm
from bot.server.machine import Machine
from bot.server.origin import GameSource, Origin
from bot.server.store.database import StoreError
from bot.server.table import Seat, Table
from bot.server.users import User
from rules.game import Game
from rules.move import Color, Move

if TYPE_CHECKING:
    from bot.server.site import Site


class Machines:
    """Lets a machine answer wherever it is its turn."""

    def __init__(self, site: Site, machine: Machine) -> None:
        self._site = site
        self._machine = machine
        self._pondered: dict[str, list[str]] = {}

    def begin(self, user: User, form: AiForm) -> tuple[Table, Color]:
        """A new game against a machine, and the color that the user has in it.

        Raises: Limited.
        """
        site = self._site
        site.allowances.take_ai_game(user, site.now_ms())
        color = site.draw_color() if form.color is None else form.color
        machine = Seat(None, f"Stockfish level {form.level}", None, None, site.new_key(), form.level)
        terms = site.with_start(form.terms)
        person = site.seat(user, terms)
        seats = (person, machine) if color is Color.WHITE else (machine, person)
        table = site.seat_players(site.new_id(), terms, seats, Origin(GameSource.AI))
        site.announce(table)
        return table, color

    def follow(self, table: Table) -> None:
        """Something has happened at a table: perhaps a machine is to move there."""
        if table.over or table.game.turn is not table.ai_color:
            self._pondered.pop(table.id, None)
            return
        moves = table.moves()
        if self._pondered.get(table.id) == moves:
            return
        self._pondered[table.id] = moves
        level = table.seats[table.ai_color].ai_level
        assert level is not None
        # The machine thinks elsewhere: it must not see the game change under its hands.
        copy = Game.replay(table.terms.variant, table.policy, table.terms.start_fen, moves)
        self._machine.think(copy, level, partial(self._answer, table, moves))

    def _answer(self, table: Table, moves: list[str], move: Move) -> None:
        if self._pondered.get(table.id) is not moves:
            return
        # Whoever runs the server has been told when something cannot be kept, and takes it down.
        with suppress(StoreError), self._site.command(table):
            if not table.over and table.moves() == moves:
                table.make(move, self._site.now_ms())
