"""Lichess's messages, as far as Centella reads them: lenient where they may grow, strict about what is needed.

Unknown fields and unknown types are ignored; a required field that is missing is a `MalformedMessage`.
Source: the Lichess API documentation, and the recorded streams in tests/conformance/events/.
"""

from __future__ import annotations

import json
from typing import Annotated, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

STATUS_IDS: Final = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "cheat": 36,
    "noStart": 37,
    "unknownFinish": 38,
    "insufficientMaterialClaim": 39,
    "variantEnd": 60,
}
"""Every status name that Lichess uses, with its number. An unknown name means that the game is over."""

DECLINE_REASONS: Final = (
    "generic", "later", "tooFast", "tooSlow", "timeControl", "rated", "casual", "standard", "variant", "noBot",
    "onlyBot",
)  # fmt: skip
"""The reasons a challenge may be declined for, as they are sent; they come back in lower case."""


BOT_GAMES: Final = "bot.vsBot.day"
"""The key of the limit of games that a bot may begin with other bots in a day."""

PLAYING_MOST: Final = 50
"""The most running games that can be asked for; the default is nine."""


class MalformedMessage(ValueError):
    """A message of a known kind that lacks what every such message has."""

    def __init__(self, kind: str, problem: str) -> None:
        self.kind = kind
        self.problem = problem
        super().__init__(f"malformed {kind}: {problem}")


class Shape(BaseModel):
    """A value read off the wire; wire names are camelCase."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class VariantName(Shape):
    """Which game it is; `short` is missing in event-stream games."""

    key: str
    name: str = ""
    short: str | None = None


class Compat(Shape):
    """Which APIs may play the game."""

    bot: bool = True
    board: bool = True


class User(Shape):
    """A player as challenges name them; `rating` None means unknown."""

    id: str
    name: str
    title: str | None = None
    rating: int | None = None
    provisional: bool = False
    online: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether the account belongs to a bot."""
        return self.title == "BOT"


class TimeControl(Shape):
    """`type` is clock, correspondence, unlimited, or turn (our own); times in seconds."""

    type: str
    limit: int | None = None
    increment: int | None = None
    days_per_turn: int | None = None
    show: str | None = None


class Challenge(Shape):
    """A challenge; `challenger` is None when it is open or from an anonymous player."""

    id: str
    status: str = "created"
    challenger: User | None = None
    dest_user: User | None = None
    variant: VariantName
    rated: bool = False
    speed: str = ""
    time_control: TimeControl
    color: str = "random"
    final_color: str | None = None
    initial_fen: str | None = None
    rules: tuple[str, ...] = ()
    rematch_of: str | None = None
    decline_reason: str | None = None
    decline_reason_key: str | None = None


class Opponent(Shape):
    """The other player of an ongoing game; `username` carries the title in front."""

    id: str | None = None
    username: str = ""
    rating: int | None = None
    ai: int | None = None

    @property
    def is_bot(self) -> bool:
        """Whether it is the account of a bot."""
        return self.username.startswith("BOT ")


def _status_name(value: object) -> object:
    # an object on the wire, a plain string in the published schema
    return value.get("name") if isinstance(value, dict) else value


StatusName = Annotated[str, BeforeValidator(_status_name)]


class OngoingGame(Shape):
    """A game as the event stream and the list of running games tell of it."""

    game_id: str
    color: str = ""
    source: str = ""
    status: StatusName = "started"
    variant: VariantName
    speed: str = ""
    rated: bool = False
    has_moved: bool = False
    is_my_turn: bool = False
    opponent: Opponent = Opponent()
    seconds_left: int | None = None
    winner: str | None = None
    tournament_id: str | None = None
    compat: Compat = Compat()


class GameStart(Shape):
    """A game that is running: a new one, or one told again on connecting."""

    game: OngoingGame


class GameFinish(Shape):
    """A game that ended while the event stream was open."""

    game: OngoingGame


class ChallengeMade(Shape):
    """A challenge to us, or our own; on connecting it is told again, without `compat`."""

    challenge: Challenge
    compat: Compat = Compat()


class ChallengeCanceled(Shape):
    """A challenge, or a rematch offer, was taken back."""

    challenge: Challenge


class ChallengeDeclined(Shape):
    """A challenge was declined; `challenge.decline_reason_key` says why, in lower case."""

    challenge: Challenge


