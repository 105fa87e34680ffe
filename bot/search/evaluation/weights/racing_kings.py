"""Racing kings: the king's rank is what counts, and the way before it."""

_KING = tuple((70 * rank, 90 * rank) for rank in range(8) for _ in range(4))

WEIGHTS = {
    "squares": ((0, 0),) * 160 + _KING,
    "steps": (
        (-45, -60), (0, 0), (15, 20), (25, 30),
    ),
    "barred": (
        (-5, -8),
    ),
}
