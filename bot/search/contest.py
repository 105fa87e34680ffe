"""A match: games in pairs, both colors from each opening, until all are played or its question is settled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import MappingProxyType

from bot.search.bout import Bout, Finished, play_bout
from bot.search.openings import openings
from bot.search.players import Pace, Player
from bot.search.programs import player
from bot.search.sprt import Sprt
from bot.search.tally import Result, Tally
from rules.move import Color
from rules.variant import Variant

_Pair = tuple[Player, Player]


class OtherOpenings(ValueError):
    """The games played before did not begin where the match would begin them now."""


@dataclass(frozen=True, slots=True)
class Before:
    """A game of this match that was played before."""

    fen: str
    result: Result


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: who, what, how many games, how fast, from where; and what was played before."""

    first: str
    second: str
    variant: Variant
    games: int
    pace: Pace
    openings: tuple[str, ...] = ()
    seed: int = 1
    concurrency: int = 1
    adjudicate: bool = False
    sprt: Sprt | None = None
    before: Mapping[int, Before] = field(default_factory=lambda: MappingProxyType({}))

    def tally_before(self) -> Tally:
        """The score of the games played before."""
        tally = Tally()
        for number, game in sorted(self.before.items()):
            tally = tally.plus(number, game.result)
        return tally

    def is_settled(self, tally: Tally) -> bool:
        """Whether the test has come to its end."""
        return self.sprt is not None and self.sprt.accepted(tally.pairs) is not None


def play_match(match: Match, tell: Callable[[Tally, Finished], None]) -> Tally:
    """Play the games that are missing; `tell` hears of each as it ends, and of the score with it.

    Raises: PlayerFailed when a player cannot be started, ValueError for a setting that is none, OtherOpenings;
        whatever `tell` raises.  Games under way are then given up.
    """
    tally = match.tally_before()
    if match.is_settled(tally) or len(match.before) >= match.games:
        return tally
    over = threading.Event()
    with ExitStack() as closing:
        pool = closing.enter_context(ThreadPoolExecutor(match.concurrency))
        idle = []
        for _ in range(min(match.concurrency, match.games - len(match.before))):
            pair: list[Player] = []
            for name in (match.first, match.second):
                pair.append(player(name))
                closing.callback(pair[-1].close)
            idle.append((pair[0], pair[1]))
        # Called first: what the players still answer is not looked at.
        closing.callback(over.set)
        for finished in _played(match, pool, idle, over):
            tally = tally.plus(finished.bout.number, finished.result)
            tell(tally, finished)
            if match.is_settled(tally):
                break
    return tally


def _played(match: Match, pool: ThreadPoolExecutor, idle: list[_Pair], over: threading.Event) -> Iterator[Finished]:
    """The games in the order in which they end, as many at a time as there are pairs of players."""
    bouts = _bouts(match)
    running: dict[Future[Finished | None], _Pair] = {}
    while True:
        while idle and (bout := next(bouts, None)) is not None:
            pair = idle.pop()
            running[pool.submit(play_bout, bout, *pair, over)] = pair
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            idle.append(running.pop(future))
            finished = future.result()
            if finished is not None:
                yield finished


def _bouts(match: Match) -> Iterator[Bout]:
    """The games that were not played before.

    Raises: OtherOpenings.
    """
    fen = ""
    positions = openings(match.variant, match.seed, match.openings)
    for number in range(match.games):
        if number % 2 == 0:
            fen = next(positions)
        before = match.before.get(number)
        if before is None:
            yield Bout(number, match.variant, fen, Color(number % 2), match.pace, match.adjudicate)
        elif before.fen != fen:
            raise OtherOpenings(f"game {number + 1} began from {before.fen}, and would now begin from {fen}")
