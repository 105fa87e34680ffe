"""What earlier nodes taught about moves."""

import cython


def quiet_score(h, frame, m):
    """How often the move was good: by itself, and after the moves one, two and four plies ago."""
    color: cython.int = frame.state.turn
    here: cython.int = class_of(m) << 6 | target_of(m)
    score: cython.int = h.squares[color][m & 4095] + h.men[slot_of(color, m)] // 2
    score += h.after[(frame - 1).slot][here] + h.after[(frame - 2).slot][here]
    return score + h.after[(frame - 4).slot][here] // 2


def capture_entry(h, s, m):
    victim: cython.int = role_at(s, target_of(m))
    return cython.address(h.captures[class_of(m) << 6 | target_of(m)][victim])


def reward(entry, bonus):
    """Moves an entry towards the limit that the sign of the bonus points to, less the nearer it is."""
    entry[0] += bonus - entry[0] * abs(bonus) // HISTORY_LIMIT


def reward_quiet(h, frame, m, bonus):
    color: cython.int = frame.state.turn
    here: cython.int = class_of(m) << 6 | target_of(m)
    reward(cython.address(h.squares[color][m & 4095]), bonus)
    reward(cython.address(h.men[slot_of(color, m)]), bonus)
    reward(cython.address(h.after[(frame - 1).slot][here]), bonus)
    reward(cython.address(h.after[(frame - 2).slot][here]), bonus)
    reward(cython.address(h.after[(frame - 4).slot][here]), bonus)


def halve(h):
    """Lets new games and positions weigh more than what was learnt before."""
    entries: cython.pointer(cython.short) = cython.cast(cython.pointer(cython.short), h)
    count: cython.size_t = cython.sizeof(Histories) // cython.sizeof(cython.short)
    i: cython.size_t
    for i in range(count - 2 * SLOTS):
        entries[i] = entries[i] // 2
