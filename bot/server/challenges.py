"""Challenges from the wish to the game: what happens to them is decided in `lobby`, and told to both sides here."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from bot.server import shapes
from bot.server.challenge_form import ChallengeForm, refused_by_bots
from bot.server.errors import FormError, Refused
from bot.server.lobby import Challenge, ChallengeStatus, Openness
from bot.server.open_form import OpenForm
from bot.server.origin import GameSource, Origin
from bot.server.relations import Relation
from bot.server.store.database import StoreError
from bot.server.streams import Stream, encode
from bot.server.table import Table
from bot.server.terms import Terms
from bot.server.users import User
from rules.move import Color

if TYPE_CHECKING:
    from bot.server.site import Site


class Challenges:
    """The challenges of one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lobby = site.lobby
        self._audience = site.audience

    def create(self, challenger: User, dest_name: str, form: ChallengeForm, address: str = "") -> Challenge:
        """A new challenge, told to both.

        Raises: Refused, FormError or Limited when the two may not play this, or not now.
        """
        return self._send(self._allowed(challenger, dest_name, form, address))

    def begin(
        self, challenger: User, dest_name: str, form: ChallengeForm, consenting_id: str | None, address: str = ""
    ) -> tuple[Table, Color]:
        """A game that needs no challenge, since the other consents; and the challenger's color in it.

        Raises: as `create`, and Refused when it is not the other who consents.
        """
        challenge = self._allowed(challenger, dest_name, form, address)
        if consenting_id != challenge.dest_id:
            raise Refused("The token is not one of the opponent's")
        table = self._site.open_table(challenge.id, challenge.terms, challenge.player_ids, Origin(GameSource.API))
        self._site.announce(table)
        return table, challenge.final_color

    def _allowed(self, challenger: User, dest_name: str, form: ChallengeForm, address: str) -> Challenge:
        """The challenge that is asked for, counted but not yet sent."""
        site = self._site
        dest = site.users.find(dest_name)
        if dest is None:
            raise Refused(f"No such user: {dest_name}")
        self._check_players(challenger, dest, form.terms)
        follows = site.relations.has(dest.id, challenger.id, Relation.FOLLOW)
        site.allowances.take_challenge(challenger, dest, address, site.now_ms(), follows=follows)
        terms = site.ratable(form.terms, challenger, dest)
        # Decision: nobody chooses a color where it counts for the parlour's ladders.
        wanted = None if terms.parlour and terms.rated else form.color
        color = site.color_by_lot(challenger, dest, terms) if wanted is None else wanted
        return Challenge(site.new_id(), challenger.id, dest.id, terms, wanted, color, site.now_ms())

    def create_open(self, creator: User | None, form: OpenForm) -> Challenge:
        """A new challenge for any two players; it is told to nobody.

        Raises: FormError when there are no such users.
        """
        site = self._site
        users = tuple(site.users.find(name) for name in form.user_names)
        user_ids = tuple(user.id for user in users if user is not None)
        if len(user_ids) < len(users):
            raise FormError({"users": "No such user"}, told_once=True)
        creator_id = None if creator is None else creator.id
        openness = Openness(form.name, user_ids, creator_id, form.expires_at_ms)
        color = site.draw_color()
        challenge = Challenge(site.new_id(), None, None, form.terms, None, color, site.now_ms(), open=openness)
        self._lobby.add(challenge)
        self.let_lapse(challenge)
        return challenge

    def offer_rematch(self, user: User, table: Table, color: Color, terms: Terms) -> Challenge:
        """Challenge the opponent of a finished game, in which `user` had `color`, to another one on the same terms."""
        site = self._site
        dest_id = table.seats[color.other].user_id
        challenge = Challenge(
            site.new_id(), user.id, dest_id, terms, color.other, color.other, site.now_ms(), rematch_of=table.id
        )
        return self._send(challenge)

    def accept(self, user: User, challenge_id: str, color: Color | None = None) -> Table | None:
        """Accept a challenge: its game begins; None when an open one still waits for a second player.

        Raises: Missing, Refused, Limited.
        """
        site = self._site
        waiting = self._lobby.get(challenge_id)
        other = None if waiting.challenger_id in (None, user.id) else site.users.find(waiting.challenger_id or "")
        if other is not None and (waiting.dest_id == user.id or waiting.open is not None) and waiting.acceptable:
            self._check_room(user, other, waiting.terms)
        with site.store.database.transaction():
            challenge = self._lobby.accept(challenge_id, user.id, by_bot=user.is_bot, color=color)
            if challenge.status is not ChallengeStatus.ACCEPTED:
                return None
            origin = Origin(rematch_of=challenge.rematch_of)
            table = site.open_table(challenge.id, challenge.terms, challenge.player_ids, origin)
        self._audience.settle_challenge(challenge.id, encode({"done": "accepted"}))
        site.announce(table)
        finished = None if challenge.rematch_of is None else site.tables.get(challenge.rematch_of)
        if finished is not None:
            with site.command(finished):
                finished.note_rematch(table.id, site.now_ms())
        return table

    def decline(self, user: User, challenge_id: str, reason: str) -> None:
        """Decline a challenge. Raises: Missing."""
        challenge = self._lobby.decline(challenge_id, user.id, reason)
        self._tell("challengeDeclined", challenge, with_compat=False)
        self._audience.settle_challenge(challenge.id, encode({"done": "declined"}))

    def cancel(self, user: User, challenge_id: str, opponent_id: str | None = None) -> None:
        """Take an own challenge back, decline one addressed to the user, or abort the game that has come of it.

        With the opponent's consent a game ends without a result even if both have moved.
        Raises: Missing, Refused.
        """
        table = self._site.tables.get(challenge_id)
        color = None if table is None else table.seat_of(user.id)
        if table is not None and color is not None:
            with self._site.command(table):
                agreed = opponent_id is not None and table.seats[color.other].user_id == opponent_id
                (table.annul if agreed else table.abort)(self._site.now_ms())
            return
        waiting = self._lobby.get(challenge_id)
        if waiting.dest_id == user.id:
            self.decline(user, challenge_id, "generic")
            return
        challenge = self._lobby.cancel(challenge_id, user.id)
        if challenge.rematch_of is not None:
            # Lichess tells of a rematch that is taken back as it told of the offer.
            self._tell("challengeCanceled", waiting, with_compat=True)
        elif challenge.open is None:
            self._tell("challengeCanceled", challenge, with_compat=False)
        self._audience.settle_challenge(challenge.id, encode({"done": "canceled"}))

    def shape(self, challenge: Challenge) -> shapes.Json:
        """A challenge as JSON."""
        site, perf_key = self._site, challenge.terms.perf_key
        challenger, dest = (
            None
            if user_id is None
            else shapes.challenge_user(site.users.get(user_id), perf_key, self._audience.online(user_id))
            for user_id in (challenge.challenger_id, challenge.dest_id)
        )
        return shapes.challenge(challenge, challenger, dest, site.settings.url)

    @contextmanager
    def awaiting(self, challenge: Challenge) -> Iterator[Stream]:
        """A stream that keeps a challenge alive, and ends with what becomes of it."""
        settings = self._site.settings
        stream = Stream(self._site.timekeeper, settings.challenge_keep_alive_ms, settings.stream_lines)
        stream.push(encode(self.shape(challenge) | {"direction": "out"}))
        self._audience.open_challenge(challenge.id, stream)
        try:
            yield stream
        finally:
            if self._audience.close_challenge(challenge.id, stream):
                self.let_lapse(challenge)

    def let_lapse(self, challenge: Challenge) -> None:
        """Have a challenge forgotten in time, if it is one that does not wait for ever."""
        site = self._site
        if challenge.open is not None:
            site.timekeeper.call_at(challenge.open.expires_at_ms, partial(self._expire, challenge.id))
        elif challenge.terms.live:
            due_ms = site.now_ms() + site.settings.challenge_life_ms
            site.timekeeper.call_at(due_ms, partial(self._lapse, challenge.id))

    def _lapse(self, challenge_id: str) -> None:
        if not self._audience.awaited(challenge_id):
            # Whoever runs the server has been told when something cannot be kept, and takes it down.
            with suppress(StoreError):
                self._lobby.lapse(challenge_id)

    def _expire(self, challenge_id: str) -> None:
        with suppress(StoreError):
            self._lobby.expire(challenge_id)

    def _send(self, challenge: Challenge) -> Challenge:
        self._lobby.add(challenge)
        self._tell("challenge", challenge, with_compat=True)
        self.let_lapse(challenge)
        return challenge

    def _check_players(self, challenger: User, dest: User, terms: Terms) -> None:
        """Raises: Refused or FormError when the two may not play this."""
        if dest.id == challenger.id:
            raise Refused("You cannot challenge yourself")
        if self._site.relations.has(dest.id, challenger.id, Relation.BLOCK):
            raise Refused(f"{dest.name} does not accept challenges from you")
        if dest.is_bot and terms.rules:
            raise Refused("Bots do not accept challenges with special rules")
        if (dest.is_bot or challenger.is_bot) and refused_by_bots(terms):
            raise FormError({"global": "Invalid speed"})
        self._check_games(challenger, dest, terms)

    def _check_room(self, user: User, other: User, terms: Terms) -> None:
        """Raises: Limited or Refused when one of the two may not begin another game."""
        self._site.allowances.check_bot_game(user, other, self._site.now_ms())
        self._check_games(user, other, terms)

    def _check_games(self, user: User, other: User, terms: Terms) -> None:
        limits = self._site.allowances.limits
        for who in (user, other):
            games = [table for table, _ in self._site.playing(who)] if who.is_bot else []
            live = [table for table in games if table.terms.live]
            counted = ((games, limits.games_at_once), (live if terms.live else [], limits.live_games_at_once))
            if any(most is not None and len(held) >= most for held, most in counted):
                raise Refused("Challenge not created")

    def _tell(self, kind: str, challenge: Challenge, *, with_compat: bool) -> None:
        event: shapes.Json = {"type": kind, "challenge": self.shape(challenge)}
        if with_compat:
            event["compat"] = shapes.compat(challenge.terms)
        line = encode(event)
        for user_id in (challenge.challenger_id, challenge.dest_id):
            if user_id is not None:
                self._audience.tell(user_id, line)
