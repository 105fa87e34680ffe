"""What the server refuses.

    Exception
    ├── Refused            a command that the rules of the site do not allow now: 400
    ├── Missing            no such thing, or not yours: 404
    └── FormError          fields of a form that are wrong: 400, with the messages of each field
"""
from __future__ import annotations

from collections.abc import Mapping


class Refused(Exception):
    """A command that cannot be carried out; the text is shown to the client."""


class Missing(Exception):
    """A thing that is not there, or that the caller has no part in."""


class FormError(Exception):
    """Fields that are wrong; errors of the whole form stand under `global`.

    Lichess tells them twice, but for some forms: their fields stand under `error` alone.
    """

    def __init__(self, fields: Mapping[str, str], *, told_once: bool = False) -> None:
        self.told_once = told_once
        self.fields = {name: [text] for name, text in fields.items()}
        super().__init__("; ".join(f"{name}: {text}" for name, text in fields.items()))
