"""The log: one line an event, rotating files of bounded size, and no token in it."""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from bot.config import Log

FILE_NAME: Final = "centella.log"
LINE: Final = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
# beside the tokens we know: whatever a library might print of a header, and anything in the site's own form
TOKEN_LOOK: Final = re.compile(r"(?i:(bearer)\s+\S+)|\blip_[A-Za-z0-9_]+")
HIDDEN: Final = "[token]"

logger = logging.getLogger(__name__)


class Redaction:
    """Takes tokens out of texts: the given ones, and whatever looks like one."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # a token may be the beginning of another
        self._secrets = tuple(sorted((secret for secret in secrets if secret), key=len, reverse=True))

    def __call__(self, text: str) -> str:
        """The text without them."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return TOKEN_LOOK.sub(HIDDEN, text)


class RedactingFormatter(logging.Formatter):
    """Writes every record as a line of text, its traceback included, without the secrets."""

    def __init__(self, redact: Redaction) -> None:
        super().__init__(LINE)
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """The record in words, secrets replaced."""
        return self._redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """Writes every record as an object on a line of its own, without the secrets."""

    def __init__(self, redact: Redaction) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON: time, level, logger, message, and the traceback if there is one."""
        values = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "thread": record.threadName,
            "message": record.getMessage(),
        }
        if record.exc_info:
            values["traceback"] = self.formatException(record.exc_info)
        return self._redact(json.dumps(values))


class LogFile(RotatingFileHandler):
    """The file of the log, rotated. One that cannot be written to costs lines, and is told of once, not once a line."""

    _told = False

    def handleError(self, record: logging.LogRecord) -> None:
        """Say on standard error that the log has holes."""
        error = sys.exception()
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._told:
            self._told = True
            print(f"centella: {self.baseFilename}: cannot be written: {error.strerror or error}", file=sys.stderr)


FORMATTERS: Final = {"text": RedactingFormatter, "json": JsonFormatter}


def change_level(settings: Log) -> None:
    """Log as much as the settings say from now on."""
    logging.getLogger("bot").setLevel(settings.level.upper())


@contextmanager
def logging_to(folder: Path, settings: Log, secrets: Iterable[str], *, echo: bool) -> Iterator[None]:
    """Log into that folder while the context lasts, and to standard error as well when `echo`."""
    formatter = FORMATTERS[settings.format](Redaction(secrets))
    file = LogFile(
        folder / FILE_NAME,
        maxBytes=int(settings.size_mb * 1_000_000),
        backupCount=settings.files,
        encoding="utf-8",
        errors="backslashreplace",
    )
    outputs: list[logging.Handler] = [file, *([logging.StreamHandler(sys.stderr)] if echo else [])]
    ours, root = logging.getLogger("bot"), logging.getLogger()
    before = ours.level
    change_level(settings)
    for output in outputs:
        output.setFormatter(formatter)
        root.addHandler(output)
    hook_before, threading.excepthook = threading.excepthook, _log_death
    try:
        yield
    finally:
        threading.excepthook = hook_before
        ours.setLevel(before)
        for output in outputs:
            root.removeHandler(output)
            output.close()


def _log_death(death: threading.ExceptHookArgs) -> None:
    """What a thread dies of goes into the log like everything else, not past it to the terminal."""
    thread = death.thread.name if death.thread else "a thread"
    cause = (death.exc_type, death.exc_value or death.exc_type(), death.exc_traceback)
    logger.critical("%s has died", thread, exc_info=cause)
