"""Positions for the tests of Abak, told by what matters in them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from engine.games.abak import GAME, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.abak import Place


@pytest.fixture
def place() -> Place:
    """``place({14: "S", 10: "g"}, 42)``: columns by White's points, White to move; stones not named are borne off."""

    def made(columns: Mapping[int, str], roll: int = 0, *, bar: str = "-", turn: int = 0, rest: str = "10") -> State:
        order = [columns.get(point, "") for point in range(24, 0, -1)]
        parts = []
        for filled, run in groupby(order, bool):
            alike = list(run)
            parts += alike if filled else [str(len(alike))]
        side = "-1" if turn else "1"
        return GAME.decode(f"ABAKID={'/'.join(parts)}:{bar}:0:0:{side}:{roll:02}:0:0:0:0:{rest}")

    return made
