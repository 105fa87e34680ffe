"""How the C library keeps the memory of a process in which many threads come and go."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

# of glibc's malloc.h
M_MMAP_THRESHOLD: Final = -3
M_ARENA_MAX: Final = -8
OF_ITS_OWN_BYTES: Final = 2**20
ARENAS_MOST: Final = 2


def keep_together() -> None:
    """Have freed memory used again by whatever thread, and large pieces given back to the system; for glibc only.

    Left to itself, it lets threads allocate from eight arenas a processor, each of which keeps what was freed in it:
    after some hundred games they hold several times what the games need.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # another C library
        return
    mallopt(M_ARENA_MAX, ARENAS_MOST)
    mallopt(M_MMAP_THRESHOLD, OF_ITS_OWN_BYTES)
