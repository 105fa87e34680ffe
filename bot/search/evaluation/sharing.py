"""Evaluations that many thinkers share: each network is mapped once, however many games are played with it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from bot.search.evaluation import for_game
from bot.search.evaluation.networks import AUTO

if TYPE_CHECKING:
    from bot.search.evaluation import Profile
    from rules.variant import Variant


class Profiles:
    """The profile of each game, made when it is first asked for; `network` is what `for_game` takes. For any thread."""

    def __init__(self, network: str = AUTO) -> None:
        self._network = network
        self._lock = threading.Lock()
        self._made: dict[str, Profile] = {}

    def of(self, variant: Variant) -> Profile:
        """The profile of a game, always the same.

        Raises: NetworkError.
        """
        with self._lock:
            if variant.key not in self._made:
                self._made[variant.key] = for_game(variant, self._network)
            return self._made[variant.key]
