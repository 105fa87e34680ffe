"""The site: it lets players meet, keeps their games running and tells everyone who listens.

Everything here runs in the thread of the event loop. What is decided lies in `users`, `lobby` and the tables; this
module passes what they decide on to the streams, and rings them when their time has come.
"""
from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

import chess

from bot.server import shapes
from bot.server.accounts import Accounts
from bot.server.allowances import Allowances
from bot.server.arenas import Arenas
from bot.server.challenges import Challenges
from bot.server.clock import CountdownClock
from bot.server.errors import Missing
from bot.server.events import ChatEvent, GoneEvent, Room, StateEvent, TableEvent
from bot.server.heartbeat import Heartbeat, last_beat_ms
from bot.server.lobby import ChallengeStatus, Lobby
from bot.server.machine import Machine
from bot.server.machines import Machines
from bot.server.origin import Origin
from bot.server.places import Places
from bot.server.relations import Relations
from bot.server.saved import SavedGame, saved, table_of
from bot.server.scoring import ratable, settle
from bot.server.settings import ServerSettings
from bot.server.store import Store
from bot.server.store.database import StoreError
from bot.server.streams import Audience, GameReader, Stream, encode
from bot.server.table import Seat, Table
from bot.server.tables import Tables
from bot.server.terms import Terms
from bot.server.timekeeper import Timekeeper
from bot.server.users import User
from bot.server.verdict import GameStatus
from rules.errors import RulesError
from rules.game import Game
from rules.move import Color, Move

_ID_LETTERS = string.ascii_letters + string.digits


