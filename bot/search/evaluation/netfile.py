"""The files of networks: a header that says what a network is for and how it came about, then its numbers.

All numbers are little-endian.  After the fixed header come a description in JSON (`game`, and whatever else tells where
the network comes from), then, each beginning at a multiple of 64: the rows of weights, one a feature, their biases
(int16, QA = 255 for one), the weights of the output (int16, QB = 64), for each head the mover's and the other side's,
and its biases (int32, QA x QB).

    ValueError
    └── NetworkError      a file cannot be read, is damaged, or belongs to another game
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bot.search.evaluation.features import Features

MAGIC: Final = b"CNTLNET\n"
VERSION: Final = 1
QA: Final = 255
QB: Final = 64
WIDTHS: Final = (64, 128, 192, 256)
MOST_HEADS: Final = 8
MOST_SCALE_CP: Final = 2**16 - 1
# Weights beyond these could overflow the sums.
MOST_ROW: Final = 505
MOST_OUTPUT: Final = 127
_LINE: Final = 64
# magic, version, QA, QB, width, planes, heads, scale, bytes of the description, features, checksum of all that follows
_FIXED: Final = struct.Struct("<8s6HHIQ16s")


class NetworkError(ValueError):
    """A network file cannot be read, is damaged, or belongs to another game; says which and why."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is, and where its numbers lie in the file, in bytes."""

    width: int
    planes: int
    heads: int
    scale_cp: int
    first: int  # where the numbers begin

    @property
    def rows_at(self) -> int:
        """Of the weights of the features."""
        return self.first

    @property
    def biases_at(self) -> int:
        """Of the biases of the sums."""
        return self.rows_at + self.planes * 64 * self.width * 2

    @property
    def output_at(self) -> int:
        """Of the weights of the output."""
        return self.biases_at + self.width * 2

    @property
    def output_biases_at(self) -> int:
        """Of the biases of the output."""
        return self.output_at + self.heads * 2 * self.width * 2

    @property
    def end(self) -> int:
        """Of the file."""
        return self.output_biases_at + self.heads * 4


@dataclass(frozen=True, slots=True)
class NetFile:
    """A network as its file has it; `content` is the whole file, mapped read-only."""

    path: Path
    description: Mapping[str, Any]
    shape: Shape
    feature_digest: int
    content: mmap.mmap | bytes

    @property
    def game(self) -> str:
        """The key of the game that it was learnt for."""
        return str(self.description["game"])

    @property
    def refines(self) -> str | None:
        """The digest of the weights made by hand that its scores are added to; None when it judges alone."""
        return self.description.get("refines")

    @property
    def checksum(self) -> str:
        """Of all that a network is, in hexadecimal digits."""
        return bytes(self.content[_FIXED.size - 16 : _FIXED.size]).hex()


def read(path: Path) -> NetFile:
    """Map a file, and see that it is whole.

    Raises: NetworkError.
    """
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise NetworkError(f"{path}: this is no network: the file is empty") from None
    if len(content) < _FIXED.size or content[: len(MAGIC)] != MAGIC:
        raise NetworkError(f"{path}: this is no network")
    _, version, qa, qb, width, planes, heads, scale, length, features, checksum = _FIXED.unpack(content[: _FIXED.size])
    if version != VERSION:
        raise NetworkError(f"{path}: version {version} of the format, where {VERSION} can be read")
    known = width in WIDTHS and 1 <= heads <= MOST_HEADS and 1 <= planes <= 16 and scale > 0
    if not known or (qa, qb) != (QA, QB):
        raise NetworkError(f"{path}: a network of {width} x {planes} planes, {heads} heads, {qa}, {qb} cannot be run")
    shape = Shape(width, planes, heads, scale, _padded(_FIXED.size + length))
    if len(content) != shape.end:
        raise NetworkError(f"{path}: {len(content)} bytes, not {shape.end}: cut short, or not whole")
    if _checksum(content[_FIXED.size :]) != checksum:
        raise NetworkError(f"{path}: damaged: the checksum is wrong")
    try:
        description = json.loads(content[_FIXED.size : _FIXED.size + length])
    except ValueError:
        raise NetworkError(f"{path}: damaged: its description cannot be read") from None
    if not isinstance(description, dict) or "game" not in description:
        raise NetworkError(f"{path}: damaged: it does not say for which game it is")
    return NetFile(path, description, shape, features, content)


def fitting(file: NetFile, game: str, features: Features) -> None:
    """See that a network belongs to a game.

    Raises: NetworkError.
    """
    if file.game != game:
        raise NetworkError(f"{file.path}: this network is for {file.game}, not for {game}")
    if file.feature_digest != features.digest() or file.shape.planes != features.planes:
        raise NetworkError(f"{file.path}: this network sees {game} otherwise than this version does; learn it anew")


def written(
    description: Mapping[str, Any], features: Features, width: int, heads: int, scale_cp: int, numbers: list[bytes]
) -> bytes:
    """A network's file; `numbers` are the rows, biases, output weights and output biases, already packed."""
    text = json.dumps(description, sort_keys=True).encode()
    first = _padded(_FIXED.size + len(text))
    body = text + bytes(first - _FIXED.size - len(text)) + b"".join(numbers)
    shape = Shape(width, features.planes, heads, scale_cp, first)
    if _FIXED.size + len(body) != shape.end:
        raise ValueError(f"numbers for {_FIXED.size + len(body)} bytes, where the shape has {shape.end}")
    return (
        _FIXED.pack(
            *(MAGIC, VERSION, QA, QB, width, features.planes, heads),
            *(scale_cp, len(text), features.digest(), _checksum(body)),
        )
        + body
    )


def features_at() -> int:
    """Where the number for the meaning of the features stands in a file."""
    return struct.calcsize("<8s6HHI")


def _padded(size: int) -> int:
    return -(-size // _LINE) * _LINE


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).digest()
