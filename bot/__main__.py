"""The command line: finds the command, runs it, and tells every error in plain lines.

Exit codes: 0 done (or stopped by a signal), 1 failed, 2 wrong usage, wrong configuration or no token.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Final

from bot import __version__
from bot.commands import FAILED, OK, USAGE, CommandFailed

THREAD_STACK_BYTES: Final = 16 * 2**20
COMMANDS: Final = {
    "run": "play on Lichess",
    "local": "play on a local board in the browser",
    "check": "whether the bot could play, and what it accepts",
    "server": "run the local Lichess-compatible server",
    "rules": "count, verify, check and show positions",
    "results": "show the games played",
    "ctl": "tell the running bot what to do",
    "health": "whether the running bot is well",
    "upgrade": "make the account a bot account, for good",
    "bench": "measure the search",
    "match": "let two engines play a match",
    "solve": "find the best moves of the positions of a file",
    "tune": "fit the hand evaluation to games of our own",
    "tablebase": "make end-game tables",
    "selfplay": "play games against itself, to learn from",
    "train": "learn a network from such games",
    "net": "look into a network",
    "uci": "be an engine for other programs",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if arguments is None:
            # From the first moment a signal to stop is obeyed, also as process 1 of a container, which has no default.
            signal.signal(signal.SIGTERM, _interrupt)
            # A deep search needs some megabytes of stack, which not every system gives to a thread.
            threading.stack_size(THREAD_STACK_BYTES)
        args = _parser(words).parse_args(words)
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except CommandFailed as error:
        return _complain(str(error), error.code)
    except ImportError as error:
        return _complain(str(error), FAILED)
    except KeyboardInterrupt:
        return OK
    except BrokenPipeError:
        # whoever read our output has gone; keep the interpreter from trying again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        known = _code_of(error)
        if known is None:
            raise
        return _complain(_sentence_of(error), known)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser, with the options of the one command that is asked for: the others are not even imported."""
    parser = argparse.ArgumentParser(prog="centella", description="A bot for chess, its variants and Spark Chess.")
    parser.add_argument("--version", action="version", version=f"centella {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, purpose in COMMANDS.items():
        if name == chosen:
            importlib.import_module(f"bot.commands.{name}").add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=purpose, add_help=False)
    return parser


def _code_of(error: Exception) -> int | None:
    """The exit code for an error of ours that a command has not answered itself, None for any other."""
    from bot.config import ConfigError
    from bot.records.database import RecordsError
    from bot.search.evaluation.netfile import NetworkError
    from bot.search.tablebase.files import TableUnreadable
    from bot.server.store.database import StoreError
    from rules.errors import RulesError

    if isinstance(error, ConfigError | NetworkError | RulesError | TableUnreadable):
        return USAGE
    return FAILED if isinstance(error, RecordsError | StoreError) else None


def _sentence_of(error: Exception) -> str:
    """The error in the words that every command has for it."""
    from bot.messages import explain
    from rules.errors import RulesError

    return explain(error) if isinstance(error, RulesError) else str(error)


def _complain(text: str, code: int) -> int:
    for line in text.splitlines():
        print(f"centella: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
