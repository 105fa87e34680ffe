"""Another program that speaks UCI, driven by python-chess: a process of its own for each game."""

from __future__ import annotations

import errno
import logging
import os
import shlex
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Final

import chess.engine

from bot.config.sources import Engine
from bot.search.wireboard import wire_board
from bot.sources.source import MoveSource, Question, Setting, SourceFailed, Suggestion
from rules import uci

logger = logging.getLogger(__name__)

MATE_CP: Final = 31_000
LEAST_THINK_MS: Final = 10.0


class _Process:
    """The program as one game uses it; started when it is first needed, and again after it has broken down."""

    def __init__(self, terms: Engine, game_id: str) -> None:
        self._terms = terms
        self._game_id = game_id
        self._lock = threading.Lock()
        self._engine: chess.engine.SimpleEngine | None = None
        self._closed = False

    def ready(self) -> chess.engine.SimpleEngine:
        """The running program. Raises SourceFailed."""
        with self._lock:
            if self._closed:
                raise SourceFailed("the game is over")
            if self._engine is None or self._engine.returncode.done():
                self._engine = self._started()
            return self._engine

    def _started(self) -> chess.engine.SimpleEngine:
        terms = self._terms
        try:
            engine = chess.engine.SimpleEngine.popen_uci(
                shlex.split(terms.command), timeout=terms.start_s, cwd=terms.folder, stderr=subprocess.DEVNULL
            )
        except (OSError, TimeoutError, chess.engine.EngineError) as error:
            raise SourceFailed(f"{terms.command}: does not start: {error or type(error).__name__}") from None
        engine.timeout = terms.timeout_ms / 1000
        try:
            engine.configure(dict(terms.options))
        except (TimeoutError, chess.engine.EngineError) as error:
            engine.close()
            raise SourceFailed(f"{terms.command}: {error or type(error).__name__}") from None
        logger.info("game %s: started %s", self._game_id, engine.id.get("name", terms.command))
        return engine

    def drop(self) -> None:
        """End the program; the next question starts it again."""
        with self._lock:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def close(self) -> None:
        """End the program for good, without waiting for one that is just being started."""

        def end() -> None:
            with self._lock:
                self._closed = True
            self.drop()

        threading.Thread(target=end, name=f"end of engine of {self._game_id}", daemon=True).start()


class EngineSource(MoveSource):
    """Moves of a program, which thinks for as long as our search would.

    Raises: FileNotFoundError when there is no such program.
    """

    thinks = True

    def __init__(self, terms: Engine) -> None:
        program = shlex.split(terms.command)[0]
        # a path starts in the folder of the program, a name alone is looked for where programs are
        if shutil.which(Path(terms.folder or "") / program if os.sep in program else program) is None:
            raise FileNotFoundError(errno.ENOENT, "no such program", program)
        self._terms = terms
        self._lock = threading.Lock()
        self._processes: dict[str, _Process] = {}

    def begin_game(self, setting: Setting) -> None:
        """Start the program, so that it is ready by our first move."""
        process = self._process(setting.game_id)

        def start() -> None:
            try:
                process.ready()
            except SourceFailed:
                return  # the first question meets the same, and tells it

        threading.Thread(target=start, name=f"start of engine of {setting.game_id}", daemon=True).start()

    def suggest(self, question: Question) -> Suggestion | None:
        """The program's move; one that has broken down gets a second chance in the time that is left."""
        process = self._process(question.setting.game_id)
        grace_ms = min(self._terms.timeout_ms, question.within_ms / 4)
        think_ms = max(LEAST_THINK_MS, min(question.think_ms, question.within_ms - grace_ms))
        try:
            return self._play(process.ready(), question, think_ms)
        except chess.engine.EngineTerminatedError:
            logger.info("game %s: %s has broken down", question.setting.game_id, self._terms.command)
            process.drop()
        except (TimeoutError, chess.engine.EngineError) as error:
            process.drop()
            raise SourceFailed(f"{self._terms.command}: {error or type(error).__name__}") from None
        if question.over.is_set:
            return None
        try:
            return self._play(process.ready(), question, think_ms / 4)
        except (TimeoutError, chess.engine.EngineError) as error:
            process.drop()
            raise SourceFailed(f"{self._terms.command}: {error or type(error).__name__}") from None

    def end_game(self, game_id: str) -> None:
        """End the program."""
        with self._lock:
            process = self._processes.pop(game_id, None)
        if process is not None:
            process.close()

    def close(self) -> None:
        """End all programs."""
        with self._lock:
            processes, self._processes = self._processes, {}
        for process in processes.values():
            process.close()

    def _process(self, game_id: str) -> _Process:
        with self._lock:
            return self._processes.setdefault(game_id, _Process(self._terms, game_id))

    def _play(self, engine: chess.engine.SimpleEngine, question: Question, think_ms: float) -> Suggestion | None:
        variant, limits = question.setting.variant, self._terms.limits
        written = zip(question.positions, question.moves, strict=False)
        moves = [uci.write(before, move, variant.chess960) for before, move in written]
        board = wire_board(variant, question.positions[0].fen(), moves, question.position.turn)
        time_s = min(think_ms, limits.time_ms or think_ms) / 1000
        limit = chess.engine.Limit(time=time_s, depth=limits.depth, nodes=limits.nodes)
        result = engine.play(board, limit, game=question.setting.game_id, info=chess.engine.INFO_SCORE)
        if result.move is None:
            return None
        score = result.info.get("score")
        return Suggestion(result.move.uci(), None if score is None else score.relative.score(mate_score=MATE_CP))
