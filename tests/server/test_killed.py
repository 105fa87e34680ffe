"""kill -9 takes no move that was answered; bench/server_kill.py does the same many more times."""
from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.killing import Killing


@pytest.mark.timeout(120)
def test_a_killed_server_has_lost_no_answered_move_and_goes_on(tmp_path: Path) -> None:
    toll = Killing(tmp_path, seed=3, games=3).run(kills=3)
    assert (toll.lost, toll.invented) == ([], [])
    assert toll.kills == 3 and toll.answered > 20
