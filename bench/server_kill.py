"""kill -9 of the local Lichess at random moments while games are played: how many answered moves are lost?

    .venv/bin/python -m bench.server_kill [--kills N] [--games N] [--seed N]

Last line: `kills K answered A lost L invented I`; the exit code is 1 unless L and I are 0.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.server.killing import Killing


def main() -> int:
    """Kill, compare, tell."""
    parser = argparse.ArgumentParser(description="Kill the local Lichess while games are played on it.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        toll = Killing(Path(folder), args.seed, args.games).run(args.kills)
    for line in (*toll.lost, *toll.invented):
        print(line)
    print(f"kills {toll.kills} answered {toll.answered} lost {len(toll.lost)} invented {len(toll.invented)}")
    return int(bool(toll.lost or toll.invented))


if __name__ == "__main__":
    sys.exit(main())
