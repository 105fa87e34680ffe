"""What is said: greetings, and an answer to each command; decided without side effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.config import Chat
from bot.wire import ChatLine

UNITS_MOST: Final = 140
"""A line's length on Lichess, in the strictest of the counts that it may use: a character beyond U+FFFF is two."""
CUT: Final = "…"
SYSTEM: Final = "lichess"
SPECTATORS: Final = "spectator"
COMMANDS: Final = ("help", "name", "variants", "queue", "eval", "takeback")


@dataclass(frozen=True)
class Scene:
    """A game as answers may tell of it; `score_cp` from our side, `levels` those that the opponent may choose from."""

    account_id: str
    me: str
    opponent: str
    opponent_is_machine: bool
    we_are_white: bool
    variant: str
    speed: str
    version: str
    played: Sequence[str] = ()
    playing: int = 0
    places: int = 0
    waiting: int = 0
    takebacks_left: int = 0
    score_cp: int | None = None
    levels: Sequence[str] = ()


@dataclass(frozen=True)
class Reply:
    """What to say, and the level that was chosen, if one was."""

    text: str
    level: str | None = None


def reply(line: ChatLine, scene: Scene, settings: Chat) -> Reply | None:
    """The answer to a line, to be given in its room; None to all that is no command of ours."""
    speaker = line.username.lower()
    if not settings.commands or speaker in (SYSTEM, scene.account_id.lower()):
        return None
    if scene.opponent_is_machine and not settings.bots and line.room != SPECTATORS:
        return None
    text = line.text.strip()
    words = text[1:].lower().split() if text.startswith("!") else []
    if not words:
        return None
    from_spectator = line.room == SPECTATORS and speaker != scene.opponent.lower()
    if words[0] == "eval":
        return Reply(_evaluation(scene, settings, from_spectator))
    if words[0] == "level":
        return _level(words[1:], scene, from_spectator)
    return _fact(words[0], scene)


def greeting(template: str, scene: Scene) -> str:
    """A greeting or goodbye of the configuration, filled in."""
    return template.format(me=scene.me, opponent=scene.opponent, variant=scene.variant, speed=scene.speed)


def fit(text: str) -> str:
    """The text as one line of the chat: white space is single blanks, and what is too long is cut at a word."""
    words = text.split()
    line = " ".join(words)
    if _units(line) <= UNITS_MOST:
        return line
    while len(words) > 1:
        words.pop()
        line = " ".join(words) + CUT
        if _units(line) <= UNITS_MOST:
            return line
    word = words[0]
    while _units(word + CUT) > UNITS_MOST:
        word = word[:-1]
    return word + CUT


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def _fact(name: str, scene: Scene) -> Reply | None:
    match name:
        case "help" | "commands":
            names = [*COMMANDS, "level"] if scene.levels else COMMANDS
            return Reply("Commands: " + " ".join(f"!{name}" for name in names))
        case "name":
            return Reply(f"{scene.me} runs Centella {scene.version}, with rules and a search of its own.")
        case "variants":
            return Reply("I play " + ", ".join(scene.played))
        case "queue":
            games = f"{scene.playing} of {scene.places} games are running"
            waiting = {0: "no challenge waits", 1: "1 challenge waits"}.get(
                scene.waiting, f"{scene.waiting} challenges wait"
            )
            return Reply(f"{games}, {waiting}.")
        case "takeback":
            left = scene.takebacks_left
            return Reply(f"{left} more {'takeback is' if left == 1 else 'takebacks are'} granted in this game.")
        case _:
            return None


def _evaluation(scene: Scene, settings: Chat, from_spectator: bool) -> str:
    if not from_spectator or not settings.evaluation_for_spectators:
        return "No evaluation while the game is on."
    if scene.score_cp is None:
        return "I have no evaluation yet."
    white_cp = scene.score_cp if scene.we_are_white else -scene.score_cp
    return f"{white_cp / 100:+.2f} for White."


def _level(words: Sequence[str], scene: Scene, from_spectator: bool) -> Reply | None:
    if not scene.levels or from_spectator:
        return None
    chosen = {level.lower(): level for level in scene.levels}.get(words[0] if words else "")
    if chosen is None:
        return Reply("Levels: " + ", ".join(scene.levels))
    return Reply(f"Level {chosen} from the next move on.", chosen)
