"""Files of records: a header that says how they came about, then records of equal length, game by game.

A file begins with a magic word, a version, the length of a record and that of a description in JSON, which names the
variant and every setting.  Games follow each other by number, so that a file whose writer was killed can be cut back
to its last whole game and gone on with; it ends up as if nothing had happened.

    Exception
    └── RecordsError      a file cannot be read, or does not fit what is asked of it
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.search.training.packing import Layout
from rules import variants
from rules.errors import UnknownVariant

if TYPE_CHECKING:
    from rules.variant import Variant

MAGIC: Final = b"CNTLREC\n"
VERSION: Final = 1
_FIXED: Final = struct.Struct("<8sHHI")  # magic, version, bytes of a record, bytes of the description
MOST_DESCRIPTION_BYTES: Final = 1 << 20


class RecordsError(Exception):
    """A file of records cannot be read, or does not fit what is asked of it; says which and why."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file of records says of itself."""

    variant: Variant
    description: Mapping[str, Any]  # all that its records follow from; `game` is the variant's key
    size: int  # of the header itself, in bytes


@dataclass(frozen=True, slots=True)
class Written:
    """How far a file has come."""

    records: int
    games: int  # the number of the first game that is still to be played


def header_bytes(variant: Variant, description: Mapping[str, Any]) -> bytes:
    """The header of a file; `description` must go into JSON."""
    text = json.dumps({"game": variant.key, **description}, sort_keys=True).encode()
    return _FIXED.pack(MAGIC, VERSION, Layout(variant).size, len(text)) + text


def read_header(path: Path) -> Header:
    """The header of a file.

    Raises: RecordsError.
    """
    try:
        with path.open("rb") as file:
            fixed = file.read(_FIXED.size)
            if len(fixed) < _FIXED.size or not fixed.startswith(MAGIC):
                raise RecordsError(f"{path}: this is no file of records")
            _, version, record_bytes, length = _FIXED.unpack(fixed)
            if version != VERSION:
                raise RecordsError(f"{path}: version {version} of the format, where {VERSION} can be read")
            text = file.read(min(length, MOST_DESCRIPTION_BYTES))
        description = json.loads(text)
        variant = variants.by_key(description["game"])
    except OSError as error:
        raise RecordsError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, UnknownVariant):
        raise RecordsError(f"{path}: the header is damaged") from None
    if record_bytes != Layout(variant).size:
        raise RecordsError(f"{path}: records of {record_bytes} bytes, where {variant.name} has {Layout(variant).size}")
    return Header(variant, description, _FIXED.size + length)


def whole_records(path: Path) -> tuple[Header, bytes]:
    """The header and all whole records of a file, end to end; a record that was cut short is left out.

    Raises: RecordsError.
    """
    header = read_header(path)
    content = path.read_bytes()[header.size :]
    return header, content[: len(content) - len(content) % Layout(header.variant).size]


def games(path: Path) -> Iterator[list[bytes]]:
    """The records of each game that left any.

    Raises: RecordsError.
    """
    header, content = whole_records(path)
    layout = Layout(header.variant)
    game: list[bytes] = []
    for at in range(0, len(content), layout.size):
        record = content[at : at + layout.size]
        if game and layout.judged(record).game != layout.judged(game[-1]).game:
            yield game
            game = []
        game.append(record)
    if game:
        yield game


def open_for_more(path: Path, variant: Variant, description: Mapping[str, Any]) -> Written:
    """Begin a file, or find how far one is surely whole: without its last game, which nothing tells to be all there.

    Nothing of it is cut off yet: `cut_back` does that, before more is written.

    Raises: RecordsError when the file was made from anything else.
    """
    if not path.exists() or path.stat().st_size == 0:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(header_bytes(variant, description))
        return Written(0, 0)
    header = read_header(path)
    wanted = json.loads(header_bytes(variant, description)[_FIXED.size :])
    other = sorted(name for name in {*wanted, *header.description} if wanted.get(name) != header.description.get(name))
    if other:
        raise RecordsError(f"{path}: was made with another {', '.join(other)}; go on as it began, or take another file")
    return _whole(path, header)


def cut_back(path: Path, written: Written) -> None:
    """Cut a file back to what is surely whole.

    Raises: RecordsError, OSError.
    """
    header = read_header(path)
    with path.open("r+b") as file:
        file.truncate(header.size + written.records * Layout(header.variant).size)


def _whole(path: Path, header: Header) -> Written:
    layout = Layout(header.variant)
    with path.open("rb") as file:
        count = (file.seek(0, os.SEEK_END) - header.size) // layout.size

        def game_of(index: int) -> int:
            file.seek(header.size + index * layout.size)
            number: int = layout.judged(file.read(layout.size)).game
            return number

        last = game_of(count - 1) if count > 0 else 0
        while count > 0 and game_of(count - 1) == last:
            count -= 1
    return Written(max(count, 0), last)
