"""What a move is, what it does and which positions are decided: the operations of a game, orthodox by default.

A game is one stateless object of a subclass of `Variant`, in a file of its own under `rules/variants/`; it overrides
what it does otherwise.  Shared code asks for a mechanism (`has_pocket`, `blasts`), never for a game's name.

Viewpoints: `decided` and `without_moves` speak of the side to move; thresholds are centipawns for the side to move.
"""

import cython

ORTHODOX_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Variant:
    """The orthodox game; the base of every other."""

    # What the wire, the command line and the records call the game.
    key = ""
    name = ""
    short = ""
    uci_name = "chess"
    perf_key = ""
    pgn_name = ""
    start_fen = ORTHODOX_START
    start_on_wire = "startpos"
    tablebase_suffix = None
    own_policy = None
    # What a board may hold, by color: fewest and most kings, pawns on the own first rank.
    kings = ((1, 1), (1, 1))
    has_pawns = True
    pawns_on_first_rank = (False, False)
    has_en_passant = True
    may_check = True
    # How it appears on the wire.
    chess960 = False
    needs_fen = False
    lichess = True

    def __cinit__(self):
        self.generates_lawful = True
        self.has_check = True
        self.has_castling = True
        self.has_pocket = False
        self.counts_checks = False
        self.repeats_pawn_moves = False
        self.blasts = False

    def __repr__(self):
        return f"<{self.name}>"

    def __reduce__(self):
        return variant_by_key, (self.key,)

    def generate(self, s, what, out):
        """Writes the moves that `what` asks for to `out`; returns how many."""
        if king_square(s, s.turn) == NO_SQUARE:
            return 0
        if what == THREATS:
            return keep_threats(self, s, out, self.generate(s, QUIET, out))
        return cython.cast(cython.int, add_lawful(s, out, what) - out)

    def play(self, s, m, after):
        """Writes the position after a pseudo-legal move to `after`, which must not be `s`."""
        us: cython.int = s.turn
        target: cython.int = target_of(m)
        after[0] = s[0]
        if after.ep != NO_SQUARE:
            after.key ^= EP_KEYS[after.ep]
            after.ep = NO_SQUARE
        after.halfmoves += 1
        after.reversible_plies += 1
        if kind_of(m) == CASTLE:
            move_castling_men(after, us, m)
        else:
            move_man(after, us, m)
            if kind_of(m) == EN_PASSANT:
                remove(after, us ^ 1, PAWN, target - 8 if us == WHITE else target + 8)
            drop_castling_rights(after, us, m)
        after.turn = us ^ 1
        after.key ^= TURN_KEY
        after.fullmove += us
        if kind_of(m) == DOUBLE_PUSH:
            target = target - 8 if us == WHITE else target + 8
            if PAWN_ATTACKS[us][target] & after.roles[PAWN] & after.colors[us ^ 1]:
                if self.ep_capture_exists(after, target):
                    after.ep = target
                    after.key ^= EP_KEYS[target]

    def is_lawful(self, after):
        """Whether the side that has just moved may leave this position behind: its king is not attacked."""
        king: cython.int = king_square(after, after.turn ^ 1)
        return king != NO_SQUARE and not is_attacked(after, king, occupied_of(after), after.turn)

    def pseudo_legal(self, s, m):
        """Whether `m`, any move code at all, is a move here once the safety of the king is left aside."""
        us: cython.int = s.turn
        origin: cython.int = origin_of(m)
        target: cython.int = target_of(m)
        role: cython.int = role_of(m)
        if role > KING or not s.roles[role] & s.colors[us] & bit(origin):
            return False
        if kind_of(m) == CASTLE:
            return role == KING and is_castling(s, m)
        if s.colors[us] & bit(target):
            return False
        if role == PAWN:
            return pseudo_legal_pawn_move(s, m)
        if kind_of(m) != NORMAL or promotion_of(m):
            return False
        return (attacks_from(role, us, origin, occupied_of(s)) & bit(target)) != 0

    def legal(self, s, m):
        """Whether `m`, any move code at all, may be played here."""
        after: State
        if self.decided(s) or not self.pseudo_legal(s, m):
            return False
        self.play(s, m, cython.address(after))
        return self.is_lawful(cython.address(after))

    def decided(self, s):
        """The ending that the position itself is, whatever moves there are; UNDECIDED in orthodox chess."""
        return UNDECIDED

    def without_moves(self, s):
        """The ending when the side to move has no legal move."""
        if self.checkers(s):
            return ending(LOST, BY_CHECKMATE)
        return ending(DRAWN, BY_STALEMATE)

    def legal_moves_into(self, s, out):
        """Writes the legal moves to `out`, none once the game is decided; returns how many."""
        if self.decided(s):
            return 0
        return keep_lawful(self, s, out, self.generate(s, ALL, out))

    def has_legal_move(self, s):
        """Whether the side to move could move, were the game not decided otherwise."""
        moves: Move[MAX_MOVES]
        return keep_lawful(self, s, moves, self.generate(s, ALL, moves)) > 0

    def checkers(self, s):
        """Enemy men that give check to the side to move."""
        king: cython.int = king_square(s, s.turn)
        if king == NO_SQUARE:
            return 0
        return attackers(s, king, occupied_of(s), s.turn ^ 1)

    def pressing(self, s):
        """Men that leave the side to move no free choice: those that give check; a game may have others."""
        return self.checkers(s)

    def aim(self, s, aims):
        """How the side to move can attack the enemy king, for `attacks_king`."""
        aim_at(s, king_square(s, s.turn ^ 1), aims)

    def attacks_king(self, s, aims, m):
        """Whether a pseudo-legal move attacks the enemy king."""
        kind: cython.int = kind_of(m)
        if kind == CASTLE or kind == EN_PASSANT or kind == SWAP or (kind != DROP and aims.screens & bit(origin_of(m))):
            return attacks_king_once_played(self, s, m)
        return (aims.squares[promotion_of(m) if promotion_of(m) else role_of(m)] & bit(target_of(m))) != 0

    def captured(self, s, m):
        """Squares of the men that the move takes off the board."""
        if kind_of(m) == EN_PASSANT:
            return bit(target_of(m) - 8 if s.turn == WHITE else target_of(m) + 8)
        if kind_of(m) == CASTLE:
            return 0
        return bit(target_of(m)) & s.colors[s.turn ^ 1]

    def is_noisy(self, s, m):
        """Whether the move is among those that generate(NOISY) gives."""
        return promotion_of(m) != 0 or self.captured(s, m) != 0

    def threatens_win(self, s):
        """Whether the side to move can win with its very next move by something other than mate."""
        return False

    def exchange_at_least(self, s, m, threshold):
        """Whether the exchanges that the move begins win at least `threshold` centipawns."""
        return wins_exchange(s, m, threshold)

    def may_pass(self, s):
        """Whether a null move is sound here: some piece is left, so that zugzwang is unlikely."""
        return (s.colors[s.turn] & ~s.roles[PAWN] & ~s.roles[KING]) != 0

    def pass_turn(self, s, after):
        """Writes the position after a null move, which no repetition reaches across."""
        after[0] = s[0]
        if after.ep != NO_SQUARE:
            after.key ^= EP_KEYS[after.ep]
            after.ep = NO_SQUARE
        after.turn ^= 1
        after.key ^= TURN_KEY
        after.halfmoves += 1
        after.reversible_plies = 0

    def can_win(self, s, color):
        """Whether the material lets this side win, the other helping as it can (Lichess's rule)."""
        own: u64 = s.colors[color]
        bishops: u64 = s.roles[BISHOP]
        if own & (s.roles[PAWN] | s.roles[ROOK] | s.roles[QUEEN]):
            return True
        if own & s.roles[KNIGHT]:
            return popcount(own) > 2 or (s.colors[color ^ 1] & ~s.roles[KING] & ~s.roles[QUEEN]) != 0
        if own & bishops:
            one_color: cython.bint = not (bishops & DARK_SQUARES and bishops & ~DARK_SQUARES)
            return not one_color or (s.roles[PAWN] | s.roles[KNIGHT]) != 0
        return False

    def ep_capture_exists(self, s, square):
        """Whether the side to move may capture en passant onto this square, just passed by a pawn."""
        if king_square(s, s.turn) == NO_SQUARE:
            return False
        pawns: u64 = PAWN_ATTACKS[s.turn ^ 1][square] & s.roles[PAWN] & s.colors[s.turn]
        while pawns:
            if ep_is_safe(s, lsb(pawns), square):
                return True
            pawns &= pawns - 1
        return False


