"""`centella rules`: count, verify, check and show positions with the rules alone."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands import FAILED, OK, USAGE, CommandFailed
from bot.commands.files import lines_of
from bot.commands.waiting import interruptibly
from bot.conformance import BadRow, read_perft, verify
from bot.messages import explain, sentence
from rules import draws, fen, problems, san, uci, variants
from rules.errors import RulesError
from rules.game import judge
from rules.move import make_square
from rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.variant import Variant

    _SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: _SubParsers) -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser("rules", help="count, verify, check and show positions")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    perft = _add(commands, "perft", _perft, "count move sequences, or check a file of known counts")
    perft.add_argument("variant", metavar="V")
    perft.add_argument("--epd", metavar="FILE", type=Path, help="positions with their counts: FEN ;D1 n ;D2 n ...")
    perft.add_argument("--most", metavar="N", type=int, help="leave out counts above N")
    perft.add_argument("--fen", help="the position to count from (default: the start)")
    perft.add_argument("--depth", metavar="PLIES", type=int, choices=range(1, 31), default=5)

    rows = _add(commands, "verify", _verify, "hold the rules against a file of known answers")
    rows.add_argument("file", metavar="FILE.jsonl", type=Path)
    rows.add_argument("--variant", metavar="V", help="check the rows of this game, and those that name none")

    for name, command, purpose in (
        ("check", _check, "tell what is wrong with a position"),
        ("moves", _moves, "list the legal moves in protocol form"),
        ("show", _show, "draw a position, with its legal moves"),
    ):
        position = _add(commands, name, command, purpose)
        position.add_argument("variant", metavar="V")
        position.add_argument("fen", metavar="FEN", nargs="+")


def _add(
    commands: _SubParsers, name: str, command: Callable[[argparse.Namespace], int], purpose: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=purpose, description=purpose)
    parser.set_defaults(run=run, command=command)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run one of the commands; an argument that the rules refuse is told in one line."""
    command: Callable[[argparse.Namespace], int] = args.command
    try:
        return command(args)
    except BadRow as error:
        raise CommandFailed(f"{args.epd}: {error}", USAGE) from None
    except RulesError as error:
        raise CommandFailed(explain(error), FAILED if command is _check else USAGE) from None


def _perft(args: argparse.Namespace) -> int:
    variant = variants.by_key(args.variant)
    if args.epd is not None:
        return _perft_file(args, variant)
    position = Position.start(variant) if args.fen is None else Position.from_fen(variant, args.fen)
    total = 0
    started = time.perf_counter()
    for move in position.legal_moves():
        count = _count(position.play(move), args.depth - 1)
        total += count
        print(f"{uci.write(position, move, variant.chess960)}: {count}")
    seconds = time.perf_counter() - started
    print(f"depth {args.depth} nodes {total} nodes/s {round(total / max(seconds, 1e-9))}")
    return OK


def _perft_file(args: argparse.Namespace, variant: Variant) -> int:
    rows = list(read_perft(lines_of(args.epd)))
    counts = mismatches = nodes = 0
    seconds = 0.0
    for row in rows:
        expected = {depth: count for depth, count in row.counts.items() if args.most is None or count <= args.most}
        counts += len(expected)
        try:
            position = Position.from_fen(variant, row.fen)
        except RulesError as error:
            print(f"line {row.line}: {row.fen}: {explain(error)}")
            mismatches += max(1, len(expected))
            continue
        for depth, count in expected.items():
            started = time.perf_counter()
            found = _count(position, depth)
            seconds += time.perf_counter() - started
            nodes += found
            if found != count:
                print(f"line {row.line}: {row.fen}: depth {depth}: {found}, expected {count}")
                mismatches += 1
    rate = round(nodes / seconds) if seconds else 0
    print(f"positions {len(rows)} counts {counts} mismatches {mismatches} nodes/s {rate}")
    return FAILED if mismatches else OK


def _count(position: Position, depth: int) -> int:
    return interruptibly(lambda: position.perft(depth))


def _verify(args: argparse.Namespace) -> int:
    only = None if args.variant is None else variants.by_key(args.variant)
    rows = mismatches = 0
    for verdict in verify(lines_of(args.file), only):
        rows += 1
        mismatches += not verdict.agrees
        if verdict.remark:
            print(f"line {verdict.line}: {'' if verdict.agrees else 'MISMATCH: '}{verdict.remark}")
    print(f"rows {rows} mismatches {mismatches}")
    return FAILED if mismatches else OK


def _check(args: argparse.Namespace) -> int:
    variant = variants.by_key(args.variant)
    try:
        setup = fen.read(" ".join(args.fen), variant)
    except RulesError as error:
        print(f"error: {explain(error)}")
        return FAILED
    found = problems.examine(setup, variant)
    for problem in found:
        print(f"{problem.severity}: {explain(problem)}")
    if any(problem.is_error for problem in found):
        return FAILED
    print(f"ok: {Position.from_setup(variant, setup).fen()}")
    return OK


def _position(args: argparse.Namespace) -> Position:
    return Position.from_fen(variants.by_key(args.variant), " ".join(args.fen))


def _moves(args: argparse.Namespace) -> int:
    position = _position(args)
    for move in position.legal_moves():
        print(uci.write(position, move, position.variant.chess960))
    return OK


def _show(args: argparse.Namespace) -> int:
    position = _position(args)
    pieces = position.pieces()
    for rank in reversed(range(8)):
        men = (pieces.get(make_square(file, rank)) for file in range(8))
        print(rank + 1, *("." if man is None else man.letter for man in men))
    print("  a b c d e f g h")
    print(position.fen())
    outcome = judge([position], draws.for_game(position.variant, with_bot=False))
    if outcome is not None:
        result = "draw" if outcome.winner is None else f"{outcome.winner.wire} wins"
        print(f"over: {sentence(outcome.reason)}, {result}")
    moves = [san.write(position, move) for move in position.legal_moves()]
    print(f"{position.turn.wire} to move, {len(moves)} legal moves: {' '.join(moves)}")
    return OK
