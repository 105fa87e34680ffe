"""What the sources on the web have in common: what to make of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import requests

from bot import wire
from bot.sources.source import SourceFailed
from bot.transport import LichessError, Limited, Refused

NOT_FOUND: Final = 404


def asked(shape: type[wire.S], ask: Callable[[], object]) -> wire.S | None:
    """An answer of that shape, None when the site knows nothing. Raises SourceFailed."""
    try:
        return wire.read(shape, ask())
    except Limited as error:
        raise SourceFailed(str(error), error.seconds) from None
    except Refused as error:
        if error.status == NOT_FOUND:
            return None
        raise SourceFailed(str(error)) from None
    except (LichessError, wire.MalformedMessage) as error:
        raise SourceFailed(str(error)) from None
    except (requests.RequestException, StopIteration, ValueError, KeyError, TypeError) as error:
        raise SourceFailed(f"an answer that is not of the expected form: {type(error).__name__}") from None
