"""What the parts of a daemon work with: the site, the places, the players met, and threads for requests."""

from __future__ import annotations

import logging
import random
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from bot import admission, time_controls, wire
from bot.backoff import Clock
from bot.config import Config
from bot.lichess import Lichess
from bot.lists import Lists
from bot.meters import Meters
from bot.places import Guest, Places
from bot.records.acquaintances import Acquaintances
from bot.records.met import DAY_S, Shun
from bot.transport import LichessError, Limited, Refused

logger = logging.getLogger(__name__)
UNWANTED_MOST: Final = 64
T = TypeVar("T")
Failure = LichessError | wire.MalformedMessage


@dataclass
class Office:
    """One account's; everything here is for the daemon's thread.

    `post` has something done in that thread, and may be called from any. `closing` says that no games are begun.
    `unwanted` are games that we abort ourselves, if they begin at all. `family` are the accounts of the same operator.
    """

    config: Config
    lichess: Lichess
    account: wire.Account
    players: Acquaintances
    clock: Clock
    now: Callable[[], datetime]
    chance: random.Random
    post: Callable[[Callable[[], None]], None]
    meters: Meters = field(default_factory=Meters)
    places: Places = field(default_factory=Places)
    lists: Lists = field(default_factory=Lists)
    closing: bool = False
    family: frozenset[str] = frozenset()
    unwanted: deque[str] = field(default_factory=lambda: deque(maxlen=UNWANTED_MOST))
    stopping: threading.Event = field(default_factory=threading.Event)

    def ask(self, call: Callable[[], T], then: Callable[[T | Failure], None]) -> None:
        """Make a request in a thread of its own; `then` gets its answer, or what went wrong, in the daemon's."""

        def run() -> None:
            answer: T | Failure
            try:
                answer = call()
            except (LichessError, wire.MalformedMessage) as error:
                answer = error
            self.post(partial(then, answer))

        threading.Thread(target=run, name="errand", daemon=True).start()

    def now_s(self) -> float:
        """The time of day in seconds since 1970."""
        return self.now().timestamp()

    @property
    def load(self) -> admission.Load:
        """The places that are taken, and the games with bots that are left."""
        places = self.places
        return admission.Load(
            live=places.live,
            bots=places.live_bots,
            slow=places.slow,
            bot_games_left=self.bot_games_left,
            # what cannot be kept shall not begin
            closing=self.closing or self.stopping.is_set() or not self.players.lasting,
        )

    @property
    def bot_games_left(self) -> int:
        """How many more games with bots may begin today, those that are expected to not counted."""
        now = self.now_s()
        if any(shun.opponent == "" and shun.aspect == wire.BOT_GAMES for shun in self.players.shunned(now)):
            return 0
        begun = self.players.bot_games(now - DAY_S)
        return self.config.citizenship.bot_games_a_day - begun - self.places.expected_bots

    def known(self, challenge: wire.Challenge) -> admission.Known:
        """What is known of the sender of a challenge."""
        challenger = challenge.challenger
        if challenger is None:
            return admission.STRANGER
        now, player = self.now_s(), challenger.id.lower()
        accept = self.config.accept
        audience = accept.bots if challenger.is_bot else accept.humans
        lately = self.players.encounters_with(player, now - max(DAY_S, audience.cool_off.minutes * 60))
        today = [game for game in lately if game.begun_at > now - DAY_S and not game.aborted]
        rated = [game for game in today if game.rated]
        cooling = [game for game in lately if game.aborted and game.begun_at > now - audience.cool_off.minutes * 60]
        rests = any((shun.opponent, shun.aspect) == (player, wire.BOT_GAMES) for shun in self.players.shunned(now))
        before = {game.game_id: game.rematch_of for game in lately}
        rematches, game_id = 0, before.get(challenge.rematch_of or "")
        while game_id is not None:
            rematches, game_id = rematches + 1, before.get(game_id)
        return admission.Known(
            listed=self.lists.refusal(player),
            family=player in self.family,
            resting=rests,
            running=self.places.with_player(player),
            today=len(today),
            rated_today=len(rated),
            aborts=len(cooling),
            rematches=rematches,
            last_rated_color=rated[-1].color if rated else None,
        )

    def note_limit(self, failure: object, opponent: str) -> bool:
        """Remember a limit that a refusal tells of: ours, or the opponent's. False when it tells of none."""
        if isinstance(failure, Limited) and failure.key == wire.BOT_GAMES:
            self.players.shun(Shun("", wire.BOT_GAMES, self.now_s() + failure.seconds))
            logger.info("no more games with bots for %g s, says the site", failure.seconds)
            return True
        if isinstance(failure, Refused) and failure.limit is not None and failure.limit.key == wire.BOT_GAMES:
            self.players.shun(Shun(opponent, wire.BOT_GAMES, self.now_s() + failure.limit.seconds))
            logger.info("%s has no more games with bots for %d s, says the site", opponent, failure.limit.seconds)
            return True
        return False


def guest_of(challenge: wire.Challenge, player: wire.User | None) -> Guest:
    """Who a challenge's game would be played with."""
    return Guest(
        opponent="" if player is None else player.id.lower(),
        bot=player is not None and player.is_bot,
        slow=admission.is_slow(challenge),
        rematch_of=challenge.rematch_of,
        rules=challenge.rules,
    )


def guest_at(game: wire.OngoingGame) -> Guest:
    """Who a game is played with."""
    return Guest(
        opponent=(game.opponent.id or "").lower(), bot=game.opponent.is_bot, slow=game.speed == time_controls.SLOWEST
    )
