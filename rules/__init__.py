"""The rules of every game Centella plays: positions, moves, outcomes and their notation."""

from importlib.machinery import ExtensionFileLoader
from importlib.util import find_spec

_kernel = find_spec("rules.position")
if _kernel is not None and not isinstance(_kernel.loader, ExtensionFileLoader):
    raise ImportError("Centella's kernel is not compiled: run make install")
