"""Which network belongs to which game, and where it lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.search.evaluation import netfile
from bot.search.evaluation.features import Features
from bot.search.evaluation.netfile import NetworkError
from bot.search.evaluation.network import Network

if TYPE_CHECKING:
    from bot.search.evaluation.base import Evaluation
    from bot.search.evaluation.netfile import NetFile
    from rules.variant import Variant

AUTO: Final = "auto"
NONE: Final = "none"
SUFFIX: Final = ".net"
SHIPPED: Final = Path(__file__).parent / "nets"
# Games that are judged as another one is.
_JUDGED_AS: Final = {"chess960": "standard", "fromPosition": "standard", "parlour": "standard"}
# Games in which both sides play towards the same end of the board.
_ONE_WAY: Final = frozenset({"racingKings"})


def game_of(variant: Variant) -> str:
    """The key of the game whose network serves a variant."""
    return _JUDGED_AS.get(variant.key, variant.key)


def features_of(variant: Variant) -> Features:
    """What a network sees of a variant's positions."""
    return Features(variant, variant.key not in _ONE_WAY)


def chosen(variant: Variant, network: str) -> Path | None:
    """The file that `auto`, `none`, a file or a folder of files means for a variant; None for none.

    A file is taken whatever it is; of a folder, and of the networks that ship, the one of the game's name.

    Raises: NetworkError for a folder in which there is no network at all, and where nothing is named.
    """
    if network == NONE:
        return None
    if not network:
        raise NetworkError(f"no network is named: {AUTO}, {NONE}, a file or a folder")
    path = SHIPPED if network == AUTO else Path(network)
    if network != AUTO and not path.is_dir():
        return path
    if network != AUTO and not any(path.glob(f"*{SUFFIX}")):
        raise NetworkError(f"{path}: there is no network GAME{SUFFIX} in this folder")
    path = path / f"{game_of(variant)}{SUFFIX}"
    return path if path.exists() else None


def see_that_it_fits(file: NetFile, variant: Variant, hand: Evaluation | None) -> None:
    """See that a network is for a game, and refines the evaluation by hand as it is if it refines one.

    Raises: NetworkError.
    """
    netfile.fitting(file, game_of(variant), features_of(variant))
    if file.refines and (hand is None or file.refines != hand.digest()):
        what = "this network refines other weights than the evaluation by hand has; learn it anew"
        raise NetworkError(f"{file.path}: {what}")


def load(path: Path, variant: Variant, build: str | None = None, hand: Evaluation | None = None) -> Network:
    """The network of a file, made sure to be for this game; `hand` judges what it does not, and is what it may refine.

    Raises: NetworkError, ValueError for a build that this processor cannot run.
    """
    file = netfile.read(path)
    see_that_it_fits(file, variant, hand)
    network = Network(file, features_of(variant), hand, build)
    if network.largest_row() > netfile.MOST_ROW or network.largest_output() > netfile.MOST_OUTPUT:
        raise NetworkError(
            f"{path}: weights beyond {netfile.MOST_ROW} or {netfile.MOST_OUTPUT} could overflow the sums"
        )
    return network
