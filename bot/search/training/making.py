"""From records to a network's file: learning, the check of its whole numbers, and where it comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from bot.search.evaluation import for_game, netfile, networks
from bot.search.training import gathering, samples
from bot.search.training.learning import Epoch, Learner, Recipe
from bot.search.training.model import Model
from bot.search.training.samples import Samples

if TYPE_CHECKING:
    from bot.search.evaluation.netfile import NetFile
    from rules.variant import Variant

COMPARED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Made:
    """What came out, as measured on games that were not learnt from."""

    path: Path
    held_out_loss: float
    whole_number_loss: float  # of the network as its file has it
    hand_loss: float  # of the evaluation made by hand, on the same positions
    rounding_cp: float  # mean difference that the whole numbers make
    epochs: tuple[Epoch, ...]


def going_on_from(base: NetFile, recipe: Recipe) -> Recipe:
    """The recipe for a network that goes on from another one, whose form it keeps."""
    return replace(
        recipe,
        width=base.shape.width,
        heads=base.shape.heads,
        scale_cp=base.shape.scale_cp,
        refine=bool(base.refines),
        base=base.checksum,
    )


def make(
    paths: Sequence[Path],
    out: Path,
    recipe: Recipe,
    threads: int,
    made_by: str,
    tell: Callable[[Epoch], None],
    base: NetFile | None = None,
) -> Made:
    """Learn from files of records and write the network, its provenance and its checkpoints beside it.

    The same network comes out again for the same records, recipe, base and number of threads.

    Raises: RecordsError, NetworkError where the base is of another game, LearningFailed, OSError.
    """
    torch.set_num_threads(threads)
    learnt, held = samples.load(paths)
    hand = for_game(learnt.variant).evaluation
    if base is not None:
        networks.see_that_it_fits(base, learnt.variant, hand)
        recipe = going_on_from(base, recipe)
    if recipe.refine:
        learnt, held = samples.judged(learnt, hand), samples.judged(held, hand)
    out.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = out.with_name(out.name + ".checkpoint")
    learner = Learner(learnt, held, recipe, checkpoint, None if base is None else Model.begun(base))
    learner.learn(tell)
    description = {
        "game": networks.game_of(learnt.variant),
        **({"refines": hand.digest()} if recipe.refine else {}),
        "made_by": made_by,
        "recipe": recipe.described(),
        "positions": len(learnt),
        "held_out_positions": len(held),
        "held_out_loss": round(learner.epochs[-1].held_out_loss, 6),
        "records": [gathering.provenance(path) for path in paths],
        **({} if base is None else {"base": base.description}),
    }
    _write(out, _file(learner, recipe, learnt.variant, description))
    made = _measured(learner, recipe, held, out)
    story = {**description, "measured": {**asdict(made), "path": out.name}}
    out.with_name(out.name + ".json").write_text(json.dumps(story, indent=2) + "\n")
    checkpoint.unlink()
    return made


def _file(learner: Learner, recipe: Recipe, variant: Variant, description: dict[str, Any]) -> bytes:
    features = networks.features_of(variant)
    numbers = learner.model.quantised()
    return netfile.written(description, features, recipe.width, recipe.heads, recipe.scale_cp, numbers)


def _write(path: Path, content: bytes) -> None:
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_bytes(content)
    os.replace(unfinished, path)


def _measured(learner: Learner, recipe: Recipe, held: Samples, path: Path) -> Made:
    """How the network does against what it was rounded from, and against the evaluation made by hand."""
    some = held.some(slice(0, COMPARED))
    positions = [some.layout.position(row.tobytes()) for row in some.rows]
    hand = for_game(held.variant).evaluation
    # One that judges alone is compared alone: in a search the hand evaluation tempers it where little can win.
    beside = hand if recipe.refine else None
    whole_cp = np.array(networks.load(path, held.variant, hand=beside).judge(positions), np.float32)
    hand_cp = np.array(hand.judge(positions), np.float32)
    with torch.no_grad():
        exact_cp = learner.output(some).numpy() * recipe.scale_cp
        labels = learner.labels(some)

        def loss(score_cp: Any) -> float:
            promised = torch.sigmoid(torch.from_numpy(score_cp) / recipe.scale_cp)
            return float((promised - labels).square().mean())

        return Made(
            path=path,
            held_out_loss=loss(exact_cp),
            whole_number_loss=loss(whole_cp),
            hand_loss=loss(hand_cp),
            rounding_cp=float(np.abs(whole_cp - exact_cp).mean()),
            epochs=tuple(learner.epochs),
        )


def draw(made: Made, path: Path) -> None:
    """Draw the course of the losses as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(xlabel="epoch", ylabel="mean squared error", title=made.path.name)
    numbers = [epoch.number for epoch in made.epochs]
    axes.plot(numbers, [epoch.loss for epoch in made.epochs], label="learnt games")
    axes.plot(numbers, [epoch.held_out_loss for epoch in made.epochs], label="games held out")
    axes.axhline(made.hand_loss, linestyle="--", color="gray", label="evaluation made by hand")
    axes.legend()
    figure.savefig(path, dpi=110)
