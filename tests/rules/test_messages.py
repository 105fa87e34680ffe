"""The catalogue of sentences: complete, in two languages, and told with what it is about."""

from enum import StrEnum

import pytest

from bot.messages import explain, sentence
from rules.errors import FenFault, GameOver, IllegalMove, IllegalPosition, Refusal, RulesError, UnknownVariant
from rules.outcome import Outcome, Reason, Status
from rules.position import Position
from rules.problems import Problem, ProblemCode, Severity
from rules.variants import STANDARD

CODES = [*ProblemCode, *FenFault, *Refusal, *Reason]


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_sentence_in_both_languages(code: ProblemCode | FenFault | Refusal | Reason) -> None:
    english, spanish = sentence(code, "en"), sentence(code, "es")
    assert english != spanish
    for text in (english, spanish):
        assert text[0].isupper() and not text.endswith(".")
    assert sentence(code) == english


def test_no_two_codes_share_a_name_or_a_sentence_by_mistake() -> None:
    names: list[StrEnum] = [code for code in CODES if code is not Reason.STALEMATE]
    assert len({code.value for code in names}) == len(names)


def refused(text: str) -> RulesError:
    with pytest.raises(RulesError) as caught:
        Position.from_fen(STANDARD, text)
    return caught.value


def test_an_error_is_told_with_its_place() -> None:
    error = refused("4k3/8/3z4/8/8/8/8/4K3 w - - 0 1")
    assert explain(error) == "No man has this letter: 'z' (column 8)"
    assert explain(error, "es") == "Ninguna pieza tiene esta letra: 'z' (columna 8)"


def test_a_board_is_told_with_its_squares() -> None:
    error = refused("P3k3/8/8/8/8/8/8/8 w - - 0 1")
    assert isinstance(error, IllegalPosition)
    assert explain(error) == "There is no white king; A pawn stands on the rank where it promotes: a8"
    assert explain(Problem(ProblemCode.MANY_PAWNS, Severity.ODDITY), "es") == "Un bando tiene más de ocho peones"


def test_a_move_is_told_with_its_text_its_ply_and_what_it_may_mean() -> None:
    error = IllegalMove("Ra3", Refusal.AMBIGUOUS, ["R1a3", "R5a3"]).at_ply(7)
    assert explain(error) == "'Ra3', ply 7: More than one move fits (R1a3, R5a3)"
    assert explain(error, "es") == "'Ra3', media jugada 7: Hay más de una jugada posible (R1a3, R5a3)"


def test_other_errors_are_told_too() -> None:
    over = GameOver(Outcome(Status.STALEMATE, None, Reason.STALEMATE))
    assert explain(over, "es") == "La partida ha terminado: Ahogado"
    assert explain(UnknownVariant("chss", ["standard"])) == "unknown variant 'chss' (known: standard)"
