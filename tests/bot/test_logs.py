"""The log: bounded, one place, and never a token in it."""

from __future__ import annotations

import json
import logging
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.config import Log
from bot.logs import FILE_NAME, logging_to

TOKEN = "Abc123_secret"


def logged(folder: Path) -> str:
    return (folder / FILE_NAME).read_text(encoding="utf-8")


def test_no_token_is_written_in_message_argument_or_traceback(tmp_path: Path) -> None:
    logger = logging.getLogger("bot.test")
    with logging_to(tmp_path, Log(), [TOKEN], echo=False):
        logger.info("token %s", TOKEN)
        logger.info("header Authorization: Bearer someOtherToken and lip_yetAnother")
        try:
            raise ValueError(f"refused {TOKEN}")
        except ValueError:
            logger.exception("it failed")
    text = logged(tmp_path)
    assert "refused [token]" in text
    assert text.count("[token]") == 4
    for secret in (TOKEN, "someOtherToken", "lip_yetAnother"):
        assert secret not in text


def test_the_level_is_obeyed_for_ours_and_libraries_stay_quiet(tmp_path: Path) -> None:
    with logging_to(tmp_path, Log(level="info"), [], echo=False):
        logging.getLogger("bot.test").debug("too fine")
        logging.getLogger("bot.test").info("just right")
        logging.getLogger("urllib3").info("chatter")
        logging.getLogger("urllib3").warning("a warning")
    text = logged(tmp_path)
    assert "just right" in text
    assert "a warning" in text
    assert "too fine" not in text
    assert "chatter" not in text


def test_the_log_is_bounded(tmp_path: Path) -> None:
    with logging_to(tmp_path, Log(size_mb=0.002, files=2), [], echo=False):
        for number in range(200):
            logging.getLogger("bot.test").info("line %d of many", number)
    files = sorted(tmp_path.glob(f"{FILE_NAME}*"))
    assert len(files) == 3
    assert all(file.stat().st_size <= 2000 for file in files)
    assert "line 199 of many" in logged(tmp_path)


def test_odd_unicode_is_no_trouble(tmp_path: Path) -> None:
    with logging_to(tmp_path, Log(), [], echo=False):
        logging.getLogger("bot.test").info("half a pair: %s, and \U0001f600", "\ud83d")
    assert "\U0001f600" in logged(tmp_path)
    assert "\\ud83d" in logged(tmp_path)


def test_nothing_is_left_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    with logging_to(tmp_path, Log(), [], echo=True):
        logging.getLogger("bot.test").info("to both")
    assert root.handlers == before
    assert "to both" in capsys.readouterr().err


def test_json_is_an_object_a_line_without_tokens(tmp_path: Path) -> None:
    with logging_to(tmp_path, Log(format="json"), [TOKEN], echo=False):
        logging.getLogger("bot.test").info("odd \u2028 and \ud83d, token %s", TOKEN)
        try:
            raise ValueError(f"refused {TOKEN}")
        except ValueError:
            logging.getLogger("bot.test").exception("it failed")
    first, second = (json.loads(line) for line in logged(tmp_path).split("\n")[:-1])
    assert (first["level"], first["logger"], first["message"]) == (
        "info", "bot.test", "odd \u2028 and \ud83d, token [token]",
    )  # fmt: skip
    assert datetime.fromisoformat(first["time"]).tzinfo is UTC
    assert "ValueError: refused [token]" in second["traceback"]


def test_what_a_thread_dies_of_is_in_the_log_without_a_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def die() -> None:
        raise ValueError(f"refused {TOKEN}")

    with logging_to(tmp_path, Log(), [TOKEN], echo=False):
        thread = threading.Thread(target=die, name="mayfly")
        thread.start()
        thread.join(5)
    assert "mayfly has died" in logged(tmp_path)
    assert "ValueError: refused [token]" in logged(tmp_path)
    assert capsys.readouterr().err == ""


def test_a_token_that_is_the_beginning_of_another_hides_no_half_of_it(tmp_path: Path) -> None:
    with logging_to(tmp_path, Log(), [TOKEN, f"{TOKEN}_andMore"], echo=False):
        logging.getLogger("bot.test").info("token %s_andMore", TOKEN)
    assert logged(tmp_path).endswith("token [token]\n")
