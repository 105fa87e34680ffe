"""Tables on disk: a header of 96 bytes, then a byte a position, as the tables are looked up in memory.

The header holds, little-endian: the magic word, the version, the key of the game, the name of the ending, the number of
bytes that follow and their CRC-32; then for White and for Black to move the positions won, drawn and lost, counted
without their images; then the plies of the longest wins, and the numbers of positions that have them.

    Exception
    └── TableUnreadable      a file that is no finished table of that game and ending
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.search.tablebase.material import Material

MAGIC: Final = b"CENTABLE"
VERSION: Final = 1
HEADER: Final = struct.Struct("<8sH2x24s16sII3I3I2B2x2I")
# a byte for a position that no play leads to, or whose image has the value
UNUSED: Final = 128


class TableUnreadable(Exception):
    """A file that is no finished table of that game and ending."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


@dataclass(frozen=True, slots=True)
class Tally:
    """What a table says for one side to move; the longest win has 0 plies where there is none."""

    won: int
    drawn: int
    lost: int
    longest_plies: int
    longest_number: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table in memory or on disk: its bytes, what they add up to, for White and for Black to move, and their CRC."""

    values: memoryview
    tallies: tuple[Tally, Tally]
    checksum: int

    @property
    def is_sound(self) -> bool:
        """Whether the bytes are those that were written."""
        return zlib.crc32(self.values) == self.checksum


def write(path: Path, key: str, material: Material, values: bytes) -> None:
    """Write a table; the file appears whole or not at all."""
    white, black = _tally(values, 0), _tally(values, 1)
    header = HEADER.pack(
        MAGIC,
        VERSION,
        key.encode(),
        material.name.encode(),
        len(values),
        zlib.crc32(values),
        *(white.won, white.drawn, white.lost),
        *(black.won, black.drawn, black.lost),
        *(white.longest_plies, black.longest_plies),
        *(white.longest_number, black.longest_number),
    )
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(header)
        file.write(values)
    os.replace(part, path)


def read(path: Path, key: str, material: Material) -> Table:
    """The table in that file, mapped rather than read.

    Raises: FileNotFoundError, TableUnreadable.
    """
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < HEADER.size:
            raise TableUnreadable(path, "too short for a table")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    magic, version, game, name, size, checksum, *rest = HEADER.unpack_from(mapped)
    if magic != MAGIC:
        raise TableUnreadable(path, "not a table")
    if version != VERSION:
        raise TableUnreadable(path, f"version {version}, expected {VERSION}")
    found = f"{game.rstrip(bytes(1)).decode()} {name.rstrip(bytes(1)).decode()}"
    if found != f"{key} {material.name}":
        raise TableUnreadable(path, f"the table {found}, expected {key} {material.name}")
    if size != len(mapped) - HEADER.size:
        raise TableUnreadable(path, f"{len(mapped) - HEADER.size} bytes of values, expected {size}")
    white = Tally(rest[0], rest[1], rest[2], rest[6], rest[8])
    black = Tally(rest[3], rest[4], rest[5], rest[7], rest[9])
    return Table(memoryview(mapped)[HEADER.size :], (white, black), checksum)


def _tally(values: bytes, turn: int) -> Tally:
    half = len(values) // 2
    counts = Counter(values[turn * half : (turn + 1) * half])
    wins = [value for value in counts if 0 < value < UNUSED]
    longest = max(wins, default=0)
    return Tally(
        won=sum(counts[value] for value in wins),
        drawn=counts[0],
        lost=sum(count for value, count in counts.items() if value > UNUSED),
        longest_plies=longest,
        longest_number=values.index(longest, turn * half) if longest else 0,
    )
