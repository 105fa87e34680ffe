"""Centella as an engine for other programs: a session of the UCI protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TextIO

from bot.search.evaluation import for_game
from bot.search.protocol import BadCommand, Go, Line, Pace, read_go, read_position, write_best, write_progress
from bot.search.settings import CLEAR_HASH, Settings, announcements, with_option
from bot.search.tablebase.files import TableUnreadable
from bot.search.tablebase.generation import tables_of
from bot.search.thinker import Limits, StopFlag, Thinker, Thought, folder_of_tables


class _Search:
    """One search under way."""

    def __init__(self, go: Go) -> None:
        self.go = go
        self.flag = StopFlag()
        self.may_end = threading.Event()
        self.answered = threading.Event()
        if not go.until_stopped and not go.pondering:
            self.may_end.set()

    @property
    def ends(self) -> bool:
        """Whether the answer comes without another command."""
        return self.go.ends and self.may_end.is_set()

    @property
    def limits(self) -> Limits:
        """What holds from the beginning: while pondering, no time does."""
        return replace(self.go.limits, time_ms=None, soft_ms=None) if self.go.pondering else self.go.limits

    def hit(self) -> None:
        """The move that was pondered on has been played."""
        limits = self.go.limits
        if limits.time_ms is not None:
            self.flag.allow(limits.time_ms, limits.soft_ms or 0)
        if not self.go.until_stopped:
            self.may_end.set()

    def stop(self) -> None:
        self.flag.set()
        self.may_end.set()


class Session:
    """Answers the commands of another program; one session for one pair of streams."""

    def __init__(self, output: TextIO, name: str = "Centella") -> None:
        self._output = output
        self._name = name
        self._writing = threading.Lock()
        self._settings = Settings()
        self._thinker = Thinker(self._settings.hash_mb)
        self._line = read_position(["startpos"], self._settings.variant)
        self._search: _Search | None = None

    def run(self, commands: Iterable[str]) -> None:
        """Follow the commands until `quit` or their end; a search with a limit is then still finished."""
        try:
            self._serve(commands)
        finally:
            # also when interrupted, or when nobody reads our answers
            if self._search is not None:
                self._search.stop()

    def _serve(self, commands: Iterable[str]) -> None:
        for text in commands:
            words = text.split()
            if words[:1] == ["quit"]:
                self._stop()
                break
            try:
                self._follow(words)
            except BadCommand as error:
                self._write(f"info string {error}")
        if self._search is not None:
            if not self._search.ends:
                self._search.stop()
            self._search.answered.wait()

    def _follow(self, words: Sequence[str]) -> None:
        match words:
            case []:
                return
            case ["uci"]:
                self._introduce()
            case ["isready"]:
                self._write("readyok")
            case ["stop"]:
                self._stop()
            case ["ponderhit"]:
                self._hit()
            case ["debug" | "register", *_]:
                # there is nothing to be told beside the usual, and nothing to register
                return
            case ["ucinewgame"]:
                self._await_answer("ucinewgame")
                self._thinker.clear()
            case ["setoption", *rest]:
                self._await_answer("setoption")
                self._set_option(rest)
            case ["position", *rest]:
                self._line = read_position(rest, self._settings.variant)
            case ["go", *rest]:
                self._await_answer("go")
                self._go(rest)
            case _:
                raise BadCommand(f"unknown command {words[0]!r}")

    def _introduce(self) -> None:
        self._write(f"id name {self._name}")
        self._write("id author the Centella authors")
        for text in announcements():
            self._write(text)
        self._write("uciok")

    def _set_option(self, words: Sequence[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name.lower() == CLEAR_HASH:
            self._thinker.clear()
            return
        before, settings = self._settings, with_option(self._settings, name, value)
        if settings.tables is not None and (settings.tables, settings.variant) != (before.tables, before.variant):
            _try_tables(settings)
        if (settings.hash_mb, settings.tables) != (before.hash_mb, before.tables):
            try:
                self._thinker = Thinker(settings.hash_mb, settings.search_options, tables=settings.tables)
            except MemoryError as error:
                raise BadCommand(f"setoption Hash: {error}") from None
        elif settings.search_options != before.search_options:
            self._thinker.set_options(settings.search_options)
        self._thinker.threads = settings.threads
        self._settings = settings
        if settings.variant is not before.variant:
            self._line = read_position(["startpos"], settings.variant)

    def _go(self, words: Sequence[str]) -> None:
        settings = self._settings
        pace = Pace(settings.overhead_ms, settings.ponder)
        go, complaints = read_go(words, self._line.positions[-1], settings.lines, pace)
        for complaint in complaints:
            self._write(f"info string {complaint}")
        self._search = _Search(go)
        # A daemon thread: an interrupted session leaves without waiting for its search.
        threading.Thread(target=self._think, args=(self._search, self._line), name="uci-search", daemon=True).start()

    def _think(self, search: _Search, line: Line) -> None:
        """Answer a `go`; whatever goes wrong, nobody is left waiting for the answer."""
        try:
            best = self._best(search, line)
            search.may_end.wait()
            with self._writing, suppress(OSError):
                # Whoever reads the answer may send the next `go` at once.
                search.answered.set()
                self._output.write(best + "\n")
                self._output.flush()
        finally:
            search.answered.set()

    def _best(self, search: _Search, line: Line) -> str:
        rook_castling = self._settings.chess960
        spread = for_game(line.variant).spread if self._settings.shows_chances else None
        told: list[Thought] = []

        def tell(thought: Thought) -> None:
            told[:] = [thought]
            fullness = self._thinker.fullness_permille()
            self._say(search, "\n".join(write_progress(line, thought, rook_castling, fullness, spread)))

        if not line.positions[-1].legal_moves():
            self._say(search, "info string the game is over: there is no legal move")
            return "bestmove (none)"
        if search.go.limits.moves == ():
            self._say(search, "info string there is no legal move among those to be searched")
            return "bestmove (none)"
        thought = self._thinker.think(line, search.limits, search.flag, tell)
        if not told or told[0].pv != thought.pv:
            # The iteration that was cut short had found a better move.
            tell(thought)
        return write_best(line, thought, rook_castling)

    def _say(self, search: _Search, text: str) -> None:
        """Tell how a search fares; when nobody listens any more, it stops."""
        try:
            self._write(text)
        except OSError:
            search.stop()

    def _stop(self) -> None:
        if self._search is not None:
            self._search.stop()
            self._search.answered.wait()

    def _hit(self) -> None:
        search = self._search
        if search is None or not search.go.pondering or search.may_end.is_set():
            raise BadCommand("ponderhit: nothing is pondered on")
        search.hit()

    def _await_answer(self, command: str) -> None:
        """Lets a search that ends by itself end first."""
        if self._search is None or self._search.answered.is_set():
            return
        if not self._search.ends:
            raise BadCommand(f"{command}: a search is under way; stop it first")
        self._search.answered.wait()

    def _write(self, text: str) -> None:
        with self._writing:
            self._output.write(text + "\n")
            self._output.flush()


def _try_tables(settings: Settings) -> None:
    """Opens the end-game tables of the game, so that none is found broken in a search."""
    try:
        tables_of(settings.variant, folder_of_tables(settings.tables or ""))
    except (TableUnreadable, ValueError) as error:
        raise BadCommand(f"setoption TablePath: {error}") from None
