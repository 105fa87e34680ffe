"""The calls that Centella makes: berserk's, and those it does not have, over one session of ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import berserk
import requests
from berserk.clients.base import BaseClient
from berserk.formats import FormatHandler

from bot import __version__, wire
from bot.config import Network
from bot.directory import Arena, ExportedGame, OnlineBots, OpenChallenge, UserStatuses
from bot.gate import Gates
from bot.tokens import TokenTest
from bot.transport import LichessSession, LineStream, Observer, ServerTrouble, origin

LICHESS: Final = origin("https://lichess.org")
TRUSTED_BY_LICHESS: Final = frozenset(
    map(origin, ("https://explorer.lichess.org", "https://explorer.lichess.ovh"))
)
"""Where a token of lichess.org may be sent beside its own site; tokens of other sites go nowhere else."""

BOTS_MOST: Final = 300
Fields = Mapping[str, int | str | bool | None]
"""The fields of a form; None is as good as absent."""


class _Lines(FormatHandler[LineStream]):
    """berserk's way to say in which form an answer is wanted: here, raw lines."""

    def __init__(self) -> None:
        super().__init__(mime_type="application/x-ndjson")

    def handle(self, response: requests.Response, is_stream: bool, converter: Any = None) -> Any:
        return LineStream(response)


class _BotCalls(BaseClient):
    """What berserk's bot client does not have."""

    def events(self) -> LineStream:
        return cast(LineStream, self._r.get("/api/stream/event", stream=True, fmt=_Lines()))

    def game(self, game_id: str) -> LineStream:
        return cast(LineStream, self._r.get(f"/api/bot/game/stream/{game_id}", stream=True, fmt=_Lines()))

    def move(self, game_id: str, uci: str, offering_draw: bool) -> None:
        params = {"offeringDraw": "true" if offering_draw else "false"}
        self._r.post(f"/api/bot/game/{game_id}/move/{uci}", params=params)

    def token_test(self, token: str) -> object:
        return self._r.post("/api/token/test", data=token)

    def accept(self, challenge_id: str, color: str) -> None:
        self._r.post(f"/api/challenge/{challenge_id}/accept", params={"color": color})

    def challenge(self, name: str, fields: Fields) -> object:
        return self._r.post(f"/api/challenge/{name}", data=_form(fields))

    def join_arena(self, arena_id: str, fields: Fields) -> None:
        self._r.post(f"/api/tournament/{arena_id}/join", data=_form(fields))

    def command(self, game_id: str, command: str) -> None:
        self._r.post(f"/api/bot/game/{game_id}/{command}")


