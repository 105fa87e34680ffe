"""A match: openings, games with both colors of each, and the score."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from math import sqrt
from queue import SimpleQueue

from bot.search.players import Clocks, Pace, Player, PlayerFailed, player
from bot.search.thinker import Limits, Thinker
from rules import draws
from rules.errors import IllegalMove
from rules.game import Game
from rules.move import Color
from rules.variant import Variant

MOST_PLIES = 600
RANDOM_PLIES = 8
BALANCED_CP = 100
JUDGE_NODES = 3000


@dataclass(frozen=True, slots=True)
class Played:
    """One game, from the first player's view."""

    points: float
    plies: int
    # Whose fault the end was, if anybody's: "illegal move", "time", "broken down".
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The games so far, from the first player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    illegal: int = 0
    forfeits: int = 0

    def plus(self, played: Played) -> Tally:
        """With one game more."""
        return Tally(
            self.wins + (played.points == 1),
            self.draws + (played.points == 0.5),
            self.losses + (played.points == 0),
            self.illegal + (played.fault == "illegal move"),
            self.forfeits + (played.fault in ("time", "broken down")),
        )

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def percent(self) -> float:
        """The first player's points in percent."""
        return 100 * (self.wins + self.draws / 2) / max(self.games, 1)

    @property
    def error_percent(self) -> float:
        """Half the width of the 95 % interval of `percent`."""
        if not self.games:
            return 0.0
        mean = self.percent / 100
        squares = self.wins * (1 - mean) ** 2 + self.draws * (0.5 - mean) ** 2 + self.losses * mean**2
        return 100 * 1.96 * sqrt(squares / self.games / self.games)


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: who, what, how many games, how fast, from where."""

    first: str
    second: str
    variant: Variant
    games: int
    pace: Pace
    openings: tuple[str, ...] = ()
    seed: int = 1
    concurrency: int = 1


def read_openings(lines: Iterable[str]) -> tuple[str, ...]:
    """The positions of an openings file: a FEN a line, what follows ` ;` left out, `#` for comments."""
    fens = (line.partition(";")[0].strip() for line in lines if not line.startswith("#"))
    return tuple(fen for fen in fens if fen)


def openings(match: Match) -> Iterator[str]:
    """A position for each pair of games: of the list in drawn order, else after random moves that keep the balance."""
    chance = random.Random(match.seed)
    if match.openings:
        while True:
            yield from chance.sample(match.openings, len(match.openings))
    thinker = Thinker(4)
    while True:
        game = Game.start(match.variant, draws.for_game(match.variant, with_bot=True))
        while game.outcome is None and len(game.moves) < RANDOM_PLIES:
            game.play(chance.choice(game.position.legal_moves()))
        if game.outcome is None and abs(thinker.think(game, Limits(nodes=JUDGE_NODES)).score_cp) <= BALANCED_CP:
            yield game.position.fen()


def play_match(match: Match, tell: Callable[[Tally], None]) -> Tally:
    """Play all games; `tell` hears of each.

    Raises: PlayerFailed when a player cannot be started, ValueError for a setting that is none.
    """
    tally = Tally()
    idle: SimpleQueue[tuple[Player, Player]] = SimpleQueue()
    with ExitStack() as closing:
        for _ in range(match.concurrency):
            pair = []
            for name in (match.first, match.second):
                pair.append(player(name))
                closing.callback(pair[-1].close)
            idle.put((pair[0], pair[1]))
        with ThreadPoolExecutor(match.concurrency) as pool:
            for played in pool.map(lambda task: _with_idle_pair(match, idle, task), _tasks(match)):
                tally = tally.plus(played)
                tell(tally)
    return tally


def _tasks(match: Match) -> Iterator[tuple[str, Color]]:
    """The opening and the first player's color of each game."""
    fen = ""
    positions = openings(match)
    for number in range(match.games):
        if number % 2 == 0:
            fen = next(positions)
        yield fen, Color(number % 2)


def _with_idle_pair(match: Match, idle: SimpleQueue[tuple[Player, Player]], task: tuple[str, Color]) -> Played:
    pair = idle.get()
    try:
        return play_game(match, pair, *task)
    finally:
        idle.put(pair)


def play_game(match: Match, pair: tuple[Player, Player], fen: str, first_color: Color) -> Played:
    """One game from a position, the pair's first player having this color."""
    game = Game.start(match.variant, draws.for_game(match.variant, with_bot=True), fen)
    left_ms = [match.pace.base_ms or 0, match.pace.base_ms or 0]
    for one in pair:
        one.begin(game)
    while game.outcome is None and len(game.moves) < MOST_PLIES:
        turn = game.turn
        clocks = None if match.pace.base_ms is None else Clocks(*left_ms)
        began = time.perf_counter()
        fault = _move(game, pair[turn != first_color], match.pace, clocks)
        left_ms[turn] -= round(1000 * (time.perf_counter() - began))
        if fault is None and clocks is not None and left_ms[turn] < 0:
            fault = "time"
        if fault is not None:
            return Played(float(turn != first_color), len(game.moves), fault)
        left_ms[turn] += match.pace.increment_ms
    winner = None if game.outcome is None else game.outcome.winner
    return Played(0.5 if winner is None else float(winner is first_color), len(game.moves))


def _move(game: Game, one: Player, pace: Pace, clocks: Clocks | None) -> str | None:
    """Plays a move of this player; what it did wrong, if anything."""
    try:
        game.play_uci(one.choose(game, pace, clocks))
    except IllegalMove:
        return "illegal move"
    except PlayerFailed:
        return "broken down"
    return None
