"""Counting move sequences: the proof that a move generator is right, and the measure of its speed."""

import cython


def count_leaves(variant, s, depth):
    """How many sequences of exactly `depth` moves there are; lawful generators are counted in bulk at the last ply."""
    moves: Move[MAX_MOVES]
    after: State
    count: cython.int
    i: cython.int
    leaves: u64 = 0
    if depth == 0:
        return 1
    if variant.decided(s):
        return 0
    count = variant.generate(s, ALL, moves)
    if depth == 1 and variant.generates_lawful:
        return count
    for i in range(count):
        variant.play(s, moves[i], cython.address(after))
        if variant.generates_lawful or variant.is_lawful(cython.address(after)):
            leaves += count_leaves(variant, cython.address(after), depth - 1)
    return leaves