class Lichess:
    """The calls that Centella makes. All of them raise LichessError, and MalformedMessage for a broken answer.

    The accounts of a process share `gates`, so that there is one queue of requests to each host.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        network: Network,
        *,
        contact: str | None = None,
        gates: Gates | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._secret = token or ""
        self._agent = f"centella/{__version__}" + (f" ({contact})" if contact else "")
        self._network = network
        self._gates = gates or Gates(time.monotonic)
        self._session = self._session_to(self.url, network)
        self._client = berserk.Client(self._session, base_url=self.url)
        self._calls = _BotCalls(self._session, self.url)

    def close(self) -> None:
        """Let no request through any more; moves under way are not waited for."""
        self._session.leave()

    def observe(self, observer: Observer) -> None:
        """Have every request to the site observed from now on."""
        self._session.observer = observer

    @property
    def limited_s(self) -> float:
        """For how much longer the site wants nothing but moves."""
        return self._session.limited_s

    def drop_idle(self) -> None:
        """Close the connections that nothing uses at the moment."""
        self._session.drop_idle()

    def session_to(self, url: str, patience_s: float) -> requests.Session:
        """A way to another site on the account's behalf; the token goes with it only if the site may have it."""
        waits = {"connect_timeout_s": patience_s, "request_timeout_s": patience_s, "stall_timeout_s": patience_s}
        return self._session_to(url, self._network.model_copy(update=waits), json_only=False)

    def account(self) -> wire.Account:
        """Whose token it is."""
        return _asked(wire.Account, self._client.account.get)

    def scopes(self) -> frozenset[str] | None:
        """What the token opens, None when the site does not know it."""
        tokens = _asked(TokenTest, lambda: {"tokens": self._calls.token_test(self._secret)}).tokens
        found = tokens.get(self._secret)
        return None if found is None else found.scope_names

    def upgrade(self) -> None:
        """Make the account a bot account, for good."""
        self._client.account.upgrade_to_bot()  # type: ignore[no-untyped-call]

    def playing(self) -> wire.Playing:
        """The running games, at most fifty."""
        return _asked(wire.Playing, lambda: {"nowPlaying": self._client.games.get_ongoing(count=wire.PLAYING_MOST)})

    def exported(self, game_id: str) -> ExportedGame:
        """A game that may have ended long ago. Running games lag by three moves."""
        return _asked(ExportedGame, lambda: self._client.games.export(game_id, as_pgn=False, moves=True))

    def events(self) -> LineStream:
        """The event stream; opening a second one closes the first."""
        return self._calls.events()

    def game(self, game_id: str) -> LineStream:
        """A game's stream."""
        return self._calls.game(game_id)

    def online_bots(self) -> OnlineBots:
        """The bots that are online, at most so many."""
        return _asked(OnlineBots, lambda: {"bots": list(self._client.bots.get_online_bots(BOTS_MOST))})

    def statuses(self, user_ids: Sequence[str]) -> UserStatuses:
        """What these are doing, at most a hundred."""
        return _asked(UserStatuses, lambda: {"users": self._client.users.get_realtime_statuses(*user_ids)})

    def challenge(self, name: str, fields: Fields) -> wire.Challenge:
        """Challenge somebody; an absent or None field is not asked for."""
        return _asked(wire.Challenge, lambda: self._calls.challenge(name, fields))

    def open_challenge(self, fields: Fields) -> OpenChallenge:
        """Make a challenge for anybody who is given its address."""
        return _asked(OpenChallenge, lambda: self._calls.challenge("open", fields))

    def arena(self, arena_id: str) -> Arena:
        """How an arena stands."""
        return _asked(Arena, lambda: self._client.tournaments.get_tournament(arena_id))

    def join_arena(self, arena_id: str, password: str | None, team: str | None) -> None:
        """Take part in an arena, for the first time or again."""
        self._calls.join_arena(arena_id, {"password": password, "team": team})

    def withdraw_arena(self, arena_id: str) -> None:
        """Play no more in an arena, until we join again."""
        self._client.tournaments.withdraw_arena(arena_id)

    def cancel(self, challenge_id: str) -> None:
        """Take a challenge of ours back; a game that has come of it is aborted if it has fewer than two plies."""
        self._client.challenges.cancel(challenge_id)

    def accept(self, challenge_id: str, color: str | None = None) -> None:
        """Accept a challenge; an open one with the color that is wanted."""
        if color is None:
            self._client.bots.accept_challenge(challenge_id)
        else:
            self._calls.accept(challenge_id, color)

    def decline(self, challenge_id: str, reason: str) -> None:
        """Decline a challenge, for one of wire.DECLINE_REASONS."""
        self._client.bots.decline_challenge(challenge_id, cast(Any, reason))

    def move(self, game_id: str, uci: str, *, offering_draw: bool) -> None:
        """Play a move; `offering_draw` offers a draw with it, or accepts the opponent's instead of moving."""
        self._calls.move(game_id, uci, offering_draw)

    def abort(self, game_id: str) -> None:
        """Abort a game of fewer than two plies."""
        self._client.bots.abort_game(game_id)

    def resign(self, game_id: str) -> None:
        """Resign; a game of fewer than two plies is aborted."""
        self._client.bots.resign_game(game_id)

    def answer_draw(self, game_id: str, *, accept: bool) -> None:
        """Offer, accept or refuse a draw."""
        self._calls.command(game_id, f"draw/{'yes' if accept else 'no'}")

    def answer_takeback(self, game_id: str, *, accept: bool) -> None:
        """Accept or refuse a takeback."""
        self._calls.command(game_id, f"takeback/{'yes' if accept else 'no'}")

    def say(self, game_id: str, room: str, text: str) -> None:
        """Write a line into a room of a game, "player" or "spectator"."""
        self._client.bots.post_message(game_id, text, spectator=room != "player")

    def claim_victory(self, game_id: str) -> None:
        """Claim the win when the opponent has left."""
        self._calls.command(game_id, "claim-victory")

    def claim_draw(self, game_id: str) -> None:
        """Claim a draw when the opponent has left."""
        self._calls.command(game_id, "claim-draw")

    def _session_to(self, url: str, network: Network, *, json_only: bool = True) -> LichessSession:
        site, home = origin(url), origin(self.url)
        trusted = site == home or (home == LICHESS and site in TRUSTED_BY_LICHESS)
        token = (self._secret or None) if trusted else None
        return LichessSession(url, token, self._agent, network, self._gates.at(site), json_only=json_only)


def _form(fields: Fields) -> dict[str, int | bool | str | None]:
    """The fields as a form has them."""
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in fields.items()}


def _asked(shape: type[wire.S], ask: Callable[[], object]) -> wire.S:
    try:
        return wire.read(shape, ask())
    except (requests.JSONDecodeError, KeyError, TypeError) as error:
        raise ServerTrouble(f"an answer that is not JSON of the expected form: {type(error).__name__}") from None
