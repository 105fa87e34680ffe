"""Games that the engine plays against itself, to learn from.

Game number g of a seed is the same whenever and wherever it is played: it follows from the settings alone.  So workers
may share the games out among them, and a run that was killed goes on as if it had not been.
"""

from __future__ import annotations

import itertools
import random
import signal
from collections.abc import Generator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from bot.search.evaluation import netfile, networks
from bot.search.thinker import Limits, Thinker
from bot.search.training.packing import Judged, Layout
from rules import draws, variants
from rules.game import Game
from rules.move import Color, Move

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from rules.position import Position


class SelfPlayFailed(Exception):
    """A worker is lost."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that the games follow from."""

    variant_key: str
    seed: int
    nodes: int = 1200
    fewest_random_plies: int = 8
    most_random_plies: int = 10
    most_opening_cp: int = 300
    adjudicated_cp: int = 2000
    adjudicated_plies: int = 4
    most_plies: int = 400
    hash_mb: int = 4
    network: str = networks.AUTO

    def described(self) -> dict[str, Any]:
        """The settings as the header of a file has them; a network by what is in its file.

        Raises: NetworkError.
        """
        path = networks.chosen(variants.by_key(self.variant_key), self.network)
        shown = {name: value for name, value in asdict(self).items() if name != "variant_key"}
        return {**shown, "network": networks.NONE if path is None else netfile.read(path).checksum}


@dataclass(frozen=True, slots=True)
class Kept:
    """A position worth learning from, with the score that a search gave it."""

    position: Position
    score_cp: int
    ply: int


class SelfPlayer:
    """Plays games of one setting, one after the other."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._variant = variants.by_key(settings.variant_key)
        self._policy = draws.for_game(self._variant, with_bot=True)
        self._layout = Layout(self._variant)
        self._thinker = Thinker(settings.hash_mb, network=settings.network)

    def records(self, number: int) -> list[bytes]:
        """The records of a game; none when it ended, or was lost, before it began in earnest."""
        self._thinker.clear()
        game = self._opening(random.Random(f"{self._settings.seed} {number}"))
        kept, winner = self._play(game)
        return [
            self._layout.pack(one.position, Judged(one.score_cp, _result(one.position, winner), one.ply, number))
            for one in kept
        ]

    def _opening(self, chance: random.Random) -> Game:
        game = Game.start(self._variant, self._policy)
        plies = chance.randint(self._settings.fewest_random_plies, self._settings.most_random_plies)
        while game.outcome is None and len(game.moves) < plies:
            game.play(chance.choice(game.position.legal_moves()))
        return game

    def _play(self, game: Game) -> tuple[list[Kept], Color | None]:
        """The positions kept of a game, and who won it."""
        kept: list[Kept] = []
        first, decided_plies = len(game.moves), 0
        limits = Limits(nodes=self._settings.nodes)
        while game.outcome is None and len(game.moves) < self._settings.most_plies:
            thought = self._thinker.think(game, limits)
            if len(game.moves) == first and abs(thought.score_cp) > self._settings.most_opening_cp:
                return [], None
            if is_quiet(game.position, thought.move):
                kept.append(Kept(game.position, thought.score_cp, len(game.moves)))
            decided_plies = decided_plies + 1 if abs(thought.score_cp) >= self._settings.adjudicated_cp else 0
            if decided_plies >= self._settings.adjudicated_plies:
                return kept, game.turn if thought.score_cp > 0 else game.turn.other
            game.play(thought.move)
        return kept, None if game.outcome is None else game.outcome.winner


def is_quiet(position: Position, best: Move) -> bool:
    """Whether a static judgement can be right here: no king is attacked, and no man is to be taken or promoted."""
    return not position.checkers() and best.promotion is None and not position.is_capture(best)


def _result(position: Position, winner: Color | None) -> int:
    return 1 if winner is None else 2 * (winner == position.turn)


def play(settings: Settings, first: int, workers: int) -> Generator[tuple[int, list[bytes]], None, None]:
    """The numbers and records of all games from a first one on, in order, without end; closing it ends the workers.

    Raises: SelfPlayFailed when a worker is lost.
    """
    context = get_context("spawn")
    with ExitStack() as closing:
        sources = []
        for worker in range(workers):
            source, sink = context.Pipe(duplex=False)
            arguments = (sink, settings, first + worker, workers)
            process = context.Process(target=_work, args=arguments, name=f"selfplay-{worker}", daemon=True)
            process.start()
            sink.close()
            closing.callback(process.join)
            closing.callback(process.terminate)
            sources.append(source)
        for number in itertools.count(first):
            try:
                yield number, sources[(number - first) % workers].recv()
            except EOFError:
                raise SelfPlayFailed(f"the worker that played game {number} is gone") from None


def _work(sink: Connection, settings: Settings, first: int, step: int) -> None:
    """Plays every `step`-th game until nobody wants them; a full pipe makes it wait."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    player = SelfPlayer(settings)
    with suppress(BrokenPipeError):
        for number in itertools.count(first, step):
            sink.send(player.records(number))
