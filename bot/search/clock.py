"""How a game's clock is shared out among moves: one formula, for the daemon and for the engine protocol."""

from __future__ import annotations

from typing import Final, NamedTuple

# Moves that the clock should last for: many at the start, fewer as the game goes on.
MOST_HORIZON_MOVES: Final = 42
LEAST_HORIZON_MOVES: Final = 20
# Moves whose cost beside thinking is put by: games that long are rare, but to lose one on time is silly.
LONG_GAME_MOVES: Final = 180
LEAST_RESERVED_MOVES: Final = 70
# What is thought with when the clock holds no more than what is put by.
LEAST_SHARE: Final = 1 / 500
INCOME_SPENT: Final = 0.85
HARD_BY_SOFT: Final = 4
HARD_BY_LEAST: Final = 1.5
HARD_BY_CLOCK: Final = 1 / 3
# Who ponders finds some of its moves on the other's time, and can give the others more.
PONDERING_STRETCH: Final = 1.25


class Share(NamedTuple):
    """Milliseconds for one move: begin nothing new after `soft_ms`, be done by `time_ms`."""

    soft_ms: int
    time_ms: int


def share(
    left_ms: float,
    increment_ms: int,
    moves_to_go: int | None,
    overhead_ms: int,
    own_moves: int = 0,
    *,
    ponders: bool = False,
) -> Share:
    """The time of one move; `overhead_ms` is what every move costs beside thinking, `own_moves` were made so far."""
    usable_ms = max(left_ms - overhead_ms, 1.0)
    income_ms = max(0, increment_ms - overhead_ms)
    loss_ms = max(0, overhead_ms - increment_ms)
    if moves_to_go:
        spendable_ms = usable_ms - (moves_to_go - 1) * loss_ms
        horizon_moves = moves_to_go + 1
        most_ms = usable_ms * (9 / 10 if moves_to_go == 1 else 1 / 2)
    else:
        spendable_ms = usable_ms - max(LEAST_RESERVED_MOVES, LONG_GAME_MOVES - own_moves) * loss_ms
        horizon_moves = max(LEAST_HORIZON_MOVES, MOST_HORIZON_MOVES - own_moves)
        most_ms = usable_ms * HARD_BY_CLOCK
    least_ms, extra_ms = usable_ms * LEAST_SHARE, INCOME_SPENT * income_ms
    soft_ms = max(spendable_ms / horizon_moves, least_ms) + extra_ms
    long_ms = max(HARD_BY_SOFT * spendable_ms / horizon_moves, HARD_BY_LEAST * least_ms) + HARD_BY_SOFT * extra_ms
    if ponders:
        soft_ms *= PONDERING_STRETCH
    hard_ms = max(1, int(min(long_ms, most_ms)))
    return Share(max(1, min(int(soft_ms), hard_ms)), hard_ms)
