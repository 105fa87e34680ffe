"""Crazyhouse: no man is far from any square, so that pieces are worth less beside pawns; only midgame values count."""

from bot.search.evaluation.weights import standard

_DANGER = tuple((units * units * 2 // 5, 0) for units in range(64))

WEIGHTS = {
    **{name: standard.WEIGHTS[name] for name in ("squares", "knight_reach", "bishop_reach", "rook_reach")},
    "queen_reach": standard.WEIGHTS["queen_reach"],
    "material": (
        (95, 95), (280, 280), (290, 290), (400, 400), (640, 640), (0, 0),
    ),
    "tempo": (
        (35, 0),
    ),
    "in_hand": (
        (15, 0), (40, 0), (20, 0), (30, 0), (50, 0), (0, 0),
    ),
    "danger": _DANGER,
    "shield": (
        (-30, 0), (0, 0), (22, 0), (38, 0),
    ),
    "hole": (
        (-6, 0),
    ),
}