class Player(Shape):
    """A player of a game; an AI has only a level, an anonymous player nothing."""

    id: str | None = None
    name: str | None = None
    title: str | None = None
    rating: int | None = None
    provisional: bool = False
    ai_level: int | None = None

    @property
    def shown_name(self) -> str:
        """What to call the player."""
        if self.name:
            return self.name
        return "Anonymous" if self.ai_level is None else f"Stockfish level {self.ai_level}"

    @property
    def is_machine(self) -> bool:
        """Whether no person plays this side."""
        return self.title == "BOT" or self.ai_level is not None


class Clock(Shape):
    """What each side starts with, in milliseconds."""

    initial: int
    increment: int


class Expiration(Shape):
    """How long a player has waited with the first move, and may wait at all; told in tournaments only."""

    idle_millis: int
    millis_to_move: int


class GameState(Shape):
    """Where a game stands; `moves` are all of them, times in milliseconds at the moment of sending."""

    moves: str
    wtime: int
    btime: int
    winc: int = 0
    binc: int = 0
    status: str
    winner: str | None = None
    wdraw: bool = False
    bdraw: bool = False
    wtakeback: bool = False
    btakeback: bool = False
    expiration: Expiration | None = None
    reason: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether no further move can be made; an unknown status counts as an end."""
        return self.status not in ("created", "started")

    @property
    def move_list(self) -> tuple[str, ...]:
        """The moves one by one."""
        return tuple(self.moves.split())


class GameFull(Shape):
    """The first line of a game stream: everything about the game."""

    id: str
    variant: VariantName
    speed: str = ""
    rated: bool = False
    created_at: int = 0
    white: Player
    black: Player
    initial_fen: str = "startpos"
    clock: Clock | None = None
    days_per_turn: int | None = None
    seconds_per_turn: int | None = None
    draw_policy: str | None = None
    tournament_id: str | None = None
    state: GameState

    @property
    def fen(self) -> str | None:
        """The start position when it is not the game's usual one."""
        return None if self.initial_fen == "startpos" else self.initial_fen


class ChatLine(Shape):
    """Something said in a game; our own lines come back, and system lines have the user name `lichess`."""

    room: str
    username: str
    text: str


class OpponentGone(Shape):
    """The opponent left the board, or came back; `claim_win_in_seconds` 0 means now."""

    gone: bool
    claim_win_in_seconds: int | None = None


class Unknown(Shape):
    """A line of a type we do not know."""

    type: str


Event = GameStart | GameFinish | ChallengeMade | ChallengeCanceled | ChallengeDeclined | Unknown
GameLine = GameFull | GameState | ChatLine | OpponentGone | Unknown


class Perf(Shape):
    """How well somebody plays one kind of game; `prov` is for a rating that is provisional."""

    rating: int
    games: int = 0
    prov: bool = False


class Count(Shape):
    """How many games an account has played."""

    all: int = 0


class Account(Shape):
    """The account that a token belongs to; `title` is absent unless it has one."""

    id: str
    username: str
    title: str | None = None
    disabled: bool = False
    tos_violation: bool = False
    count: Count = Count()
    perfs: dict[str, Perf] = {}

    @property
    def is_bot(self) -> bool:
        """Whether it may play by the Bot API."""
        return self.title == "BOT"


class Playing(Shape):
    """The running games of an account."""

    now_playing: tuple[OngoingGame, ...]


_EVENTS: Final[dict[str, type[Shape]]] = {
    "gameStart": GameStart,
    "gameFinish": GameFinish,
    "challenge": ChallengeMade,
    "challengeCanceled": ChallengeCanceled,
    "challengeDeclined": ChallengeDeclined,
}
_GAME_LINES: Final[dict[str, type[Shape]]] = {
    "gameFull": GameFull,
    "gameState": GameState,
    "chatLine": ChatLine,
    "opponentGone": OpponentGone,
}

S = TypeVar("S", bound=Shape)


def read(shape: type[S], value: object) -> S:
    """The value as that shape. Raises MalformedMessage when something required is missing."""
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        problem = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'value'}: {each['msg']}" for each in problems)
        raise MalformedMessage(shape.__name__, problem) from None


def read_event(line: str) -> Event:
    """One line of the event stream."""
    return _read_line(line, _EVENTS)  # type: ignore[return-value]


def read_game_line(line: str) -> GameLine:
    """One line of a game stream."""
    return _read_line(line, _GAME_LINES)  # type: ignore[return-value]


def _read_line(line: str, shapes: dict[str, type[Shape]]) -> Shape:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise MalformedMessage("line", f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise MalformedMessage("line", "not an object")
    kind = str(value.get("type", ""))
    shape = shapes.get(kind)
    return Unknown(type=kind) if shape is None else read(shape, value)
