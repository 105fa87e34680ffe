"""What is kept of a match: its games as PGN, and notes by which it can be taken up again.

The notes are JSON, a line each: first the settings, then a line for every finished game with the lengths that the other
files had when it was in them.  A game counts as played once its line is whole, so that a match that was killed, at
whatever moment, goes on where it was: what the files hold beyond the last whole line is cut off.

    Exception
    └── BookError      the files are not those of this match
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot import pgn
from bot.search import wdl
from bot.search.bout import ADJUDICATION, Finished, Turn
from bot.search.contest import Before, Match
from bot.search.tally import BROKEN, ILLEGAL, TIME, Result
from rules.move import Color

_TERMINATIONS: Final = {
    ADJUDICATION: "adjudication",
    ILLEGAL: "rules infraction",
    TIME: "time forfeit",
    BROKEN: "abandoned",
}

# What the first line begins with; where even that is not all there, the match had not begun.
_NOTES_BEGIN: Final = b'{"settings": {'


class BookError(ValueError):
    """The files are not those of this match."""


@dataclass(frozen=True, slots=True)
class Output:
    """A file that grows with each game, and what is appended for one; with a header it is one match's own."""

    name: str
    path: Path
    write: Callable[[Finished], bytes]
    header: bytes = b""

    def begin(self) -> int:
        """Make the file ready for a match that begins; its length.

        Raises: BookError when it must be empty and is not, OSError.
        """
        length = _length(self.path)
        if not self.header:
            return length
        if length and self.path.read_bytes() != self.header:
            raise BookError(f"{self.path}: has something in it; go on with its match by --resume, or take another file")
        self.path.write_bytes(self.header)
        return len(self.header)


class Matchbook:
    """The files of a match; each finished game is appended to all of them at once.

    Raises: BookError when two of them are one file.
    """

    def __init__(self, match: Match, notes: Path | None, outputs: tuple[Output, ...]) -> None:
        paths = [path.resolve() for path in (notes, *(output.path for output in outputs)) if path is not None]
        for path in paths:
            if paths.count(path) > 1:
                raise BookError(f"{path}: wanted for two things at once; give each its own file")
        self._notes = notes
        self._outputs = outputs
        self._settings = {**settings_of(match), **{output.name: str(output.path) for output in outputs}}

    def take_up(self, match: Match) -> Match:
        """The match with what the notes know of it; cuts off what was written last and not noted.

        Raises: BookError, OSError.
        """
        content = b"" if self._notes is None or not self._notes.exists() else self._notes.read_bytes()
        *lines, unfinished = content.split(b"\n")
        if not lines and not _NOTES_BEGIN.startswith(unfinished[: len(_NOTES_BEGIN)]):
            raise BookError(f"{self._notes}:1: not the note of a match")
        if self._notes is not None and lines:
            return replace(match, before=self._go_on(self._notes, lines))
        lengths = {output.name: output.begin() for output in self._outputs}
        if self._notes is not None:
            note = {"settings": self._settings, "lengths": lengths}
            self._notes.write_text(json.dumps(note) + "\n", encoding="utf-8")
        return match

    def _go_on(self, path: Path, lines: list[bytes]) -> dict[int, Before]:
        """The games noted, with all files cut back to them."""
        notes = [self._read(line, number) for number, line in enumerate(lines, start=1)]
        try:
            self._compare(notes[0]["settings"])
            games = dict(_before(note) for note in notes[1:])
            for output in self._outputs:
                self._cut(output.path, notes[-1]["lengths"][output.name])
        except (KeyError, TypeError):
            raise BookError(f"{path}: not the notes of a match") from None
        self._cut(path, sum(len(line) + 1 for line in lines))
        return games

    def keep(self, finished: Finished) -> None:
        """Append a game.

        Raises: OSError.
        """
        lengths = {}
        for output in self._outputs:
            lengths[output.name] = _append(output.path, output.write(finished))
        if self._notes is not None:
            result = finished.result
            note = {
                "number": finished.bout.number,
                "fen": finished.bout.fen,
                "points": result.points,
                "plies": result.plies,
                "reason": result.reason,
                "lengths": lengths,
            }
            _append(self._notes, (json.dumps(note) + "\n").encode())

    def _read(self, line: bytes, number: int) -> dict[str, Any]:
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                return found
        raise BookError(f"{self._notes}:{number}: not the note of a match")

    def _compare(self, noted: Mapping[str, Any]) -> None:
        for name in sorted({**self._settings, **noted}):
            then, now = noted.get(name), self._settings.get(name)
            if then != now:
                raise BookError(f"{self._notes}: that match has {name} {_told(then)}, not {_told(now)}")

    def _cut(self, path: Path, length: int) -> None:
        found = _length(path)
        if found < length:
            raise BookError(f"{path}: shorter than {self._notes} says: {found} bytes instead of {length}")
        if found > length:
            with path.open("r+b") as file:
                file.truncate(length)