class Site:
    """The state of one server; games that were running when it was last seen are taken up where they stood.

    users, relations: accounts, and who follows or blocks whom.
    lobby, challenges: challenges as they stand, and what is done with them.
    tables, machines, arenas: games, those of them against machines, and those that arenas pair.
    store: where users, relations, challenges and games are kept.
    audience: the open streams.
    addresses: where each user's latest request came from.
    Raises: StoreError.
    """

    def __init__(
        self,
        settings: ServerSettings,
        timekeeper: Timekeeper,
        chance: random.Random,
        system_player: Callable[[Game], Move],
        machine: Machine,
    ) -> None:
        self.settings = settings
        self.timekeeper = timekeeper
        self.store = Store.serving(settings.data)
        self.users = Accounts(chance, self.store.accounts)
        self.lobby = Lobby(settings.kept_challenges, self.store.challenges, self.store.challenges.all())
        self.tables = Tables(self.store, self._revive, settings.kept_games)
        self.audience = Audience()
        self.addresses: dict[str, str] = {}
        self.places = Places(settings.streams, settings.streams_each)
        self.relations = Relations(self.store.relations)
        self.allowances = Allowances(settings.limits)
        self.challenges = Challenges(self)
        self.machines = Machines(self, machine)
        self.arenas = Arenas(self)
        self._chance = chance
        self._system_player = system_player
        self._heartbeat = Heartbeat(timekeeper, self.store.database, self._clocks_run)
        self._take_up_games()
        self._version_seen = self.store.database.version_seen()

    def now_ms(self) -> int:
        """The time of this site."""
        return self.timekeeper.now_ms()

    # Games

    def open_table(self, game_id: str, terms: Terms, player_ids: tuple[str, str], origin: Origin) -> Table:
        """Begin a game of two users, White first; nobody is told before `announce`."""
        white, black = (self.users.get(user_id) for user_id in player_ids)
        terms = self.ratable(self.with_start(terms), white, black)
        if white.is_bot and black.is_bot:
            self.allowances.count_bot_game(player_ids, self.now_ms())
        return self.seat_players(game_id, terms, (self.seat(white, terms), self.seat(black, terms)), origin)

    def seat_players(self, game_id: str, terms: Terms, seats: tuple[Seat, Seat], origin: Origin) -> Table:
        """Begin a game; nobody is told before `announce`."""
        table = Table(game_id, terms, seats, self.settings, self._system_player, self.now_ms(), origin)
        self.tables.add(table)
        self._pass_on(table)
        return table

    def announce(self, table: Table) -> None:
        """Tell the players of a game that it begins."""
        for color in Color:
            self._tell_game("gameStart", table, color)

    def with_start(self, terms: Terms) -> Terms:
        """Draw one of the 960 start positions where none was chosen."""
        if not terms.variant.chess960 or terms.start_fen is not None:
            return terms
        return replace(terms, start_fen=chess.Board.from_chess960_pos(self._chance.randrange(960)).fen())

    def ratable(self, terms: Terms, one: User, other: User) -> Terms:
        """The terms as these two can play them: casual, where a game of theirs cannot be rated."""
        return ratable(terms, (one, other), [self.addresses.get(user.id, "") for user in (one, other)])

    def seat(self, user: User, terms: Terms) -> Seat:
        """A seat for a user."""
        rating, provisional = user.rating(terms.perf_key), user.provisional(terms.perf_key)
        return Seat(user.id, user.name, user.title, rating, self.new_key(), provisional=provisional)

    def draw_color(self) -> Color:
        """A color by lot."""
        return self._chance.choice(tuple(Color))

    def color_by_lot(self, user: User, opponent: User, terms: Terms) -> Color:
        """A color for `user`: at the parlour the first is drawn, and from then on they take turns."""
        white_id = None
        if terms.parlour:
            white_id = self.store.games.latest_white((user.id, opponent.id), terms.variant.key)
        return self.draw_color() if white_id is None else Color(white_id == user.id)

    def new_key(self) -> str:
        """The tail of a full game id."""
        return "".join(self._chance.choices(_ID_LETTERS, k=4))

    def new_id(self) -> str:
        """An id that no game and no challenge has."""
        while True:
            new_id = "".join(self._chance.choices(_ID_LETTERS, k=8))
            if new_id not in self.tables and new_id not in self.lobby:
                return new_id

    def playing(self, user: User) -> list[tuple[Table, Color]]:
        """The running games of a user, the most urgent first."""
        now_ms = self.now_ms()
        seats = ((self.tables[game_id], self.tables[game_id].seat_of(user.id)) for game_id in self.tables.running)
        games = [(table, color) for table, color in seats if color is not None]
        games.sort(key=lambda each: (each[0].game.turn is not each[1], each[0].clock.left_ms(each[1], now_ms)))
        return games

    def seated(self, user: User, game_id: str) -> tuple[Table, Color]:
        """A game, running or finished, and the color that the user has in it.

        Raises: Missing.
        """
        table = self.tables.get(game_id)
        if table is None:
            raise Missing("No such game")
        color = table.seat_of(user.id)
        if color is None:
            raise Missing("Not your game")
        return table, color

    @contextmanager
    def command(self, table: Table) -> Iterator[None]:
        """Run a command of a table in here: what it causes is passed on, also before a refusal."""
        table.tick(self.now_ms())
        try:
            yield
        finally:
            self._pass_on(table)

    # Streams: each lasts as long as its context

    @contextmanager
    def reading_events(self, user: User) -> Iterator[Stream]:
        """A stream of this user's events, beginning with running games and pending challenges."""
        settings = self.settings
        stream = Stream(self.timekeeper, settings.event_keep_alive_ms, settings.stream_lines)
        # The reader counts as online in what it is told first.
        self.audience.open_events(user.id, stream)
        try:
            for table, color in self.playing(user):
                game = shapes.event_game(table, color, self.now_ms())
                stream.push(encode({"type": "gameStart", "game": game}))
            for challenge in self.lobby.pending_for(user.id):
                stream.push(encode({"type": "challenge", "challenge": self.challenges.shape(challenge)}))
            yield stream
        finally:
            self.audience.close_events(user.id, stream)

    @contextmanager
    def reading_game(self, user: User, table: Table, color: Color, user_agent: str) -> Iterator[Stream]:
        """A stream of a game, beginning with the whole of it; of a finished game that is all."""
        with self.command(table):
            pass
        stream = Stream(self.timekeeper, self.settings.game_keep_alive_ms, self.settings.stream_lines)
        stream.push(encode(shapes.game_full(table, table.state(self.now_ms()))))
        if table.over:
            stream.finish()
            yield stream
            return
        reader = GameReader(stream, user.id, color, user.is_bot, user_agent)
        self.audience.open_game(table.id, reader)
        with self.command(table):
            table.arrive(color)
        try:
            yield stream
        finally:
            if self.audience.close_game(table.id, reader):
                with self.command(table):
                    table.leave(color, self.now_ms())

    # Life

    def open(self) -> None:
        """Let time do its work: the event loop runs."""
        for game_id in tuple(self.tables.running):
            self._pass_on(self.tables[game_id])
        for challenge in self.lobby:
            if challenge.status is ChallengeStatus.CREATED:
                self.challenges.let_lapse(challenge)

    def refresh(self) -> None:
        """Notice what a command of the administrator has changed in the store meanwhile."""
        version = self.store.database.version_seen()
        if version != self._version_seen:
            self._version_seen = version
            self.users.load()
            self.relations.load()
            self._forget_strangers()
            for table in self.tables.drop_missing():
                self.audience.finish_game(table.id)

    def close(self) -> None:
        """End all streams: the server goes down."""
        self.audience.close()
        with suppress(StoreError):
            self._heartbeat.note()

    # Inside

    def _clocks_run(self) -> bool:
        clocks = (self.tables[game_id].clock for game_id in self.tables.running)
        return any(isinstance(clock, CountdownClock) and clock.flag_at_ms() is not None for clock in clocks)

    def _take_up_games(self) -> None:
        now_ms = self.now_ms()
        alive_at_ms = max(last_beat_ms(self.store.database), self.store.games.latest_change_ms())
        with self.store.database.transaction():
            for game in self.store.games.running():
                table = self._revive(game)
                table.clock.resume(now_ms, alive_at_ms)
                self.store.games.put(saved(table))
                self.tables.take_up(table)
            seats = (seat for game_id in self.tables.running for seat in self.tables[game_id].seats)
            self.users.forget_old_guests(now_ms, {seat.user_id for seat in seats if seat.user_id is not None})
            self._forget_strangers()

    def _forget_strangers(self) -> None:
        """Drop the challenges of accounts that have been deleted."""
        self.lobby.keep_only(
            lambda each: all(self.users.find(name) is not None for name in (each.challenger_id, each.dest_id) if name)
        )

    def _revive(self, game: SavedGame) -> Table:
        try:
            return table_of(game, self.settings, self._system_player, self.now_ms())
        except RulesError as error:
            raise StoreError(f"the moves of the game {game.id} cannot be played: {error}") from None

    def _pass_on(self, table: Table) -> None:
        """Keep and tell what has happened at a table, and see to it that time does its work there."""
        events, running = table.take_events(), table.id in self.tables.running
        if any(not isinstance(event, GoneEvent) for event in events):
            self._keep(table, events, ends=running and table.over)
        for event in events:
            self._tell_readers(table, event)
        self.machines.follow(table)
        self.arenas.follow(table)
        if not running:
            return
        timer = self.tables.running[table.id]
        if timer is not None:
            timer.cancel()
        if table.over:
            self._close_table(table)
            return
        self._heartbeat.wake()
        due_ms = table.next_tick_ms()
        self.tables.running[table.id] = (
            None if due_ms is None else self.timekeeper.call_at(due_ms, partial(self._ring, table))
        )

    def _keep(self, table: Table, events: Sequence[TableEvent], *, ends: bool) -> None:
        """Have it all in the store before anybody is told."""
        with self.store.database.transaction():
            if ends and table.verdict.status is not GameStatus.ABORTED:
                self._settle(table)
            self.store.games.put(saved(table), [event for event in events if isinstance(event, ChatEvent)])

    def _settle(self, table: Table) -> None:
        white, black = (None if seat.user_id is None else self.users.find(seat.user_id) for seat in table.seats)
        settlement = settle(table, (white, black), self.now_ms())
        table.rating_changes = settlement.rating_changes
        for user in settlement.players:
            if user is not None:
                self.users.put(user)

    def _ring(self, table: Table) -> None:
        # Whoever runs the server has been told of the failure, and takes it down.
        with suppress(StoreError), self.command(table):
            pass

    def _tell_readers(self, table: Table, event: TableEvent) -> None:
        readers = self.audience.readers(table.id)
        match event:
            case StateEvent():
                line = encode(shapes.game_state(event, own_game=not table.terms.variant.lichess))
            case ChatEvent():
                line = encode(shapes.chat_line(event))
                if event.room is Room.SPECTATOR:
                    readers = tuple(reader for reader in readers if reader.is_bot)
            case GoneEvent():
                line = encode(shapes.opponent_gone(event))
                readers = tuple(reader for reader in readers if reader.color is event.absent.other)
        for reader in readers:
            reader.stream.push(line)

    def _close_table(self, table: Table) -> None:
        self.tables.end(table)
        self.audience.finish_game(table.id)
        for color in Color:
            self._tell_game("gameFinish", table, color)

    def _tell_game(self, kind: str, table: Table, color: Color) -> None:
        user_id = table.seats[color].user_id
        if user_id is not None:
            game = shapes.event_game(table, color, self.now_ms())
            self.audience.tell(user_id, encode({"type": kind, "game": game}))
