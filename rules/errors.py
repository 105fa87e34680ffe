"""What can be wrong with what the rules are given.

    ValueError
    └── RulesError
        ├── UnknownVariant     no game has this key
        ├── FenError           the text is not a FEN of this game: what is wrong, and where
        ├── IllegalPosition    the text is a FEN, but no such position can be played
        ├── IllegalMove        the move cannot be read, or not be played: what was asked, and why not
        └── GameOver           a move after the end of the game

Each carries a code and its values, from which the program's catalogue makes sentences; `str()` is a plain English line.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.outcome import Outcome
    from rules.problems import Problem


class FenField(StrEnum):
    """The part of a FEN in which an error stands."""

    TEXT = "text"
    PLACEMENT = "placement"
    POCKET = "pocket"
    TURN = "turn"
    CASTLING = "castling"
    EN_PASSANT = "enPassant"
    CHECKS = "checks"
    HALFMOVES = "halfmoves"
    FULLMOVE = "fullmove"


class FenFault(StrEnum):
    """What is wrong with the text of a FEN; the words of a value are its plain English."""

    FIELD_COUNT = "wrongNumberOfFields"
    RANK_COUNT = "notEightRanks"
    RANK_TOO_LONG = "moreThanEightSquaresInRank"
    RANK_TOO_SHORT = "fewerThanEightSquaresInRank"
    UNKNOWN_LETTER = "noManHasLetter"
    ADJACENT_DIGITS = "adjacentNumbers"
    MISPLACED_MARK = "promotionMarkWithoutPromotedMan"
    UNCLOSED_POCKET = "pocketWithoutClosingBracket"
    NO_POCKET_HERE = "thisGameHasNoPocket"
    TURN = "turnIsNeitherWNorB"
    CASTLING = "notCastlingRights"
    NO_CASTLING_HERE = "thisGameHasNoCastling"
    EN_PASSANT = "notAnEnPassantSquare"
    NO_EN_PASSANT_HERE = "thisGameHasNoEnPassant"
    CHECKS = "notCheckCounters"
    NUMBER = "notANumberInRange"


class Refusal(StrEnum):
    """Why a move is refused; the words of a value are its plain English."""

    UNREADABLE = "notAMove"
    NULL_MOVE = "noGameHasNullMoves"
    EMPTY_SQUARE = "noManOnOriginSquare"
    NOT_YOURS = "thatManIsTheOpponents"
    OWN_MAN = "ownManOnTargetSquare"
    CANNOT_REACH = "thatManDoesNotMoveThere"
    BLOCKED = "somethingStandsInTheWay"
    LEAVES_KING_ATTACKED = "itLeavesTheKingAttacked"
    EXPLODES_OWN_KING = "itExplodesTheOwnKing"
    GIVES_CHECK = "noMoveMayGiveCheck"
    MUST_CAPTURE = "aCaptureMustBeMade"
    FORBIDDEN = "theRulesOfTheGameForbidIt"
    NO_CASTLING = "thisCastlingIsNotAllowed"
    NO_SUCH_PROMOTION = "noSuchPromotion"
    NO_SUCH_CAPTURE = "nothingToCapture"
    NO_DROPS = "thisGameHasNoDrops"
    NOT_IN_POCKET = "noSuchManInThePocket"
    OCCUPIED = "thatSquareIsOccupied"
    SWAP_REVERSED = "aSwapNamesThePawnFirst"
    NO_SPARK_MOVE = "thatIsAPlainMoveOfThePawn"
    WRONG_PARTNER = "aSwapNamesThePieceOnTheSquare"
    NOT_GUARDED_TWICE = "noTwoPiecesGuardThatSquare"
    AMBIGUOUS = "moreThanOneMoveFits"
    NO_MAN_FITS = "noManCanGoThere"
    NOT_LEGAL = "notLegalHere"
    GAME_OVER = "theGameIsOver"


def words(code: StrEnum) -> str:
    """The words that a camel-case code is made of."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in code.value)


class RulesError(ValueError):
    """Anything that the rules refuse."""


class UnknownVariant(RulesError):
    """No game has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(f"unknown variant {name!r} (known: {', '.join(self.known)})")


class FenError(RulesError):
    """A text that is no FEN of this game; `column` counts from 1 in the whole text."""

    def __init__(self, fault: FenFault, field: FenField, column: int, found: str) -> None:
        self.fault = fault
        self.field = field
        self.column = column
        self.found = found
        super().__init__(f"FEN, {words(field)}, column {column}: {words(fault)}: {found!r}")


class IllegalPosition(RulesError):
    """A board on which no game can go on; `problems` are the errors found, never oddities."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("illegal position: " + "; ".join(str(problem) for problem in self.problems))


class IllegalMove(RulesError):
    """A move that is refused.

    `text` is the move as it was asked for, `candidates` are what an ambiguous one may mean, `ply` is its place
    in a list of moves, counted from 1.
    """

    def __init__(
        self, text: str, refusal: Refusal = Refusal.NOT_LEGAL, candidates: Iterable[str] = (), ply: int | None = None
    ) -> None:
        self.text = text
        self.refusal = refusal
        self.candidates = tuple(candidates)
        self.ply = ply
        where = "" if ply is None else f" at ply {ply}"
        choice = f" ({', '.join(self.candidates)})" if self.candidates else ""
        super().__init__(f"illegal move {text!r}{where}: {words(refusal)}{choice}")

    def at_ply(self, ply: int) -> IllegalMove:
        """The same refusal, with its place in a list of moves."""
        return IllegalMove(self.text, self.refusal, self.candidates, ply)


class GameOver(RulesError):
    """A move was asked of a game that is over."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(f"the game is over: {words(outcome.reason)}")
