"""Horde: an army is worth a crowd of pawns, as long as they hold together."""

from bot.search.evaluation.weights import standard

# Pawns of the horde advance together; where the kings of other games hide, the army's king is no safer.
_PAWNS = tuple((4 * max(rank - 3, 0) ** 2, 5 * max(rank - 3, 0) ** 2) for rank in range(8) for _ in range(4))

WEIGHTS = {
    **{name: standard.WEIGHTS[name] for name in ("knight_reach", "bishop_reach", "rook_reach", "queen_reach")},
    "material": (
        (80, 90), (300, 280), (310, 290), (470, 500), (950, 950), (0, 0),
    ),
    "squares": _PAWNS + standard.WEIGHTS["squares"][32:160] + ((0, 0),) * 32,
    "tempo": (
        (15, 10),
    ),
    "horde_pawn": (
        (0, 8),
    ),
    "supported": (
        (6, 8),
    ),
    "blocked": (
        (-4, -6),
    ),
    "loose": (
        (-22, -26),
    ),
    "pawn_hit": (
        (40, 30),
    ),
    "runner": (
        (0, 0), (0, 0), (5, 10), (10, 20), (25, 45), (60, 90), (130, 170), (0, 0),
    ),
    "danger": tuple((units * units // 2, units * units // 4) for units in range(32)),
}
