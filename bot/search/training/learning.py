"""Learning a network from records: epochs, checkpoints, and how well it does on games that it has not seen."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from bot.search.evaluation.networks import features_of
from bot.search.training.model import Model
from bot.search.training.samples import Samples

CHECKED_BATCH: Final = 16384


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is learnt.

    A position's label is `score_share` of what the search's score promises (`sigmoid(score / scale_cp)`), the rest
    being how the game ended.  One that is to `refine` is added to the evaluation made by hand, and learns what that
    is off by: where records are few, it starts from what is known.  `base` is the checksum of the network that learning
    goes on from, if any.
    """

    width: int = 64
    heads: int = 4
    scale_cp: int = 300
    score_share: float = 0.7
    epochs: int = 25
    batch: int = 16384
    rate: float = 1e-3
    seed: int = 1
    refine: bool = False
    base: str | None = None

    def described(self) -> dict[str, Any]:
        """The recipe as a network's description has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Epoch:
    """How learning fares."""

    number: int
    loss: float
    held_out_loss: float
    positions_per_s: float


class LearningFailed(Exception):
    """Nothing comes of learning; says what to change."""


class Learner:
    """Learns one network, from `model` on or from nothing.

    Goes on from the checkpoint where there is one of the same recipe and records.
    """

    def __init__(
        self, learnt: Samples, held: Samples, recipe: Recipe, checkpoint: Path, model: Model | None = None
    ) -> None:
        self._learnt, self._held, self._recipe, self._checkpoint = learnt, held, recipe, checkpoint
        self._features = features_of(learnt.variant)
        self.model = model or Model.fresh(self._features.count, recipe.width, recipe.heads, recipe.seed)
        self._optimizer = torch.optim.AdamW(self.model.tensors(), lr=recipe.rate)
        self.epochs: list[Epoch] = []
        self._resume()

    def learn(self, tell: Callable[[Epoch], None]) -> None:
        """All epochs that are left; `tell` hears of each.

        Raises: LearningFailed when the loss is no number any more.
        """
        while len(self.epochs) < self._recipe.epochs:
            self.epochs.append(self._epoch(len(self.epochs)))
            if not np.isfinite(self.epochs[-1].held_out_loss):
                raise LearningFailed(f"the loss has become {self.epochs[-1].held_out_loss}: take a lower rate")
            self._save()
            tell(self.epochs[-1])

    def _epoch(self, number: int) -> Epoch:
        began = time.perf_counter()
        order = np.random.default_rng([self._recipe.seed, number]).permutation(len(self._learnt))
        steps = -(-len(order) // self._recipe.batch)
        total = 0.0
        for step, which in enumerate(np.array_split(order, steps)):
            for group in self._optimizer.param_groups:
                group["lr"] = self._rate((number + step / steps) / self._recipe.epochs)
            some = self._learnt.some(which)
            loss = self._loss(some, exact=False)
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            self.model.clip()
            total += float(loss.detach()) * len(some)
        spent_s = max(time.perf_counter() - began, 1e-9)
        return Epoch(number + 1, total / len(order), self.held_out_loss(), len(order) / spent_s)

    def _rate(self, done: float) -> float:
        """The cosine from the full rate down to nothing."""
        return self._recipe.rate * 0.5 * (1 + float(np.cos(np.pi * done)))

    def held_out_loss(self) -> float:
        """The loss on the games held out, in full precision."""
        with torch.no_grad():
            parts = [(float(self._loss(some, exact=True)), len(some)) for some in _batches(self._held)]
        return sum(loss * count for loss, count in parts) / len(self._held)

    def output(self, samples: Samples, exact: bool = True) -> Any:
        """The network's output for positions, in units of the scale."""
        marks = self._features_of(samples)
        wanted = (samples.men.astype(np.int64) - 1) * self._recipe.heads // 32
        heads = torch.from_numpy(np.minimum(wanted, self._recipe.heads - 1))
        return self.model.forward(marks, heads, exact) + torch.from_numpy(samples.hand_cp) / self._recipe.scale_cp

    def _features_of(self, samples: Samples) -> Any:
        marks = samples.layout.seen(self._features, samples.rows.tobytes())
        return np.frombuffer(marks, np.uint8).reshape(len(samples), 2, -1)

    def _loss(self, samples: Samples, exact: bool) -> Any:
        return (torch.sigmoid(self.output(samples, exact)) - self.labels(samples)).square().mean()

    def labels(self, samples: Samples) -> Any:
        """What the network shall promise: expected points."""
        score = torch.from_numpy(samples.score_cp.astype(np.float32)) / self._recipe.scale_cp
        points = torch.from_numpy(samples.result.astype(np.float32)) / 2
        return self._recipe.score_share * torch.sigmoid(score) + (1 - self._recipe.score_share) * points

    def _identity(self) -> dict[str, Any]:
        """What a checkpoint must agree in."""
        return {**self._recipe.described(), "positions": len(self._learnt), "features": self._features.name}

    def _save(self) -> None:
        state = {
            "identity": self._identity(),
            "tensors": [tensor.detach() for tensor in self.model.tensors()],
            "optimizer": self._optimizer.state_dict(),
            "epochs": [asdict(epoch) for epoch in self.epochs],
        }
        unfinished = self._checkpoint.with_name(self._checkpoint.name + ".part")
        torch.save(state, unfinished)
        os.replace(unfinished, self._checkpoint)

    def _resume(self) -> None:
        if not self._checkpoint.exists():
            return
        try:
            state = torch.load(self._checkpoint, weights_only=True)
        except (EOFError, RuntimeError, pickle.UnpicklingError):
            return  # cut short by a machine that went down: there is nothing in it to go on from
        if state["identity"] != self._identity():
            return
        with torch.no_grad():
            for tensor, saved in zip(self.model.tensors(), state["tensors"], strict=True):
                tensor.copy_(saved)
        self._optimizer.load_state_dict(state["optimizer"])
        self.epochs = [Epoch(**epoch) for epoch in state["epochs"]]


def _batches(samples: Samples) -> Iterator[Samples]:
    for first in range(0, len(samples), CHECKED_BATCH):
        yield samples.some(slice(first, first + CHECKED_BATCH))
