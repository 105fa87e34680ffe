"""Throws broken FENs, hand-made boards, random move codes and mangled move texts at the rules.

    python bench/fuzz.py [--minutes 10] [--seed 1] [--variant KEY]

A finding is anything but a legal answer or one of our own errors; the first of each kind is printed with what it takes
to repeat it, and the exit code is 1.  Run it on the sanitizer build to see reads out of range too (`make fuzz`).
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
import traceback
from dataclasses import dataclass, field

from rules import fen, problems, san, uci, variants
from rules.errors import RulesError
from rules.fen import Setup
from rules.move import Color, Move, Piece, Role
from rules.position import Position
from rules.variant import Variant

FEN_LETTERS = "pnbrqkPNBRQK12345678/ -wbKQkqAHah~[]+03abcdefgh9x\u00e9"
MOVE_LETTERS = "abcdefgh12345678NBRQKPqrbnkx=+#@>O0-o \u00e9"
KINDS = range(5)


@dataclass
class Findings:
    """What went wrong, by the kind of fault, and how much was tried."""

    tried: int = 0
    seen: dict[str, str] = field(default_factory=dict)

    def add(self, error: BaseException, what: str) -> None:
        """Remember a fault, the first of its kind."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        kind = f"{type(error).__name__} in {last.name}: {error}"[:160]
        if kind not in self.seen:
            self.seen[kind] = what
            print(f"FINDING {kind}\n    {what}", flush=True)


def mangled(rng: random.Random, text: str, letters: str) -> str:
    """A text with a few letters changed, removed, doubled or swapped."""
    characters = list(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(characters) + 1)
        change = rng.randrange(4)
        if change == 0 or not characters:
            characters.insert(at, rng.choice(letters))
        elif change == 1:
            characters[at % len(characters)] = rng.choice(letters)
        elif change == 2:
            del characters[at % len(characters)]
        else:
            other = rng.randrange(len(characters))
            here = at % len(characters)
            characters[here], characters[other] = characters[other], characters[here]
    return "".join(characters)


def random_setup(rng: random.Random, variant: Variant) -> Setup:
    """A board made by hand, mostly an impossible one."""
    men = rng.choice((2, 3, 5, 12, 32, 64))
    roles = [*Role, Role.PAWN] if rng.random() < 0.7 else [rng.choice(list(Role)), Role.PAWN]
    squares = rng.sample(range(64), rng.randint(0, men))
    pieces = {square: Piece(rng.choice(roles), rng.choice(list(Color))) for square in squares}
    if rng.random() < 0.8:
        pieces = {square: piece for square, piece in pieces.items() if piece.role is not Role.KING}
        pieces[rng.randrange(64)] = Piece(Role.KING, Color.WHITE)
        pieces[rng.randrange(64)] = Piece(Role.KING, Color.BLACK)
    rooks = [square for square, piece in pieces.items() if piece.role is Role.ROOK and square // 8 in (0, 7)]
    pocket = [{rng.choice(list(Role)[:5]): rng.randint(1, 16)} if variant.has_pocket else {} for _ in Color]
    return Setup(
        pieces=pieces,
        turn=rng.choice(list(Color)),
        castling=frozenset(rng.sample(rooks, min(len(rooks), 2))) if variant.has_castling else frozenset(),
        ep=rng.randrange(64) if rng.random() < 0.3 else None,
        halfmoves=rng.randint(0, 120),
        promoted=frozenset(square for square in pieces if variant.has_pocket and rng.random() < 0.1),
        pockets=(pocket[0], pocket[1]),
        checks=(rng.randint(0, 3), rng.randint(0, 3)) if variant.counts_checks else (0, 0),
    )


def exercise(rng: random.Random, position: Position, playable: bool) -> None:
    """Ask everything of a position; a playable one must also round-trip and keep its invariants."""
    moves = position.legal_moves()
    position.ending()
    position.checkers()
    position.threatens_win()
    for color in Color:
        position.can_win(color)
    generated = {kind: {move.code for move in position.generate(kind)} for kind in KINDS}
    for _ in range(20):
        position.pseudo_legal(Move(rng.getrandbits(21)))
        position.is_legal(Move(rng.getrandbits(21)))
    for move in rng.sample(moves, min(len(moves), 6)):
        after = position.play(move)
        assert after.key == after.key_from_scratch(), f"key after {move}"
        position.exchange_at_least(move, rng.randint(-300, 300))
        position.captured_by(move)
        if playable:
            round_trip(rng, position, move)
            after.legal_moves()
    if not playable:
        return
    assert generated[1] | generated[2] == generated[0] and not generated[1] & generated[2], "noisy and quiet are all"
    again = Position.from_fen(position.variant, position.fen())
    assert again.fen() == position.fen() and again.key == position.key, "FEN round trip"


def round_trip(rng: random.Random, position: Position, move: Move) -> None:
    """A legal move must be read back from every notation, and a mangled text must give a legal move or our error."""
    assert position.pseudo_legal(move) and position.is_legal(move), f"membership of {move}"
    protocol = uci.write(position, move, rook_castling=rng.random() < 0.5)
    written = san.write(position, move)
    assert uci.read(position, protocol) == move, f"{protocol} is read as another move"
    assert san.read(position, written) == move, f"{written} is read as another move"
    for text in (protocol, written):
        for reader in (uci.read, san.read):
            with contextlib.suppress(RulesError):
                assert position.is_legal(reader(position, mangled(rng, text, MOVE_LETTERS)))


def one_round(rng: random.Random, variant: Variant, findings: Findings) -> None:
    """A mangled FEN, a hand-made board, and some plies of random play."""
    position = Position.start(variant)
    for _ in range(rng.randrange(60)):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    attempt(findings, position.fen(), lambda: exercise(rng, position, True))
    text = mangled(rng, position.fen(), FEN_LETTERS)
    attempt(findings, text, lambda: exercise(rng, Position.from_fen(variant, text), True))
    setup = random_setup(rng, variant)

    def hand_made() -> None:
        errors = [problem for problem in problems.examine(setup, variant) if problem.is_error]
        exercise(rng, Position.from_setup(variant, setup), not errors)

    attempt(findings, f"{variant.key} {fen.write_board(setup.pieces)} {setup}", hand_made)


def attempt(findings: Findings, what: str, action: object) -> None:
    """Run one action; anything but our own errors is a finding."""
    findings.tried += 1
    try:
        action()  # type: ignore[operator]
    except RulesError:
        pass
    except Exception as error:  # every other error is what a fuzzer is looking for
        findings.add(error, what)


def main() -> int:
    """Fuzz for the time asked for; 0 when nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=[variant.key for variant in variants.ALL])
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    games = [variants.by_key(arguments.variant)] if arguments.variant else list(variants.ALL)
    findings = Findings()
    deadline = time.monotonic() + 60 * arguments.minutes
    while time.monotonic() < deadline:
        one_round(rng, rng.choice(games), findings)
    print(f"{findings.tried} inputs, {len(findings.seen)} kinds of finding")
    return 1 if findings.seen else 0


if __name__ == "__main__":
    sys.exit(main())
