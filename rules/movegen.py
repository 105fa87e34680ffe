"""Attacks and move lists that the orthodox games share, and the changes to a state that keep its key right."""

import cython


def attackers(s, square, occupied, color):
    found: u64 = PAWN_ATTACKS[color ^ 1][square] & s.roles[PAWN]
    found |= KNIGHT_ATTACKS[square] & s.roles[KNIGHT]
    found |= KING_ATTACKS[square] & s.roles[KING]
    found |= rook_attacks(square, occupied) & (s.roles[ROOK] | s.roles[QUEEN])
    found |= bishop_attacks(square, occupied) & (s.roles[BISHOP] | s.roles[QUEEN])
    return found & s.colors[color]


def is_attacked(s, square, occupied, color):
    own: u64 = s.colors[color]
    if KNIGHT_ATTACKS[square] & s.roles[KNIGHT] & own:
        return True
    if PAWN_ATTACKS[color ^ 1][square] & s.roles[PAWN] & own:
        return True
    if KING_ATTACKS[square] & s.roles[KING] & own:
        return True
    if rook_attacks(square, occupied) & (s.roles[ROOK] | s.roles[QUEEN]) & own:
        return True
    return (bishop_attacks(square, occupied) & (s.roles[BISHOP] | s.roles[QUEEN]) & own) != 0


def attacks_from(role, color, square, occupied):
    if role == PAWN:
        return PAWN_ATTACKS[color][square]
    if role == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if role == BISHOP:
        return bishop_attacks(square, occupied)
    if role == ROOK:
        return rook_attacks(square, occupied)
    if role == QUEEN:
        return bishop_attacks(square, occupied) | rook_attacks(square, occupied)
    return KING_ATTACKS[square]


def pinned(s, king, color):
    occupied: u64 = occupied_of(s)
    snipers: u64 = rook_attacks(king, 0) & (s.roles[ROOK] | s.roles[QUEEN])
    snipers |= bishop_attacks(king, 0) & (s.roles[BISHOP] | s.roles[QUEEN])
    snipers &= s.colors[color ^ 1]
    found: u64 = 0
    shields: u64
    while snipers:
        shields = BETWEEN[king][lsb(snipers)] & occupied
        if shields and not shields & (shields - 1):
            found |= shields & s.colors[color]
        snipers &= snipers - 1
    return found


def add_targets(out, role, origin, targets):
    head: Move = make_move(role, origin, 0, NORMAL, 0)
    while targets:
        out[0] = head | cython.cast(Move, lsb(targets) << 6)
        out += 1
        targets &= targets - 1
    return out


def add_promotions(out, origin, target):
    role: cython.int
    for role in range(QUEEN, PAWN, -1):
        out[0] = make_move(PAWN, origin, target, NORMAL, role)
        out += 1
    return out


def add_pieces(s, out, color, movers, targets):
    """Moves of knights, bishops, rooks and queens among `movers` to `targets`."""
    occupied: u64 = occupied_of(s)
    own: u64 = movers & s.colors[color]
    role: cython.int
    men: u64
    square: cython.int
    for role in range(KNIGHT, KING):
        men = s.roles[role] & own
        while men:
            square = lsb(men)
            out = add_targets(out, role, square, attacks_from(role, color, square, occupied) & targets)
            men &= men - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_pawn_targets(
    out: cython.pointer(Move), targets: u64, step: cython.int, kind: cython.int
) -> cython.pointer(Move):
    """Pawn moves to these squares, each from the square `step` before it; the end ranks promote."""
    ends: u64 = targets & (rank_mask(0) | rank_mask(7))
    target: cython.int
    targets &= ~ends
    while targets:
        target = lsb(targets)
        out[0] = make_move(PAWN, target - step, target, kind, 0)
        out += 1
        targets &= targets - 1
    while ends:
        target = lsb(ends)
        out = add_promotions(out, target - step, target)
        ends &= ends - 1
    return out


def add_pawn_captures(out, color, pawns, targets):
    west: u64 = pawns & ~file_mask(0)
    east: u64 = pawns & ~file_mask(7)
    if color == WHITE:
        out = _add_pawn_targets(out, (west << 7) & targets, 7, NORMAL)
        return _add_pawn_targets(out, (east << 9) & targets, 9, NORMAL)
    out = _add_pawn_targets(out, (west >> 9) & targets, -9, NORMAL)
    return _add_pawn_targets(out, (east >> 7) & targets, -7, NORMAL)


def add_pawn_pushes(out, color, pawns, empty, targets):
    if color == WHITE:
        return _add_pawn_targets(out, (pawns << 8) & empty & targets, 8, NORMAL)
    return _add_pawn_targets(out, (pawns >> 8) & empty & targets, -8, NORMAL)