def keep_lawful(variant, s, moves, count):
    """Keeps the moves after which the own side stands lawfully; returns how many."""
    after: State
    kept: cython.int = 0
    i: cython.int
    if variant.generates_lawful:
        return count
    for i in range(count):
        variant.play(s, moves[i], cython.address(after))
        if variant.is_lawful(cython.address(after)):
            moves[kept] = moves[i]
            kept += 1
    return kept


def aim_at(s, king, aims):
    """Fills in how the side to move can attack a king; where it already does, every man may uncover an attack."""
    us: cython.int = s.turn
    own: u64 = s.colors[us]
    occupied: u64 = occupied_of(s)
    straight: u64
    slanting: u64
    blockers: u64
    memset(aims, 0, cython.sizeof(Aims))
    if king == NO_SQUARE:
        return
    straight = rook_attacks(king, occupied)
    slanting = bishop_attacks(king, occupied)
    aims.squares[PAWN] = PAWN_ATTACKS[us ^ 1][king]
    aims.squares[KNIGHT] = KNIGHT_ATTACKS[king]
    aims.squares[BISHOP] = slanting
    aims.squares[ROOK] = straight
    aims.squares[QUEEN] = straight | slanting
    aims.squares[KING] = KING_ATTACKS[king]
    if attackers(s, king, occupied, us):
        aims.screens = own
        return
    blockers = straight & own
    if rook_attacks(king, occupied ^ blockers) & own & (s.roles[ROOK] | s.roles[QUEEN]):
        aims.screens |= blockers
    blockers = slanting & own
    if bishop_attacks(king, occupied ^ blockers) & own & (s.roles[BISHOP] | s.roles[QUEEN]):
        aims.screens |= blockers


