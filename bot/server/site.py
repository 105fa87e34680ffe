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
from bot.server.challenge_form import ChallengeForm, refused_by_bots
from bot.server.clock import CountdownClock
from bot.server.errors import FormError, Missing, Refused
from bot.server.events import ChatEvent, GoneEvent, Room, StateEvent, TableEvent
from bot.server.heartbeat import Heartbeat, last_beat_ms
from bot.server.lobby import Challenge, ChallengeStatus, Lobby
from bot.server.saved import SavedGame, saved, table_of
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

    users, lobby, tables: accounts, challenges and games.
    store: where these are kept.
    audience: the open streams.
    Raises: StoreError.
    """

    def __init__(
        self,
        settings: ServerSettings,
        timekeeper: Timekeeper,
        chance: random.Random,
        system_player: Callable[[Game], Move],
    ) -> None:
        self.settings = settings
        self.timekeeper = timekeeper
        self.store = Store.serving(settings.data)
        self.users = Accounts(chance, self.store.accounts)
        self.lobby = Lobby(settings.kept_challenges, self.store.challenges, self.store.challenges.all())
        self.tables = Tables(self.store, self._revive, settings.kept_games)
        self.audience = Audience()
        self._chance = chance
        self._system_player = system_player
        self._heartbeat = Heartbeat(timekeeper, self.store.database, self._clocks_run)
        self._take_up_games()
        self._version_seen = self.store.database.version_seen()

    def now_ms(self) -> int:
        """The time of this site."""
        return self.timekeeper.now_ms()

    # Challenges

    def challenge(self, challenger: User, dest_name: str, form: ChallengeForm) -> Challenge:
        """A new challenge, told to both.

        Raises: Refused or FormError when the two may not play this.
        """
        dest = self.users.find(dest_name)
        if dest is None:
            raise Refused(f"No such user: {dest_name}")
        if dest.id == challenger.id:
            raise Refused("You cannot challenge yourself")
        if dest.is_bot and form.terms.rules:
            raise Refused("Bots do not accept challenges with special rules")
        if (dest.is_bot or challenger.is_bot) and refused_by_bots(form.terms):
            raise FormError({"global": "Invalid speed"})
        color = self._chance.choice(tuple(Color)) if form.color is None else form.color
        challenge_id = self._new_id()
        challenge = Challenge(
            challenge_id, challenger.id, dest.id, form.terms, form.color, color, self.now_ms()
        )
        self.lobby.add(challenge)
        self._tell_challenge("challenge", challenge, with_compat=True)
        self._let_lapse(challenge)
        return challenge

    def accept(self, user: User, challenge_id: str) -> Table:
        """Accept a challenge: its game begins.

        Raises: Missing, Refused.
        """
        with self.store.database.transaction():
            challenge = self.lobby.accept(challenge_id, user.id, by_bot=user.is_bot)
            table = self._new_table(challenge)
        self.audience.settle_challenge(challenge.id, encode({"done": "accepted"}))
        for color in Color:
            self._tell_game("gameStart", table, color)
        return table

    def decline(self, user: User, challenge_id: str, reason: str) -> None:
        """Decline a challenge. Raises: Missing."""
        challenge = self.lobby.decline(challenge_id, user.id, reason)
        self._tell_challenge("challengeDeclined", challenge, with_compat=False)
        self.audience.settle_challenge(challenge.id, encode({"done": "declined"}))

    def cancel(self, user: User, challenge_id: str) -> None:
        """Take an own challenge back, decline one addressed to the user, or abort the game that has come of it.

        Raises: Missing, Refused.
        """
        table = self.tables.get(challenge_id)
        if table is not None and table.seat_of(user.id) is not None:
            with self.command(table):
                table.abort(self.now_ms())
            return
        if self.lobby.get(challenge_id).dest_id == user.id:
            self.decline(user, challenge_id, "generic")
            return
        challenge = self.lobby.cancel(challenge_id, user.id)
        self._tell_challenge("challengeCanceled", challenge, with_compat=False)
        self.audience.settle_challenge(challenge.id, encode({"done": "canceled"}))

    def challenge_shape(self, challenge: Challenge) -> shapes.Json:
        """A challenge as JSON."""
        perf_key = challenge.terms.perf_key
        challenger, dest = (
            shapes.challenge_user(self.users.get(user_id), perf_key, self.audience.online(user_id))
            for user_id in (challenge.challenger_id, challenge.dest_id)
        )
        return shapes.challenge(challenge, challenger, dest, self.settings.url)

    # Games

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
        for table, color in self.playing(user):
            game = shapes.event_game(table, color, self.now_ms())
            stream.push(encode({"type": "gameStart", "game": game}))
        for challenge in self.lobby.pending_for(user.id):
            stream.push(encode({"type": "challenge", "challenge": self.challenge_shape(challenge)}))
        self.audience.open_events(user.id, stream)
        try:
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

    @contextmanager
    def awaiting(self, challenge: Challenge) -> Iterator[Stream]:
        """A stream that keeps a challenge alive, and ends with what becomes of it."""
        settings = self.settings
        stream = Stream(self.timekeeper, settings.challenge_keep_alive_ms, settings.stream_lines)
        stream.push(encode(self.challenge_shape(challenge) | {"direction": "out"}))
        self.audience.open_challenge(challenge.id, stream)
        try:
            yield stream
        finally:
            if self.audience.close_challenge(challenge.id, stream):
                self._let_lapse(challenge)

    # Life

    def open(self) -> None:
        """Let time do its work: the event loop runs."""
        for game_id in tuple(self.tables.running):
            self._pass_on(self.tables[game_id])
        for challenge in self.lobby:
            if challenge.status is ChallengeStatus.CREATED:
                self._let_lapse(challenge)

    def refresh(self) -> None:
        """Notice what a command of the administrator has changed in the store meanwhile."""
        version = self.store.database.version_seen()
        if version != self._version_seen:
            self._version_seen = version
            self.users.load()
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

    def _revive(self, game: SavedGame) -> Table:
        try:
            return table_of(game, self.settings, self._system_player, self.now_ms())
        except RulesError as error:
            raise StoreError(f"the moves of the game {game.id} cannot be played: {error}") from None

    def _new_id(self) -> str:
        while True:
            new_id = "".join(self._chance.choices(_ID_LETTERS, k=8))
            if new_id not in self.tables and new_id not in self.lobby:
                return new_id

    def _let_lapse(self, challenge: Challenge) -> None:
        if challenge.terms.live:
            due_ms = self.now_ms() + self.settings.challenge_life_ms
            self.timekeeper.call_at(due_ms, partial(self._lapse, challenge.id))

    def _lapse(self, challenge_id: str) -> None:
        if not self.audience.awaited(challenge_id):
            with suppress(StoreError):
                self.lobby.lapse(challenge_id)

    def _new_table(self, challenge: Challenge) -> Table:
        terms = self._with_start(challenge.terms)
        white, black = (self._seat(user_id, terms) for user_id in (challenge.white_id, challenge.black_id))
        table = Table(challenge.id, terms, (white, black), self.settings, self._system_player, self.now_ms())
        self.tables.add(table)
        self._pass_on(table)
        return table

    def _with_start(self, terms: Terms) -> Terms:
        """Draw one of the 960 start positions where none was chosen."""
        if not terms.variant.chess960 or terms.start_fen is not None:
            return terms
        return replace(terms, start_fen=chess.Board.from_chess960_pos(self._chance.randrange(960)).fen())

    def _seat(self, user_id: str, terms: Terms) -> Seat:
        user = self.users.get(user_id)
        key = "".join(self._chance.choices(_ID_LETTERS, k=4))
        return Seat(user.id, user.name, user.title, user.rating(terms.perf_key), key)

    def _pass_on(self, table: Table) -> None:
        """Keep and tell what has happened at a table, and see to it that time does its work there."""
        events, running = table.take_events(), table.id in self.tables.running
        if any(not isinstance(event, GoneEvent) for event in events):
            self._keep(table, events, ends=running and table.over)
        for event in events:
            self._tell_readers(table, event)
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
                for color in Color:
                    score = table.verdict.score(color)
                    user_id = table.seats[color].user_id
                    if user_id is None:
                        continue
                    self.users.record_result(user_id, table.terms.perf_key, score, rated=table.terms.rated)
            self.store.games.put(saved(table), [event for event in events if isinstance(event, ChatEvent)])

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

    def _tell_challenge(self, kind: str, challenge: Challenge, *, with_compat: bool) -> None:
        event: shapes.Json = {"type": kind, "challenge": self.challenge_shape(challenge)}
        if with_compat:
            event["compat"] = shapes.compat(challenge.terms)
        line = encode(event)
        for user_id in (challenge.challenger_id, challenge.dest_id):
            self.audience.tell(user_id, line)
