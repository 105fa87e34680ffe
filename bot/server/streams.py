"""Lines on their way to readers, and who is reading."""
from __future__ import annotations

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.server.timekeeper import Timekeeper
from rules.move import Color

KEEP_ALIVE = b"\n"


def encode(message: Mapping[str, Any]) -> bytes:
    """One line of a stream."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


class Stream:
    """The lines that one reader has still to be sent; the oldest are dropped when it is too slow.

    A blank line is sent when nothing else was for `keep_alive_ms`.
    """

    def __init__(self, timekeeper: Timekeeper, keep_alive_ms: int, limit: int) -> None:
        self._timekeeper = timekeeper
        self._keep_alive_ms = keep_alive_ms
        self._lines: deque[bytes] = deque(maxlen=limit)
        self._waiter: asyncio.Future[None] | None = None
        self._finished = False
        self._busy_at_ms = self._opened_at_ms = timekeeper.now_ms()
        # Streams that are opened together shall not be kept alive together: the first time may come early.
        first_ms = self._opened_at_ms + timekeeper.first_after_ms(keep_alive_ms)
        self._timer = timekeeper.call_at(first_ms, self._keep_alive)

    def push(self, line: bytes) -> None:
        """Send a line."""
        if not self._finished:
            self._busy_at_ms = self._timekeeper.now_ms()
            self._lines.append(line)
            self._wake()

    def finish(self) -> None:
        """End the stream once its lines are sent."""
        self._finished = True
        self._timer.cancel()
        self._wake()

    def abandon(self) -> None:
        """End the stream, and forget lines that nobody will read any more."""
        self._lines.clear()
        self.finish()

    async def next_line(self) -> bytes | None:
        """The next line once there is one, None at the end."""
        while not self._lines:
            if self._finished:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            self._waiter = None
        return self._lines.popleft()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _keep_alive(self) -> None:
        now_ms = self._timekeeper.now_ms()
        due_ms = self._busy_at_ms + self._keep_alive_ms
        if now_ms >= due_ms or now_ms < self._opened_at_ms + self._keep_alive_ms:
            if not self._lines:
                self.push(KEEP_ALIVE)
            due_ms = now_ms + self._keep_alive_ms
        self._timer = self._timekeeper.call_at(due_ms, self._keep_alive)


@dataclass(frozen=True, eq=False, slots=True)
class GameReader:
    """One open stream of a game: whose, which seat, and by which program."""

    stream: Stream
    user_id: str
    color: Color
    is_bot: bool
    user_agent: str


class Audience:
    """Every open stream: one of events for each user, any number for each game and each kept-alive challenge."""

    def __init__(self) -> None:
        self._events: dict[str, Stream] = {}
        self._games: defaultdict[str, list[GameReader]] = defaultdict(list)
        self._challenges: defaultdict[str, list[Stream]] = defaultdict(list)

    def online(self, user_id: str) -> bool:
        """Whether this user is reading events."""
        return user_id in self._events

    def open_events(self, user_id: str, stream: Stream) -> None:
        """Make this the user's only event stream; an older one ends."""
        older = self._events.get(user_id)
        self._events[user_id] = stream
        if older is not None:
            older.finish()

    def close_events(self, user_id: str, stream: Stream) -> None:
        """A reader of events has left."""
        stream.finish()
        if self._events.get(user_id) is stream:
            del self._events[user_id]

    def tell(self, user_id: str, line: bytes) -> None:
        """Send an event to a user, if there is one reading."""
        stream = self._events.get(user_id)
        if stream is not None:
            stream.push(line)

    def open_game(self, game_id: str, reader: GameReader) -> None:
        """Add a reader of a game; another stream of the same user and program ends."""
        for other in self._games[game_id]:
            if (other.user_id, other.user_agent) == (reader.user_id, reader.user_agent):
                other.stream.finish()
        self._games[game_id].append(reader)

    def close_game(self, game_id: str, reader: GameReader) -> bool:
        """A reader of a game has left; whether it was still counted as one."""
        reader.stream.finish()
        readers = self._games.get(game_id, [])
        if reader not in readers:
            return False
        readers.remove(reader)
        if not readers:
            del self._games[game_id]
        return True

    def readers(self, game_id: str) -> tuple[GameReader, ...]:
        """Who reads a game."""
        return tuple(self._games.get(game_id, ()))

    def finish_game(self, game_id: str) -> None:
        """End every stream of a game that is over."""
        for reader in self._games.pop(game_id, ()):
            reader.stream.finish()

    def open_challenge(self, challenge_id: str, stream: Stream) -> None:
        """Add a stream that waits for the fate of a challenge."""
        self._challenges[challenge_id].append(stream)

    def awaited(self, challenge_id: str) -> bool:
        """Whether somebody waits for the fate of a challenge."""
        return challenge_id in self._challenges

    def close_challenge(self, challenge_id: str, stream: Stream) -> bool:
        """Such a reader has left; whether it was the last one waiting."""
        stream.finish()
        waiting = self._challenges.get(challenge_id, [])
        if stream not in waiting:
            return False
        waiting.remove(stream)
        if not waiting:
            del self._challenges[challenge_id]
        return not waiting

    def settle_challenge(self, challenge_id: str, line: bytes) -> None:
        """Tell those who wait for a challenge what became of it, and end their streams."""
        for stream in self._challenges.pop(challenge_id, ()):
            stream.push(line)
            stream.finish()

    def close(self) -> None:
        """End every stream there is."""
        for stream in self._all():
            stream.finish()

    def _all(self) -> Iterator[Stream]:
        yield from self._events.values()
        for readers in self._games.values():
            yield from (reader.stream for reader in readers)
        for streams in self._challenges.values():
            yield from streams
