"""Simple evaluations of Spark Chess to measure the tuned one by: round numbers, as one would first write them down."""

from bot.search.evaluation.weights import spark

_ROLES = (100, 320, 330, 500, 950, 0)

MATERIAL = {
    "material": tuple((worth, worth) for worth in _ROLES),
    "squares": ((0, 0),) * 192,
}


def _steps(count: int, step: int) -> tuple[tuple[int, int], ...]:
    """So much for each more, and nothing at half of them."""
    return tuple((step * (2 * index - count) // 2,) * 2 for index in range(count))


# Mobility, squares guarded twice, pawns that advance, and the zone round the king; the rest counts nothing.
UNTUNED = {
    **{name: ((0, 0),) * len(weights) for name, weights in spark.WEIGHTS.items()},
    "material": MATERIAL["material"],
    "squares": tuple((8 * rank, 8 * rank) for rank in range(8) for _ in range(4)) + ((0, 0),) * 160,
    "knight_reach": _steps(9, 4),
    "bishop_reach": _steps(14, 4),
    "rook_reach": _steps(15, 3),
    "queen_reach": _steps(28, 2),
    "guarded": tuple((3 * rank, 3 * rank) for rank in range(8)),
    "room": _steps(9, 5),
    "ring": tuple((units * units // 3, units * units // 6) for units in range(32)),
}
