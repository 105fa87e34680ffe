"""What is answered to an operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reply:
    """The answer to one command: `text` for people, `value` the same for programs where there is one."""

    ok: bool
    text: str
    value: Any = None
