"""Centella as an engine for other programs: a session of the UCI protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TextIO

from bot.search.protocol import BadCommand, Go, Line, read_go, read_position, write_best, write_progress
from bot.search.thinker import StopFlag, Thinker, Thought
from rules import variants
from rules.errors import UnknownVariant
from rules.variant import Variant

DEFAULT_HASH_MB = 16
MOST_HASH_MB = 65536
DEFAULT_OVERHEAD_MS = 10
MOST_OVERHEAD_MS = 10000


class _Search:
    """One search under way."""

    def __init__(self, go: Go) -> None:
        self.go = go
        self.flag = StopFlag()
        self.may_end = threading.Event()
        self.answered = threading.Event()
        if not go.until_stopped:
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
        self._thinker = Thinker(DEFAULT_HASH_MB)
        self._uci_variant = "chess"
        self._chess960 = False
        self._overhead_ms = DEFAULT_OVERHEAD_MS
        self._line = read_position(["startpos"], self._variant)
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
            if self._search.go.until_stopped:
                self._search.stop()
            self._search.answered.wait()

    @property
    def _variant(self) -> Variant:
        return variants.by_uci_name(self._uci_variant, chess960=self._chess960)

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
            case ["ucinewgame"]:
                self._await_answer("ucinewgame")
                self._thinker.clear()
            case ["setoption", *rest]:
                self._await_answer("setoption")
                self._set_option(rest)
            case ["position", *rest]:
                self._line = read_position(rest, self._variant)
            case ["go", *rest]:
                self._await_answer("go")
                self._go(read_go(rest, self._line.positions[-1], self._overhead_ms))
            case _:
                raise BadCommand(f"unknown command {words[0]!r}")

    def _introduce(self) -> None:
        names = sorted({variant.uci_name for variant in variants.ALL})
        self._write(f"id name {self._name}")
        self._write("id author the Centella authors")
        self._write(f"option name Hash type spin default {DEFAULT_HASH_MB} min 1 max {MOST_HASH_MB}")
        self._write(f"option name Move Overhead type spin default {DEFAULT_OVERHEAD_MS} min 0 max {MOST_OVERHEAD_MS}")
        self._write("option name UCI_Chess960 type check default false")
        self._write(f"option name UCI_Variant type combo default chess {' '.join(f'var {name}' for name in names)}")
        self._write("uciok")

    def _set_option(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        name, _, value = text.partition(" value ")
        match name.removeprefix("name ").lower():
            case "hash":
                self._set_hash(_within(name, value, 1, MOST_HASH_MB))
            case "move overhead":
                self._overhead_ms = _within(name, value, 0, MOST_OVERHEAD_MS)
            case "uci_chess960":
                if value not in ("true", "false"):
                    raise BadCommand(f"setoption {name}: {value!r} is neither true nor false")
                self._play(self._uci_variant, value == "true")
            case "uci_variant":
                try:
                    variants.by_uci_name(value)
                except UnknownVariant as error:
                    raise BadCommand(f"setoption {name}: {error}") from None
                self._play(value, self._chess960)
            case _:
                raise BadCommand(f"setoption: no option {name.removeprefix('name ')!r}")

    def _play(self, uci_variant: str, chess960: bool) -> None:
        before = self._variant
        self._uci_variant, self._chess960 = uci_variant, chess960
        if self._variant is not before:
            self._line = read_position(["startpos"], self._variant)

    def _set_hash(self, megabytes: int) -> None:
        try:
            self._thinker = Thinker(megabytes)
        except MemoryError as error:
            raise BadCommand(f"setoption Hash: {error}") from None

    def _go(self, go: Go) -> None:
        self._search = _Search(go)
        # A daemon thread: an interrupted session leaves without waiting for its search.
        threading.Thread(target=self._think, args=(self._search, self._line), name="uci-search", daemon=True).start()

    def _think(self, search: _Search, line: Line) -> None:
        rook_castling = self._chess960
        told: list[Thought] = []

        def tell(thought: Thought) -> None:
            told[:] = [thought]
            self._say(search, write_progress(line, thought, rook_castling, self._thinker.fullness_permille()))

        if line.positions[-1].legal_moves():
            thought = self._thinker.think(line, search.go.limits, search.flag, tell)
            if not told or told[0].pv != thought.pv:
                # The iteration that was cut short had found a better move.
                tell(thought)
            best = write_best(line, thought, rook_castling)
        else:
            self._write("info string the game is over: there is no legal move")
            best = "bestmove (none)"
        search.may_end.wait()
        with self._writing, suppress(BrokenPipeError):
            # Whoever reads the answer may send the next `go` at once.
            search.answered.set()
            self._output.write(best + "\n")
            self._output.flush()

    def _say(self, search: _Search, text: str) -> None:
        """Tell how a search fares; when nobody listens any more, it stops."""
        try:
            self._write(text)
        except BrokenPipeError:
            search.stop()

    def _stop(self) -> None:
        if self._search is not None:
            self._search.stop()
            self._search.answered.wait()

    def _await_answer(self, command: str) -> None:
        """Lets a search that ends by itself end first."""
        if self._search is None or self._search.answered.is_set():
            return
        if self._search.go.until_stopped:
            raise BadCommand(f"{command}: a search is under way; stop it first")
        self._search.answered.wait()

    def _write(self, text: str) -> None:
        with self._writing:
            self._output.write(text + "\n")
            self._output.flush()


def _within(name: str, text: str, least: int, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise BadCommand(f"setoption {name}: {text!r} is not a number") from None
    if not least <= value <= most:
        raise BadCommand(f"setoption {name}: {value} is not between {least} and {most}")
    return value