def attacks_king_once_played(variant, s, m):
    """Whether a pseudo-legal move attacks the enemy king, seen on the board after it."""
    after: State
    variant.play(s, m, cython.address(after))
    return variant.checkers(cython.address(after)) != 0


def keep_threats(variant, s, moves, count):
    """Keeps the moves that attack the enemy king; returns how many."""
    aims: Aims
    kept: cython.int = 0
    i: cython.int
    variant.aim(s, cython.address(aims))
    for i in range(count):
        if variant.attacks_king(s, cython.address(aims), moves[i]):
            moves[kept] = moves[i]
            kept += 1
    return kept


def king_could_step(s, us, goals):
    """Whether a side's king could go to one of these squares without being attacked there, were it to move."""
    king: cython.int = king_square(s, us)
    behind: u64 = occupied_of(s) & ~bit(king)
    steps: u64 = KING_ATTACKS[king] & ~s.colors[us] & goals
    while steps:
        if not is_attacked(s, lsb(steps), behind, us ^ 1):
            return True
        steps &= steps - 1
    return False


def move_man(s, us, m):
    """Moves a man, removes what it captures on its target, and promotes it; counters are reset as FEN says."""
    target: cython.int = target_of(m)
    role: cython.int = role_of(m)
    if s.colors[us ^ 1] & bit(target):
        remove(s, us ^ 1, role_at(s, target), target)
        s.halfmoves = 0
        s.reversible_plies = 0
    remove(s, us, role, origin_of(m))
    put(s, us, promotion_of(m) if promotion_of(m) else role, target)
    if role == PAWN:
        s.halfmoves = 0
        s.reversible_plies = 0


def move_castling_men(s, us, m):
    """Castles, and takes away the rights of that side."""
    king: cython.int = origin_of(m)
    rook: cython.int = target_of(m)
    lost: u64 = s.castling & s.colors[us]
    remove(s, us, KING, king)
    remove(s, us, ROOK, rook)
    put(s, us, KING, castled_king(king, rook))
    put(s, us, ROOK, castled_rook(king, rook))
    s.castling &= ~lost
    s.key ^= castling_key(lost)
    s.reversible_plies = 0


def drop_castling_rights(s, us, m):
    """Rights end when the king moves, or when a rook moves or is captured; such a move cannot be repeated."""
    lost: u64 = s.castling & (bit(origin_of(m)) | bit(target_of(m)))
    if role_of(m) == KING:
        lost |= s.castling & rank_mask(0 if us == WHITE else 7)
    if lost:
        s.castling &= ~lost
        s.key ^= castling_key(lost)
        s.reversible_plies = 0


def is_castling(s, m):
    """Whether this castling move is legal, the king's path included."""
    moves: Move[2]
    king: cython.int = king_square(s, s.turn)
    count: cython.int
    i: cython.int
    if is_attacked(s, king, occupied_of(s), s.turn ^ 1):
        return False
    count = cython.cast(cython.int, add_castling(s, moves, 0) - cython.cast(cython.pointer(Move), moves))
    for i in range(count):
        if moves[i] == m:
            return True
    return False


def variant_by_key(key):
    """The game of this key, for pickling."""
    from rules import variants

    return variants.by_key(key)
