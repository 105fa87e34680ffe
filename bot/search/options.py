"""The switches and measures of the search, by name; each game may change some of them.

A switch that is 0 is off.  Margins are centipawns; what each means stands beside its field in switches.pxd.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DEFAULTS: Mapping[str, int] = MappingProxyType(
    {
        "null_move": 3,
        "reductions": 100,
        "check_extension": 1,
        "singular_depth": 8,
        "reverse_futility_cp": 75,
        "razoring_cp": 250,
        "futility_cp": 90,
        "late_moves": 4,
        "exchange_quiet_cp": 25,
        "exchange_noisy_cp": 90,
        "probe_cut_cp": 150,
        "aspiration_cp": 15,
        "delta_cp": 150,
        "evasion_plies": 128,
        "threat_plies": 1,
        "repeat_cp": 12,
        "fade_percent": 50,
        "forced_plies": 0,
    }
)


def changed(options: Mapping[str, int], changes: Mapping[str, int]) -> dict[str, int]:
    """The options with some of them changed.

    Raises: ValueError for a name that is none of them.
    """
    unknown = sorted(set(changes) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"unknown search option {unknown[0]!r}; there are {', '.join(DEFAULTS)}")
    return {**options, **changes}
