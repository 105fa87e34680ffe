"""The network as torch learns it, and how it is put into whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from bot.search.evaluation.netfile import MOST_OUTPUT, MOST_ROW, QA, QB

if TYPE_CHECKING:
    from bot.search.evaluation.netfile import NetFile

# What the whole numbers can hold.
MOST_WEIGHT: Final = 1.98


@dataclass(frozen=True, slots=True)
class Model:
    """The numbers of a network; 1 stands for 100 % of an active sum, and for `scale` centipawns of the output.

    What a man is worth wherever it stands is learnt apart from what its square adds: few records suffice for the one,
    and where they are too few for the other, little is added.
    """

    common: Any  # planes x width: of a plane's features, all alike
    squares: Any  # features x width: what is added to it
    biases: Any  # width
    output: Any  # heads x 2 width
    output_biases: Any  # heads

    @classmethod
    def fresh(cls, features: int, width: int, heads: int, seed: int) -> Model:
        """A network that knows nothing."""
        chance = torch.Generator().manual_seed(seed)
        common = 0.1 * torch.randn(features // 64, width, generator=chance)
        squares = 0.01 * torch.randn(features, width, generator=chance)
        output = torch.randn(1, 2 * width, generator=chance).repeat(heads, 1) / (2 * width) ** 0.5
        return cls(common, squares, torch.full((width,), 0.1), output, torch.zeros(heads))._learning()

    @classmethod
    def begun(cls, file: NetFile) -> Model:
        """What the network of a file knows, to go on from."""
        shape, content = file.shape, file.content

        def numbers(first: int, end: int, kind: str, unit: int) -> Any:
            return torch.from_numpy(np.frombuffer(content[first:end], kind).astype(np.float32) / unit)

        rows = numbers(shape.rows_at, shape.biases_at, "<i2", QA).reshape(-1, 64, shape.width)
        common = rows.mean(1)
        squares = (rows - common.unsqueeze(1)).flatten(0, 1)
        biases = numbers(shape.biases_at, shape.output_at, "<i2", QA)
        output = numbers(shape.output_at, shape.output_biases_at, "<i2", QB).reshape(shape.heads, -1)
        output_biases = numbers(shape.output_biases_at, shape.end, "<i4", QA * QB)
        return cls(common, squares, biases, output, output_biases)._learning()

    def _learning(self) -> Model:
        for tensor in self.tensors():
            tensor.requires_grad_(True)
        return self

    def tensors(self) -> list[Any]:
        """All that is learnt."""
        return [self.common, self.squares, self.biases, self.output, self.output_biases]

    @property
    def rows(self) -> Any:
        """The weights of each feature."""
        return (self.squares.unflatten(0, (-1, 64)) + self.common.unsqueeze(1)).flatten(0, 1)

    def forward(self, marks: Any, heads: Any, exact: bool = False) -> Any:
        """The output for positions: `marks` are the feature bits of mover and other side, bytes x 2 a position.

        The weights count as the whole numbers that they will become, so that learning makes up for the rounding.
        Half-precise unless `exact`: that is three times as fast, and the noise does no harm to learning.
        """
        kind = torch.float32 if exact else torch.bfloat16
        bits = torch.from_numpy(np.unpackbits(marks, axis=-1, bitorder="little"))
        seen = bits.reshape(-1, self.squares.shape[0]).to(kind)
        sums = (seen @ _rounded(self.rows, QA).to(kind)).float() + _rounded(self.biases, QA)
        active = sums.clamp(0, 1).square().reshape(len(marks), -1)
        return (active * _rounded(self.output, QB)[heads]).sum(1) + self.output_biases[heads]

    def clip(self) -> None:
        """Keep the weights within what the whole numbers can hold."""
        with torch.no_grad():
            for tensor in (self.biases, self.output):
                tensor.clamp_(-MOST_WEIGHT, MOST_WEIGHT)
            rows = self.rows
            self.squares.add_(rows.clamp(-MOST_WEIGHT, MOST_WEIGHT) - rows)

    def quantised(self) -> list[bytes]:
        """The numbers as a network file has them."""
        return [
            _whole(self.rows, QA, MOST_ROW, "<i2"),
            _whole(self.biases, QA, MOST_ROW, "<i2"),
            _whole(self.output, QB, MOST_OUTPUT, "<i2"),
            _whole(self.output_biases, QA * QB, 2**31 - 1, "<i4"),
        ]


def _rounded(tensor: Any, unit: int) -> Any:
    """A tensor in steps of 1 / unit; its gradient is that of the tensor as it is."""
    return tensor + (torch.round(tensor * unit) / unit - tensor).detach()


def _whole(tensor: Any, unit: int, most: int, kind: str) -> bytes:
    numbers = np.rint(tensor.detach().double().numpy() * unit).clip(-most, most)
    return bytes(numbers.astype(kind).tobytes())