def settings_of(match: Match) -> dict[str, Any]:
    """What must be the same when a match is taken up again; how many games and at a time may change."""
    return {
        "first": match.first,
        "second": match.second,
        "variant": match.variant.key,
        "pace": str(match.pace),
        "seed": match.seed,
        "adjudicate": match.adjudicate,
        "sprt": None if match.sprt is None else f"{match.sprt.elo0:g},{match.sprt.elo1:g}",
    }


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _append(path: Path, content: bytes) -> int:
    """Append to a file; its length.

    Raises: OSError, which names the file.
    """
    try:
        with path.open("ab") as file:
            file.write(content)
            return file.tell()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _told(value: object) -> str:
    return "unset" if value is None else str(value)


def _before(note: Mapping[str, Any]) -> tuple[int, Before]:
    """The number and the outcome of a game noted; TypeError or KeyError when it is none."""
    number, plies, points = note["number"], note["plies"], note["points"]
    if not isinstance(number, int) or not isinstance(plies, int) or points not in (0, 0.5, 1):
        raise TypeError(note)
    return number, Before(note["fen"], Result(points, plies, note["reason"]))


def write_pgn(match: Match, finished: Finished, began_at: datetime) -> str:
    """A game of a match as PGN, with what the movers thought of their positions."""
    bout, game, result = finished.bout, finished.game, finished.result
    names = [match.first, match.second] if bout.first_color is Color.WHITE else [match.second, match.first]
    white_points = result.points if bout.first_color is Color.WHITE else 1 - result.points
    header = pgn.PgnHeader(
        event=f"Match at {match.pace}",
        site="-",
        game_id=str(bout.number + 1),
        started_at=began_at.astimezone(UTC),
        white=pgn.PgnPlayer(names[0]),
        black=pgn.PgnPlayer(names[1]),
        result=pgn.result_of(True, {1.0: Color.WHITE, 0.5: None, 0.0: Color.BLACK}[white_points]),
        time_control="-" if match.pace.base_ms is None else str(match.pace),
        termination=_TERMINATIONS.get(result.reason, "normal"),
        round=f"{bout.number // 2 + 1}.{bout.number % 2 + 1}",
    )
    comments = [
        _comment(turn, position.turn) for turn, position in zip(finished.turns, game.positions[:-1], strict=False)
    ]
    if comments:
        comments[-1] += f" {result.reason}"
    return pgn.write(game, header, comments=comments, with_opening=False) + "\n"


def _comment(turn: Turn, mover: Color) -> str:
    """Score, depth and time of a move in the words that other programs read; scores from White's side."""
    words = []
    score = turn.choice.score
    if score is not None:
        white = score if mover is Color.WHITE else -score
        mate = wdl.win_in(white)
        depth = "" if turn.choice.depth is None else f",{turn.choice.depth}"
        words.append(f"[%eval {f'{white / 100:.2f}' if mate is None else f'#{mate}'}{depth}]")
    seconds = turn.spent_ms / 1000
    words.append(f"[%emt {int(seconds // 3600)}:{int(seconds // 60 % 60):02}:{seconds % 60:06.3f}]")
    return " ".join(words)