def add_double_pushes(out, color, pawns, empty, targets):
    if color == WHITE:
        pawns = (pawns & rank_mask(1)) << 8 & empty
        return _add_pawn_targets(out, (pawns << 8) & empty & targets, 16, DOUBLE_PUSH)
    pawns = (pawns & rank_mask(6)) >> 8 & empty
    return _add_pawn_targets(out, (pawns >> 8) & empty & targets, -16, DOUBLE_PUSH)


def castled_king(king, rook):
    return (king & 56) | (6 if rook > king else 2)


def castled_rook(king, rook):
    return (king & 56) | (5 if rook > king else 3)


def castling_path(king, rook):
    """Squares that must be empty, the castling king and rook themselves left out."""
    to_king: cython.int = castled_king(king, rook)
    to_rook: cython.int = castled_rook(king, rook)
    path: u64 = BETWEEN[king][to_king] | bit(to_king) | BETWEEN[rook][to_rook] | bit(to_rook)
    return path & ~(bit(king) | bit(rook))


def add_castling(s, out, harmless):
    """Castling moves, for a king that is not attacked; squares in `harmless` never count as attacked."""
    us: cython.int = s.turn
    king: cython.int = king_square(s, us)
    occupied: u64 = occupied_of(s)
    rooks: u64 = s.castling & s.colors[us]
    rook: cython.int
    to_king: cython.int
    crossed: u64
    after: u64
    safe: cython.bint
    while rooks:
        rook = lsb(rooks)
        rooks &= rooks - 1
        if castling_path(king, rook) & occupied:
            continue
        to_king = castled_king(king, rook)
        crossed = BETWEEN[king][to_king] & ~harmless
        safe = True
        while crossed:
            if is_attacked(s, lsb(crossed), occupied & ~bit(king), us ^ 1):
                safe = False
                break
            crossed &= crossed - 1
        after = (occupied & ~bit(king) & ~bit(rook)) | bit(castled_rook(king, rook))
        if safe and (harmless & bit(to_king) or not is_attacked(s, to_king, after, us ^ 1)):
            out[0] = make_move(KING, king, rook, CASTLE, 0)
            out += 1
    return out


def ep_is_safe(s, origin, target):
    """Whether the own king is unattacked once the pawn on `origin` has captured en passant on `target`."""
    us: cython.int = s.turn
    victim: u64 = bit(target - 8 if us == WHITE else target + 8)
    occupied: u64 = (occupied_of(s) & ~bit(origin) & ~victim) | bit(target)
    return not attackers(s, king_square(s, us), occupied, us ^ 1) & ~victim


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_pawn_moves(
    s: cython.pointer(cython.const[State]), out: cython.pointer(Move), pawns: u64, targets: u64, what: cython.int
) -> cython.pointer(Move):
    """Captures, promotions and pushes onto `targets`, as far as `what` asks for them; no en passant."""
    us: cython.int = s.turn
    empty: u64 = ~occupied_of(s)
    ends: u64 = rank_mask(0) | rank_mask(7)
    if what != QUIET:
        out = add_pawn_captures(out, us, pawns, targets & s.colors[us ^ 1])
        out = add_pawn_pushes(out, us, pawns, empty, targets & ends)
    if what != NOISY:
        out = add_pawn_pushes(out, us, pawns, empty, targets & ~ends)
        out = add_double_pushes(out, us, pawns, empty, targets)
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_king_moves(
    s: cython.pointer(cython.const[State]), out: cython.pointer(Move), king: cython.int, targets: u64
) -> cython.pointer(Move):
    """King moves to `targets` that are not attacked."""
    them: cython.int = s.turn ^ 1
    behind: u64 = occupied_of(s) & ~bit(king)
    steps: u64 = KING_ATTACKS[king] & targets
    while steps:
        if not is_attacked(s, lsb(steps), behind, them):
            out[0] = make_move(KING, king, lsb(steps), NORMAL, 0)
            out += 1
        steps &= steps - 1
    return out


