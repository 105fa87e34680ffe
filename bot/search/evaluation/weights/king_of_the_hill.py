"""King of the hill."""

from bot.search.evaluation.weights import standard

WEIGHTS = {
    **standard.WEIGHTS,
    "climb": (
        (0, 0), (120, 150), (45, 70), (0, 0),
    ),
    "open_hill": (
        (0, 0), (70, 90), (14, 25), (2, 4),
    ),
}
