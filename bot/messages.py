"""What the codes of the rules say to people, in English and Spanish: plain sentences, and errors told with them.

Squares, columns and quoted text are added by `explain`, so that a sentence reads well with and without them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal

from rules.errors import FenError, FenFault, GameOver, IllegalMove, IllegalPosition, Refusal
from rules.move import square_name
from rules.outcome import Reason
from rules.problems import Problem, ProblemCode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.errors import RulesError

    _Sentences = Mapping[StrEnum, tuple[str, str]]

Language = Literal["en", "es"]

_PROBLEMS: Final[_Sentences] = {
    ProblemCode.NO_MEN: ("The board is empty", "El tablero está vacío"),
    ProblemCode.NO_WHITE_KING: ("There is no white king", "No hay rey blanco"),
    ProblemCode.NO_BLACK_KING: ("There is no black king", "No hay rey negro"),
    ProblemCode.MANY_WHITE_KINGS: ("There is more than one white king", "Hay más de un rey blanco"),
    ProblemCode.MANY_BLACK_KINGS: ("There is more than one black king", "Hay más de un rey negro"),
    ProblemCode.PAWNS_NOT_PLAYED: ("This game is played without pawns", "Este juego se juega sin peones"),
    ProblemCode.PAWN_ON_PROMOTION_RANK: (
        "A pawn stands on the rank where it promotes",
        "Hay un peón en la fila en que corona",
    ),
    ProblemCode.PAWN_ON_FIRST_RANK: (
        "A pawn stands on its own first rank",
        "Hay un peón en su propia primera fila",
    ),
    ProblemCode.OPPOSITE_CHECK: (
        "The side that is not to move is in check",
        "El bando que no mueve está en jaque",
    ),
    ProblemCode.FORBIDDEN_CHECK: (
        "In this game no king may be in check",
        "En este juego ningún rey puede estar en jaque",
    ),
    ProblemCode.CASTLING_WITHOUT_KING: (
        "There is a right to castle, but the king is not on its first rank",
        "Hay derecho a enrocar, pero el rey no está en su primera fila",
    ),
    ProblemCode.CASTLING_WITHOUT_ROOK: (
        "There is a right to castle, but no rook to castle with",
        "Hay derecho a enrocar, pero no hay torre con que hacerlo",
    ),
    ProblemCode.CASTLING_TWICE: (
        "Two rooks on one side of the king cannot both castle",
        "No pueden enrocar dos torres del mismo lado del rey",
    ),
    ProblemCode.EN_PASSANT_RANK: (
        "The en-passant square is not on the rank that pawns pass",
        "La casilla al paso no está en la fila por la que pasan los peones",
    ),
    ProblemCode.EN_PASSANT_WITHOUT_PAWN: (
        "No pawn has just passed the en-passant square",
        "Ningún peón acaba de pasar por la casilla al paso",
    ),
    ProblemCode.EN_PASSANT_BLOCKED: (
        "A pawn cannot have stepped over the en-passant square, because its way is occupied",
        "Ningún peón puede haber pasado por la casilla al paso, porque su camino está ocupado",
    ),
    ProblemCode.KING_IN_POCKET: ("A king cannot be in hand", "Un rey no puede estar en la mano"),
    ProblemCode.MANY_MEN_WITH_POCKETS: (
        "There are more than 32 men on the board and in hand",
        "Hay más de 32 piezas entre el tablero y las manos",
    ),
    ProblemCode.CHECKS_OF_BOTH: ("Both sides have given three checks", "Los dos bandos han dado tres jaques"),
    ProblemCode.CHECKS_OF_MOVER: (
        "The side to move has given three checks, which ends the game with the other side to move",
        "El bando que mueve ha dado tres jaques, y eso termina la partida con el otro al turno",
    ),
    ProblemCode.UNUSUAL_CASTLING: (
        "Castling from these squares exists only in Chess960",
        "Enrocar desde estas casillas solo existe en Chess960",
    ),
    ProblemCode.TOO_MANY_CHECKERS: (
        "More than two men give check",
        "Más de dos piezas dan jaque",
    ),
    ProblemCode.IMPOSSIBLE_CHECK: (
        "No move can have given this check",
        "Ninguna jugada puede haber dado este jaque",
    ),
    ProblemCode.MANY_PAWNS: ("A side has more than eight pawns", "Un bando tiene más de ocho peones"),
    ProblemCode.MANY_PIECES: (
        "A side has more pieces than its missing pawns can have become",
        "Un bando tiene más piezas de las que pueden haber dado sus peones ausentes",
    ),
}

_FEN_FAULTS: Final[_Sentences] = {
    FenFault.FIELD_COUNT: (
        "The FEN does not have the number of fields that this game asks for",
        "El FEN no tiene el número de campos que pide este juego",
    ),
    FenFault.RANK_COUNT: ("The board does not have eight ranks", "El tablero no tiene ocho filas"),
    FenFault.RANK_TOO_LONG: ("This rank has more than eight squares", "Esta fila tiene más de ocho casillas"),
    FenFault.RANK_TOO_SHORT: ("This rank has fewer than eight squares", "Esta fila tiene menos de ocho casillas"),
    FenFault.UNKNOWN_LETTER: ("No man has this letter", "Ninguna pieza tiene esta letra"),
    FenFault.ADJACENT_DIGITS: ("Two numbers follow one another", "Hay dos números seguidos"),
    FenFault.MISPLACED_MARK: (
        "The mark ~ does not follow a man that can be promoted",
        "El signo ~ no sigue a una pieza que pueda ser coronada",
    ),
    FenFault.UNCLOSED_POCKET: (
        "The men in hand lack their closing bracket",
        "Falta el corchete que cierra las piezas en mano",
    ),
    FenFault.NO_POCKET_HERE: ("This game has no men in hand", "En este juego no hay piezas en mano"),
    FenFault.TURN: ("The side to move is neither w nor b", "El turno no es ni w ni b"),
    FenFault.CASTLING: ("These are not castling rights", "Esto no son derechos de enroque"),
    FenFault.NO_CASTLING_HERE: ("This game has no castling", "En este juego no hay enroque"),
    FenFault.EN_PASSANT: ("This is not an en-passant square", "Esto no es una casilla al paso"),
    FenFault.NO_EN_PASSANT_HERE: ("This game has no en passant", "En este juego no hay captura al paso"),
    FenFault.CHECKS: ("These are not check counters", "Esto no son contadores de jaques"),
    FenFault.NUMBER: ("This is not a number from 0 to 9999", "Esto no es un número de 0 a 9999"),
}

_REFUSALS: Final[_Sentences] = {
    Refusal.UNREADABLE: ("This cannot be read as a move", "Esto no se puede leer como una jugada"),
    Refusal.NULL_MOVE: ("A turn cannot be passed", "No se puede pasar el turno"),
    Refusal.EMPTY_SQUARE: ("No man stands on that square", "No hay ninguna pieza en esa casilla"),
    Refusal.NOT_YOURS: ("That man is the opponent's", "Esa pieza es del rival"),
    Refusal.OWN_MAN: ("A man of the same side stands there", "Allí hay una pieza del mismo bando"),
    Refusal.CANNOT_REACH: ("That man does not move like that", "Esa pieza no se mueve así"),
    Refusal.BLOCKED: ("Something stands in the way", "Hay algo en el camino"),
    Refusal.LEAVES_KING_ATTACKED: ("The king would be in check", "El rey quedaría en jaque"),
    Refusal.EXPLODES_OWN_KING: ("The own king would explode", "Explotaría el propio rey"),
    Refusal.GIVES_CHECK: ("In this game no move may give check", "En este juego ninguna jugada puede dar jaque"),
    Refusal.MUST_CAPTURE: ("Who can capture must capture", "Quien puede capturar debe capturar"),
    Refusal.FORBIDDEN: ("The rules of this game forbid it", "Las reglas de este juego lo prohíben"),
    Refusal.NO_CASTLING: ("This castling is not possible now", "Este enroque no es posible ahora"),
    Refusal.NO_SUCH_PROMOTION: ("No such promotion is possible", "Esa coronación no es posible"),
    Refusal.NO_SUCH_CAPTURE: ("There is nothing to capture there", "Allí no hay nada que capturar"),
    Refusal.NO_DROPS: ("This game has no men in hand to drop", "En este juego no hay piezas en mano"),
    Refusal.NOT_IN_POCKET: ("There is no such man in hand", "No hay tal pieza en mano"),
    Refusal.OCCUPIED: ("That square is occupied", "Esa casilla está ocupada"),
    Refusal.SWAP_REVERSED: ("A Swap names the square of the pawn first", "El Swap nombra primero la casilla del peón"),
    Refusal.NO_SPARK_MOVE: (
        "That is a plain move of the pawn, no Spark Move",
        "Es una jugada normal del peón, no una jugada Spark",
    ),
    Refusal.WRONG_PARTNER: (
        "A Swap names the piece that stands on the square, a Shift names none",
        "El Swap nombra la pieza que está en la casilla; el Shift, ninguna",
    ),
    Refusal.NOT_GUARDED_TWICE: (
        "No two pieces of that side guard that square",
        "Esa casilla no está defendida por dos piezas de ese bando",
    ),
    Refusal.AMBIGUOUS: ("More than one move fits", "Hay más de una jugada posible"),
    Refusal.NO_MAN_FITS: ("No such man can go there", "Ninguna pieza así puede ir allí"),
    Refusal.NOT_LEGAL: ("That move is not legal here", "Esa jugada no es legal aquí"),
    Refusal.GAME_OVER: ("The game is over", "La partida ha terminado"),
}

_REASONS: Final[_Sentences] = {
    Reason.CHECKMATE: ("Checkmate", "Jaque mate"),
    Reason.STALEMATE: ("Stalemate", "Ahogado"),
    Reason.KING_EXPLODED: ("The king has exploded", "El rey ha explotado"),
    Reason.KING_ON_HILL: ("The king has reached the hill", "El rey ha llegado a la colina"),
    Reason.THREE_CHECKS: ("Three checks", "Tres jaques"),
    Reason.RACE: ("The king has won the race", "El rey ha ganado la carrera"),
    Reason.BOTH_RACED: ("Both kings have finished the race", "Los dos reyes han terminado la carrera"),
    Reason.HORDE_DESTROYED: ("The horde is destroyed", "La horda está destruida"),
    Reason.ALL_LOST: ("All men are lost, or none can move", "Todas las piezas están perdidas, o ninguna puede mover"),
    Reason.KING_CAPTURED: ("The king is captured", "El rey ha sido capturado"),
    Reason.BARE_KINGS: ("Only the kings are left", "Solo quedan los reyes"),
    Reason.KING_AND_MINOR: (
        "A king and a minor piece against a bare king",
        "Rey y pieza menor contra rey solo",
    ),
    Reason.NO_MOVES: ("There is no legal move", "No hay ninguna jugada legal"),
    Reason.DEAD_MATERIAL: ("Nobody has enough material to win", "Nadie tiene material para ganar"),
    Reason.REPETITION: ("The position is repeated", "Se ha repetido la posición"),
    Reason.QUIET_PLIES: (
        "Too many moves without a capture or a pawn move",
        "Demasiadas jugadas sin captura ni movimiento de peón",
    ),
    Reason.PLY_LIMIT: ("The game has reached its greatest length", "La partida ha llegado a su duración máxima"),
    Reason.AGREEMENT: ("A draw is agreed", "Tablas de común acuerdo"),
    Reason.RESIGNATION: ("A player has resigned", "Un jugador ha abandonado"),
    Reason.FLAG: ("A player has run out of time", "Un jugador ha agotado su tiempo"),
    Reason.ABANDONMENT: ("A player has left the game", "Un jugador ha dejado la partida"),
    Reason.ANNULLED: ("The game is annulled", "La partida ha sido anulada"),
    Reason.ABORTED: ("The game is aborted", "La partida ha sido cancelada"),
    Reason.NO_START: ("The game has not been started in time", "La partida no ha empezado a tiempo"),
}

_SENTENCES: Final[_Sentences] = {**_PROBLEMS, **_FEN_FAULTS, **_REFUSALS, **_REASONS}
_COLUMN: Final[Mapping[Language, str]] = {"en": "column", "es": "columna"}
_PLY: Final[Mapping[Language, str]] = {"en": "ply", "es": "media jugada"}


def sentence(code: ProblemCode | FenFault | Refusal | Reason, language: Language = "en") -> str:
    """The sentence of a code, without a full stop."""
    english, spanish = _SENTENCES[code]
    return spanish if language == "es" else english


def explain(cause: RulesError | Problem, language: Language = "en") -> str:
    """One line that tells an error or a problem of a board: the sentence, and where it shows."""
    match cause:
        case Problem():
            squares = " ".join(square_name(square) for square in cause.squares)
            return sentence(cause.code, language) + (f": {squares}" if squares else "")
        case FenError():
            return f"{sentence(cause.fault, language)}: {cause.found!r} ({_COLUMN[language]} {cause.column})"
        case IllegalPosition():
            return "; ".join(explain(problem, language) for problem in cause.problems)
        case IllegalMove():
            where = "" if cause.ply is None else f", {_PLY[language]} {cause.ply}"
            choice = f" ({', '.join(cause.candidates)})" if cause.candidates else ""
            return f"{cause.text!r}{where}: {sentence(cause.refusal, language)}{choice}"
        case GameOver():
            return f"{sentence(Refusal.GAME_OVER, language)}: {sentence(cause.outcome.reason, language)}"
        case _:
            return str(cause)
