"""How a game's clock is shared out among moves, for programs that leave that to the engine."""

from __future__ import annotations

from bot.search.thinker import Limits

# Moves that the clock should last for when nobody says how many are left.
HORIZON_MOVES = 22


def share(left_ms: int, increment_ms: int, moves_to_go: int | None, overhead_ms: int) -> Limits:
    """The limits of one move: a soft one to aim at, a hard one that the clock survives."""
    usable_ms = max(left_ms - overhead_ms, 1)
    if moves_to_go:
        soft_ms = usable_ms / (moves_to_go + 1) + increment_ms * 3 / 4
        most_ms = usable_ms * (9 / 10 if moves_to_go == 1 else 1 / 2)
    else:
        soft_ms = usable_ms / HORIZON_MOVES + increment_ms * 3 / 4
        most_ms = usable_ms * 2 / 5
    hard_ms = max(1, round(min(4 * soft_ms, most_ms)))
    return Limits(time_ms=hard_ms, soft_ms=max(1, min(round(soft_ms), hard_ms)))
