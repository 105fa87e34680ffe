"""Other programs as players: a process of its own for each, driven by python-chess.

A program is named by its command and the UCI options it shall have: `COMMAND[;NAME=VALUE...]`.  A `;` within quotes,
single or double, belongs to what it stands in; the command is read as a shell would read it, but no shell is asked.
"""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Final

import chess.engine

from bot.search.players import Choice, Clocks, OwnPlayer, Pace, Player, PlayerFailed, is_own, own_thinker, score_of_mate
from bot.search.wireboard import wire_board
from rules.game import Game

START_TIMEOUT_S: Final = 20.0
# What a program may take beyond the time of a move before it counts as hung; some do not keep to it closely.
GRACE_S: Final = 20.0
PAST_FLAG_S: Final = 0.1
# What it may take for a move without a time limit.
PATIENCE_S: Final = 600.0
# Up to a semicolon outside of quotes; a quote without its end is left for whoever reads the part to complain of.
_PART: Final = re.compile(r"""(?:^|;)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^;"'])*)""")


@dataclass(frozen=True)
class Program:
    """A command, and the options that its process is given.

    Raises: ValueError when the text is no such thing.
    """

    words: tuple[str, ...]
    options: Mapping[str, str]

    @classmethod
    def read(cls, text: str) -> Program:
        """The program that a text names.

        Raises: ValueError.
        """
        command, *settings = _PART.findall(text)
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise ValueError(f"{text}: {error}") from None
        if not words:
            raise ValueError("a player is missing: the text is empty" if not text.strip() else f"{text}: no command")
        options = {}
        for setting in settings:
            name, sign, value = setting.partition("=")
            if not name.strip() or not sign:
                raise ValueError(f"{text}: {setting.strip()!r} is not NAME=VALUE")
            options[name.strip()] = _unquoted(value.strip())
        return cls(words, options)

    def start(self, more: Mapping[str, int] | None = None) -> chess.engine.SimpleEngine:
        """A process, with its options set, and some more where it has them.

        Raises: PlayerFailed.
        """
        name = shlex.join(self.words)
        try:
            engine = chess.engine.SimpleEngine.popen_uci(
                list(self.words), timeout=START_TIMEOUT_S, stderr=subprocess.DEVNULL
            )
        except (OSError, ValueError, TimeoutError, chess.engine.EngineError) as error:
            raise PlayerFailed(f"{name}: {error or type(error).__name__}") from error
        try:
            engine.configure({name: value for name, value in (more or {}).items() if name in engine.options})
            engine.configure(self.options)
        except (TimeoutError, chess.engine.EngineError) as error:
            engine.close()
            raise PlayerFailed(f"{name}: {error or type(error).__name__}") from error
        return engine


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


class UciPlayer:
    """Another program as a player; after a break-down it is started anew for the next game.

    Raises: PlayerFailed, ValueError when the text names no program.
    """

    def __init__(self, text: str) -> None:
        self.name = text
        self._program = Program.read(text)
        self._engine = self._program.start()
        self._game: object = None
        self._closed = False

    def begin(self, game: Game) -> None:
        """Let the program know of a new game, with its next position.

        Raises: PlayerFailed.
        """
        if self._engine.returncode.done() and not self._closed:
            self._engine = self._program.start()
        if self._closed:
            # By another thread, perhaps while the program was starting.
            self._engine.close()
            raise PlayerFailed(f"{self.name}: the match is over")
        self._game = object()

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> Choice:
        """The move that the program answers with.

        Raises: PlayerFailed.
        """
        moves = game.uci_moves(game.variant.chess960)
        board = wire_board(game.variant, game.initial.fen(), moves, game.turn)
        try:
            result = self._ask(board, _limit(pace, clocks)).result(_patience_s(game, pace, clocks))
        except (chess.engine.EngineError, TimeoutError, CancelledError) as error:
            # Whatever it still does belongs to a game that is lost.
            self._engine.close()
            raise PlayerFailed(f"{self.name}: {error or type(error).__name__}") from error
        move = "0000" if result.move is None else result.move.uci()
        return Choice(move, score_in(result.info), result.info.get("depth"))

    def _ask(self, board: chess.Board, limit: chess.engine.Limit) -> Future[chess.engine.PlayResult]:
        """The answer to come; unlike python-chess's own face, one can wait for it for a while only."""
        protocol = self._engine.protocol
        info = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
        asked = protocol.play(board, limit, game=self._game, info=info)
        try:
            return asyncio.run_coroutine_threadsafe(asked, protocol.loop)
        except RuntimeError as error:
            # The loop has ended with the program.
            asked.close()
            raise chess.engine.EngineTerminatedError(str(error)) from error

    def close(self) -> None:
        """End the program."""
        self._closed = True
        self._engine.close()


def score_in(info: chess.engine.InfoDict) -> int | None:
    """The score that a program told, in the search's scale and from the mover's side."""
    told = info.get("score")
    if told is None:
        return None
    mate = told.relative.mate()
    return told.relative.score() if mate is None else score_of_mate(mate)


def _limit(pace: Pace, clocks: Clocks | None) -> chess.engine.Limit:
    if clocks is not None:
        increment_s = pace.increment_ms / 1000
        return chess.engine.Limit(
            white_clock=clocks.white_ms / 1000,
            black_clock=clocks.black_ms / 1000,
            white_inc=increment_s,
            black_inc=increment_s,
        )
    return chess.engine.Limit(time=None if pace.movetime_ms is None else pace.movetime_ms / 1000, nodes=pace.nodes)


def _patience_s(game: Game, pace: Pace, clocks: Clocks | None) -> float:
    if clocks is not None:
        # Later it has lost anyway.
        return (clocks.white_ms if game.turn == 0 else clocks.black_ms) / 1000 + PAST_FLAG_S
    return PATIENCE_S if pace.movetime_ms is None else pace.movetime_ms / 1000 + GRACE_S


def player(text: str) -> Player:
    """The player that a text names: `centella[:key=value,...]`, or `COMMAND[;NAME=VALUE...]`.

    Raises: PlayerFailed, ValueError for a setting that is none.
    """
    return OwnPlayer(text, own_thinker(text)) if is_own(text) else UciPlayer(text)
