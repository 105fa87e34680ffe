"""Games as text: PGN through python-chess where Lichess has the game, else the same layout with our written form."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import chess.pgn

from rules.game import Game
from rules.move import Color

_COLUMNS = 80
_OPENING_TAGS = ("ECO", "Opening")


@dataclass(frozen=True, slots=True)
class PgnPlayer:
    """A player as the tags tell of them; what is None is left out."""

    name: str
    title: str | None = None
    rating: int | None = None
    rating_change: int | None = None


@dataclass(frozen=True, slots=True)
class PgnHeader:
    """What the tags of a game say; `result` is a PGN result, `time_control` `-` or seconds `300+3`."""

    event: str
    site: str
    game_id: str
    started_at: datetime
    white: PgnPlayer
    black: PgnPlayer
    result: str
    time_control: str
    termination: str
    round: str = "-"


def result_of(over: bool, winner: Color | None) -> str:
    """The PGN result of a game."""
    if not over:
        return "*"
    return {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}[winner]


def tags_of(header: PgnHeader, game: Game) -> dict[str, str]:
    """The tags in Lichess's order."""
    started_at = header.started_at.astimezone(UTC)
    players = (("White", header.white), ("Black", header.black))
    tags = {
        "Event": header.event,
        "Site": header.site,
        "Date": started_at.strftime("%Y.%m.%d"),
        "Round": header.round,
        "White": header.white.name,
        "Black": header.black.name,
        "Result": header.result,
        "GameId": header.game_id,
        "UTCDate": started_at.strftime("%Y.%m.%d"),
        "UTCTime": started_at.strftime("%H:%M:%S"),
    }
    tags |= {f"{side}Elo": "?" if player.rating is None else str(player.rating) for side, player in players}
    tags |= {
        f"{side}RatingDiff": f"{player.rating_change:+d}"
        for side, player in players
        if player.rating_change is not None
    }
    tags |= {f"{side}Title": player.title for side, player in players if player.title is not None}
    tags |= {
        "Variant": game.variant.pgn_name,
        "TimeControl": header.time_control,
        "ECO": "?",
        "Opening": "?",
        "Termination": header.termination,
    }
    start_fen = game.initial.fen()
    if start_fen != game.variant.start_fen or game.variant.needs_fen:
        tags |= {"FEN": start_fen, "SetUp": "1"}
    return tags


def write(
    game: Game,
    header: PgnHeader,
    *,
    plies: int | None = None,
    clocks_cs: Sequence[int] = (),
    comments: Sequence[str] = (),
    with_tags: bool = True,
    with_moves: bool = True,
    with_opening: bool = True,
) -> str:
    """The text of a game, or of its first `plies`; `clocks_cs` is what each mover had left after the ply.

    `comments` are said after each ply instead of clocks.
    """
    tags = tags_of(header, game)
    if not with_opening:
        tags = {name: value for name, value in tags.items() if name not in _OPENING_TAGS}
    count = len(game.moves) if plies is None else plies
    said = list(comments[:count]) or [_clock(left_cs) for left_cs in clocks_cs[:count]]
    if game.variant.lichess:
        movetext = _chess_movetext(game, tags, count, said)
    else:
        movetext = _own_movetext(game, header.result, count, said)
    parts = ["\n".join(_tag_lines(tags))] if with_tags else []
    parts += [movetext] if with_moves else []
    return "\n\n".join(parts) + "\n"


def _tag_lines(tags: Mapping[str, str]) -> Iterator[str]:
    for name, value in tags.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]'


def _clock(left_cs: int) -> str:
    seconds = left_cs // 100
    return f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}]"


def _chess_movetext(game: Game, tags: Mapping[str, str], count: int, said: Sequence[str]) -> str:
    pgn = chess.pgn.Game(headers={"Variant": game.variant.pgn_name, "FEN": game.initial.fen(), "SetUp": "1"})
    pgn.headers["Result"] = tags["Result"]
    node: chess.pgn.GameNode = pgn
    board = pgn.board()
    for ply, text in enumerate(game.uci_moves(rook_castling=True)[:count]):
        move = board.parse_uci(text)
        board.push(move)
        node = node.add_variation(move, comment=said[ply] if ply < len(said) else "")
    exporter = chess.pgn.StringExporter(columns=_COLUMNS, headers=False)
    return pgn.accept(exporter).strip()


def _own_movetext(game: Game, result: str, count: int, said: Sequence[str]) -> str:
    words = []
    number, turn = game.initial.fullmove, game.initial.turn
    for ply, written in enumerate(game.san_moves()[:count]):
        if turn is Color.WHITE:
            words.append(f"{number}.")
        elif ply == 0 or said:
            words.append(f"{number}...")
        words.append(written)
        if ply < len(said):
            words.append(f"{{ {said[ply]} }}")
        number += turn is Color.BLACK
        turn = turn.other
    text = " ".join([*words, result])
    return textwrap.fill(text, _COLUMNS, break_long_words=False, break_on_hyphens=False)
