"""Room for streams: so many for each user, and so many in all, however they are opened."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from bot.server.quotas import Limited
from bot.server.streams import Stream

_WAIT_S = 10


class Places:
    """Counts the streams that are open."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """Streams that are open."""
        return self._taken.total()

    def check(self, user_id: str) -> None:
        """Whether one more stream may be opened by this user.

        Raises: Limited.
        """
        if self._taken[user_id] >= self._most_each:
            raise Limited("Too many streams of yours are open", seconds=_WAIT_S)
        if self.taken >= self._most:
            raise Limited("Too many streams are open", seconds=_WAIT_S, status=503)

    def seat(self, user_id: str, opening: AbstractContextManager[Stream]) -> AbstractContextManager[Stream]:
        """The stream with a place, which it takes when it is opened.

        Raises: Limited when there is none left.
        """
        self.check(user_id)
        return self._counted(user_id, opening)

    @contextmanager
    def _counted(self, user_id: str, opening: AbstractContextManager[Stream]) -> Iterator[Stream]:
        self._taken[user_id] += 1
        try:
            with opening as stream:
                yield stream
        finally:
            self._taken[user_id] -= 1
            if not self._taken[user_id]:
                del self._taken[user_id]
