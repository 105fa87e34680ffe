"""Random games of every Lichess game, and of Chess960, against python-chess: 200,000 positions each.

python -m bench.differential [GAME ...] [--positions N] [--seed S]
"""

from __future__ import annotations

import argparse
import time

from rules import variants
from tests.oracle import BOARDS, differences


def main() -> int:
    """Print every difference, and a line for each game; 1 if there was any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    keys = [variant.key for variant in BOARDS]
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[[], *keys], help=f"of {', '.join(keys)}")
    parser.add_argument("--positions", type=int, default=200_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    args = parser.parse_args()
    total = 0
    for variant in [variants.by_key(key) for key in args.games] or BOARDS:
        started = time.process_time()
        found = 0
        for difference in differences(variant, args.positions, args.seed):
            found += 1
            print(difference)
        total += found
        seconds = time.process_time() - started
        print(f"{variant.key}: positions {args.positions} differences {found} seconds {seconds:.0f}", flush=True)
    return 1 if total else 0


if __name__ == "__main__":
    raise SystemExit(main())