def add_lawful(s, out, what):
    """The lawful moves of orthodox chess: checkers and pins are found once, so that few moves need a test."""
    us: cython.int = s.turn
    own: u64 = s.colors[us]
    king: cython.int = king_square(s, us)
    checkers: u64 = attackers(s, king, occupied_of(s), us ^ 1)
    targets: u64 = ~own
    shields: u64
    pawns: u64 = s.roles[PAWN] & own
    square: cython.int
    if what == NOISY:
        targets = s.colors[us ^ 1]
    elif what == QUIET:
        targets = ~occupied_of(s)
    out = _add_king_moves(s, out, king, targets)
    if checkers & (checkers - 1):
        return out
    shields = pinned(s, king, us)
    open_squares: u64 = ~cython.cast(u64, 0)
    if checkers:
        open_squares = checkers | BETWEEN[king][lsb(checkers)]
    elif what != NOISY and s.castling & own:
        out = add_castling(s, out, 0)
    out = add_pieces(s, out, us, ~shields, targets & open_squares)
    out = _add_pawn_moves(s, out, pawns & ~shields, open_squares & ~own, what)
    if shields and not checkers:
        out = _add_pinned(s, out, king, shields, targets, what)
    if s.ep != NO_SQUARE and what != QUIET:
        pawns &= PAWN_ATTACKS[us ^ 1][s.ep]
        while pawns:
            square = lsb(pawns)
            if ep_is_safe(s, square, s.ep):
                out[0] = make_move(PAWN, square, s.ep, EN_PASSANT, 0)
                out += 1
            pawns &= pawns - 1
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_pinned(
    s: cython.pointer(cython.const[State]),
    out: cython.pointer(Move),
    king: cython.int,
    shields: u64,
    targets: u64,
    what: cython.int,
) -> cython.pointer(Move):
    """Moves of pinned men along their pins."""
    us: cython.int = s.turn
    square: cython.int
    while shields:
        square = lsb(shields)
        if s.roles[PAWN] & bit(square):
            out = _add_pawn_moves(s, out, bit(square), LINE[king][square] & ~s.colors[us], what)
        else:
            out = add_pieces(s, out, us, bit(square), targets & LINE[king][square])
        shields &= shields - 1
    return out


def pseudo_legal_pawn_move(s, m):
    """Whether a pawn of the side to move, known to stand on the origin, may make this move, its king left aside."""
    us: cython.int = s.turn
    origin: cython.int = origin_of(m)
    target: cython.int = target_of(m)
    step: cython.int = 8 if us == WHITE else -8
    ends: cython.bint = (bit(target) & (rank_mask(0) | rank_mask(7))) != 0
    promotion: cython.int = promotion_of(m)
    if kind_of(m) == EN_PASSANT:
        return s.ep == target and promotion == 0 and (PAWN_ATTACKS[us][origin] & bit(target)) != 0
    if kind_of(m) == DOUBLE_PUSH:
        if origin >> 3 != (1 if us == WHITE else 6) or target != origin + 2 * step or promotion:
            return False
        return not (bit(target) | bit(origin + step)) & occupied_of(s)
    if kind_of(m) != NORMAL or ends != (promotion != 0) or promotion > QUEEN:
        return False
    if PAWN_ATTACKS[us][origin] & bit(target):
        return (s.colors[us ^ 1] & bit(target)) != 0
    return target == origin + step and not occupied_of(s) & bit(target)


def see_value(role):
    if role == PAWN:
        return 100
    if role == KNIGHT:
        return 320
    if role == BISHOP:
        return 330
    if role == ROOK:
        return 500
    if role == QUEEN:
        return 950
    return 20000 if role == KING else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _least_attacker(s: cython.pointer(cython.const[State]), men: u64) -> cython.int:
    role: cython.int
    for role in range(PAWN, KING):
        if s.roles[role] & men:
            return role
    return KING


def wins_exchange(s, m, threshold):
    """Whether the exchanges on the target square win at least `threshold` centipawns for the side to move."""
    target: cython.int = target_of(m)
    side: cython.int = s.turn
    occupied: u64 = (occupied_of(s) & ~bit(origin_of(m))) | bit(target)
    balance: cython.int = see_value(role_at(s, target)) - threshold
    role: cython.int = role_of(m)
    men: u64
    if kind_of(m) == CASTLE:
        return threshold <= 0
    if kind_of(m) == EN_PASSANT:
        balance += see_value(PAWN)
        occupied &= ~bit(target - 8 if side == WHITE else target + 8)
    if promotion_of(m):
        role = promotion_of(m)
        balance += see_value(role) - see_value(PAWN)
    if balance < 0:
        return False
    balance -= see_value(role)
    # A king that recaptures on an attacked square loses itself: its value settles that without a test.
    while balance < 0:
        side ^= 1
        men = attackers(s, target, occupied, side) & occupied
        if not men:
            return side != s.turn
        role = _least_attacker(s, men)
        men &= s.roles[role]
        occupied &= ~(men & -men)
        balance = -balance - 1 - see_value(role)
    return side == s.turn


def put(s, color, role, square):
    s.roles[role] |= bit(square)
    s.colors[color] |= bit(square)
    s.key ^= MAN_KEYS[color][role][square]


def remove(s, color, role, square):
    s.roles[role] &= ~bit(square)
    s.colors[color] &= ~bit(square)
    s.key ^= MAN_KEYS[color][role][square]
