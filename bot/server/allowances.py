"""What a user may still do, by the limits that are set; with none set, anything."""
from __future__ import annotations

from bot.server.quotas import Limited, Limits, Meter, Meters
from bot.server.users import User

_PERSON_POINTS, _BOT_POINTS = 5, 1
_BOT_GAMES_KEY = "bot.vsBot.day"
_TOO_MANY = "Too many requests. Try again later."


class Allowances:
    """The limits of one server, and how much of them has been used."""

    def __init__(self, limits: Limits) -> None:
        self._bot_games = Meter(limits.bot_games)
        self._challenges = Meters(*limits.challenges_by_user)
        self._addresses = Meters(limits.challenges_by_address)
        self._ai_games = Meters(*limits.ai_games)
        self._accounts = Meters(limits.account_reads)
        self._event_streams = Meters(limits.event_streams)
        self._token_tests = Meters(limits.token_tests)
        self._chat = Meters(limits.chat_lines)
        self._requests = Meters(limits.requests_by_address)
        self._guests = Meters(limits.guests_by_address)
        self.limits = limits

    def take_challenge(self, challenger: User, dest: User, address: str, now_ms: int, *, follows: bool) -> None:
        """One challenge; nothing is counted when it is `follows`, that is when the other follows the challenger.

        Raises: Limited.
        """
        self.check_bot_game(challenger, dest, now_ms)
        points = 0 if follows else _BOT_POINTS if dest.is_bot else _PERSON_POINTS
        if self._addresses.wait_ms(address, 1, now_ms):
            raise Limited(_TOO_MANY)
        self._challenges.take(challenger.id, points, now_ms, _TOO_MANY)
        self._addresses.spend(address, 1, now_ms)

    def check_bot_game(self, user: User, other: User, now_ms: int) -> None:
        """Whether both bots may begin another game; games with people do not count.

        Raises: Limited, 429 when it is `user` who may not, 400 when it is the other.
        """
        if not (user.is_bot and other.is_bot):
            return
        for who, status in ((user, 429), (other, 400)):
            wait_ms = self._bot_games.wait_ms(who.id, 1, now_ms)
            if wait_ms:
                text = f"{who.name} has played as many games against bots as a bot may play in a day"
                raise Limited(text, _BOT_GAMES_KEY, -(-wait_ms // 1000), status)

    def count_bot_game(self, user_ids: tuple[str, str], now_ms: int) -> None:
        """Two bots begin a game."""
        for user_id in user_ids:
            self._bot_games.spend(user_id, 1, now_ms)

    def take_ai_game(self, user: User, now_ms: int) -> None:
        """One game against a machine. Raises: Limited."""
        self._ai_games.take(user.id, 1, now_ms, _TOO_MANY)

    def take_account_read(self, user: User, now_ms: int) -> None:
        """One look at the own account. Raises: Limited."""
        self._accounts.take(user.id, 1, now_ms, _TOO_MANY)

    def take_event_stream(self, user: User, now_ms: int) -> None:
        """One opening of the event stream. Raises: Limited."""
        self._event_streams.take(user.id, 1, now_ms, _TOO_MANY)

    def may_say(self, user: User, now_ms: int) -> bool:
        """Whether a line of chat is heard."""
        heard = self._chat.wait_ms(user.id, 1, now_ms) == 0
        if heard:
            self._chat.spend(user.id, 1, now_ms)
        return heard

    def take_request(self, address: str, now_ms: int) -> None:
        """One request, whatever it asks. Raises: Limited."""
        self._requests.take(address, 1, now_ms, _TOO_MANY)

    def take_guest(self, address: str, now_ms: int) -> None:
        """One new guest. Raises: Limited."""
        self._guests.take(address, 1, now_ms, _TOO_MANY)

    def take_token_tests(self, count: int, address: str, now_ms: int) -> None:
        """So many tokens to test. Raises: Limited."""
        self._token_tests.take(address, count, now_ms, _TOO_MANY)
