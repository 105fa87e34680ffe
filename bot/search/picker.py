"""The order in which a node's moves are tried, found step by step: most nodes end before the last step."""

import cython


def begin(p, variant, frame, histories, hash_move, plan):
    """Makes ready; a hash move that is no move here (two positions, one key) is left out."""
    p.frame = frame
    p.histories = histories
    p.plan = plan
    p.step = HASH_STEP
    p.next = 0
    p.end = 0
    p.deferred = 0
    p.reply = histories.replies[(frame - 1).slot]
    p.hash_move = hash_move if hash_move and admissible(variant, cython.address(frame.state), hash_move) else 0
    if plan >= CALM and p.hash_move and not variant.is_noisy(cython.address(frame.state), hash_move):
        p.hash_move = 0


def admissible(variant, s, m):
    """Whether a move from a table may be tried: what the generator would not test, is tested on the child."""
    return variant.legal(s, m) if variant.generates_lawful else variant.pseudo_legal(s, m)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _swing(variant: Variant, s: cython.pointer(State), m: Move) -> cython.int:
    """Material that a capture takes from the other side, less what a blast costs the own."""
    gone: u64
    won: cython.int = 0
    square: cython.int
    if not variant.blasts:
        square = target_of(m)
        return see_value(role_at(s, square)) if s.colors[s.turn ^ 1] >> square & 1 else 0
    gone = variant.captured(s, m)
    if gone:
        won -= see_value(role_of(m))
    while gone:
        square = lsb(gone)
        if s.colors[s.turn] >> square & 1:
            won -= see_value(role_at(s, square))
        else:
            won += see_value(role_at(s, square))
        gone &= gone - 1
    return won


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _noisy_worth(p: cython.pointer(Picker), variant: Variant, m: Move) -> cython.int:
    s: cython.pointer(State) = cython.address(p.frame.state)
    worth: cython.int = 16 * _swing(variant, s, m) + capture_entry(p.histories, s, m)[0]
    if promotion_of(m):
        worth += 16 * see_value(promotion_of(m))
    return worth


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _quiet_worth(p: cython.pointer(Picker), m: Move) -> cython.int:
    worth: cython.int = quiet_score(p.histories, p.frame, m)
    if m == p.frame.killers[0]:
        return worth + 2 * KILLER
    if m == p.frame.killers[1] or m == p.reply:
        return worth + KILLER
    return worth


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list(p: cython.pointer(Picker), variant: Variant, what: cython.int) -> cython.void:
    """Adds the moves of a kind behind those that were deferred, each with its worth; the hash move is left out."""
    s: cython.pointer(State) = cython.address(p.frame.state)
    count: cython.int = variant.generate(s, what, p.moves + p.deferred)
    i: cython.int
    m: Move
    p.next = p.deferred
    p.end = p.deferred
    for i in range(p.deferred, p.deferred + count):
        m = p.moves[i]
        if m == p.hash_move:
            continue
        p.moves[p.end] = m
        if what == NOISY:
            p.worth[p.end] = _noisy_worth(p, variant, m)
        elif what == EVASIONS and variant.is_noisy(s, m):
            p.worth[p.end] = FIRST_NOISY + _noisy_worth(p, variant, m)
        else:
            p.worth[p.end] = _quiet_worth(p, m)
        p.end += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _best(p: cython.pointer(Picker)) -> Move:
    """Takes the most worthy of the moves left."""
    # Worth and place in one number: the greater of two numbers needs no jump, which here nobody could predict.
    first: cython.longlong = ranked(p, p.next)
    second: cython.longlong = first
    best: cython.int
    worth: cython.int
    m: Move
    i: cython.int = p.next + 1
    while i + 1 < p.end:
        first = max(first, ranked(p, i))
        second = max(second, ranked(p, i + 1))
        i += 2
    if i < p.end:
        first = max(first, ranked(p, i))
    best = MAX_MOVES - (max(first, second) & (2 * MAX_MOVES - 1))
    m = p.moves[best]
    worth = p.worth[best]
    p.moves[best] = p.moves[p.next]
    p.worth[best] = p.worth[p.next]
    p.next += 1
    p.score = worth
    return m


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next_noisy(p: cython.pointer(Picker), variant: Variant) -> Move:
    """The next capture or promotion that loses nothing; the others are put aside, or dropped in quiescence."""
    m: Move
    p.noisy = True
    while p.next < p.end:
        m = _best(p)
        if (promotion_of(m) == 0 or promotion_of(m) >= QUEEN) and variant.exchange_at_least(
            cython.address(p.frame.state), m, 0
        ):
            return m
        if p.plan == WHOLE:
            p.moves[p.deferred] = m
            p.deferred += 1
    return 0


def next_move(p, variant):
    """The next move to try, 0 when there is none left."""
    m: Move
    if p.step == HASH_STEP:
        p.special = False
        p.step = LIST_RESCUE if p.plan == RESCUE else LIST_NOISY
        if p.hash_move:
            p.noisy = variant.is_noisy(cython.address(p.frame.state), p.hash_move)
            p.score = 0 if p.noisy else quiet_score(p.histories, p.frame, p.hash_move)
            return p.hash_move
    if p.step == LIST_NOISY:
        _list(p, variant, NOISY)
        p.step = GIVE_NOISY
    if p.step == GIVE_NOISY:
        m = _next_noisy(p, variant)
        if m:
            return m
        p.step = LIST_QUIET if p.plan == WHOLE else LIST_THREATS if p.plan == CALM_THREATS else DONE
    if p.step == LIST_QUIET or p.step == LIST_THREATS:
        _list(p, variant, QUIET if p.step == LIST_QUIET else THREATS)
        p.step += 1
        p.noisy = False
    if p.step == LIST_RESCUE:
        _list(p, variant, EVASIONS)
        p.step = GIVE_RESCUE
    if p.step == GIVE_QUIET or p.step == GIVE_THREATS or p.step == GIVE_RESCUE:
        if p.next < p.end:
            m = _best(p)
            p.noisy = p.step == GIVE_RESCUE and p.score >= FIRST_NOISY // 2
            p.special = p.score >= KILLER // 2 and not p.noisy
            if p.special:
                p.score -= 2 * KILLER if p.score >= 3 * KILLER // 2 else KILLER
            return m
        p.next = 0
        p.step = GIVE_DEFERRED if p.step == GIVE_QUIET else DONE
    if p.step == GIVE_DEFERRED and p.next < p.deferred:
        p.noisy = True
        p.special = False
        p.next += 1
        return p.moves[p.next - 1]
    return 0
