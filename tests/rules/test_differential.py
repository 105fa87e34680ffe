"""Our rules against python-chess, in random games of every game that both know."""

import pytest

from rules.variant import Variant
from tests.oracle import BOARDS, differences


@pytest.mark.parametrize("variant", BOARDS, ids=lambda variant: variant.key)
def test_python_chess_sees_the_same_moves_and_ends(variant: Variant) -> None:
    assert list(differences(variant, 5000, seed=1)) == []
