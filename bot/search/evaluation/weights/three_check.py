"""Three-check."""

from bot.search.evaluation.weights import standard

WEIGHTS = {
    **standard.WEIGHTS,
    "checks_given": (
        (0, 0), (130, 90), (420, 260),
    ),
    "pressure": (
        (4, 2), (18, 10), (45, 25),
    ),
}
