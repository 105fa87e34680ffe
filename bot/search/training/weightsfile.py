"""Writing a table of weights as the module that holds it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

_A_ROW: Final = 8
# Half boards have four files.
_A_ROW_OF_SQUARES: Final = 4


def module_text(docstring: str, table: Mapping[str, Sequence[tuple[int, int]]]) -> str:
    """The source of a weights module, laid out as those of `bot.search.evaluation.weights` are."""
    lines = [f'"""{docstring}"""', "", "WEIGHTS = {"]
    for name, pairs in table.items():
        width = _A_ROW_OF_SQUARES if name == "squares" else _A_ROW
        lines.append(f'    "{name}": (')
        for row in range(math.ceil(len(pairs) / width)):
            cells = pairs[row * width : (row + 1) * width]
            lines.append(f"        {' '.join(f'({middle}, {end}),' for middle, end in cells)}")
        lines.append("    ),")
    return "\n".join([*lines, "}"]) + "\n"
