"""Memory that is freed by one thread serves the next one."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

SCRIPT = """
import ctypes, os, sys, threading
from pathlib import Path
from bot import allocation
if sys.argv[1] == "together":
    allocation.keep_together()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
both = threading.Barrier(16)

def work():
    # all threads at once, so that each is given an arena of its own if there is no end of them
    held = [libc.malloc(60_000) for _ in range(40)]
    both.wait()
    for piece in held:
        ctypes.memset(piece, 1, 60_000)
    both.wait()
    for piece in held:
        libc.free(piece)

threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
maps = Path("/proc/self/maps").read_text().splitlines()
print(sum(int(line.split("-")[0], 16) % 2**26 == 0 and "rw-p" in line for line in maps))
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library: nothing is asked of it")
def test_threads_share_few_arenas() -> None:
    arenas = {
        how: int(subprocess.run([sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, check=True).stdout)
        for how in ("together", "apart")
    }
    assert arenas["together"] <= 2 < arenas["apart"]
