"""The picker rings a piece that may move, and shows a sign on each of its targets, all on the board."""

import random
from typing import Any

import pytest
from harness.walks import walk

from engine.core.game import Game
from engine.registry import VERSIONS
from render import registry


@pytest.mark.parametrize("game", VERSIONS, ids=lambda game: f"{game.key}-{game.version}")
@pytest.mark.parametrize("below", [0, 1])
def test_the_board_knows_every_cell_that_a_step_touches(game: Game[Any, Any], below: int) -> None:
    found = set()
    for state in walk(game, random.Random(1), turns=40):
        for step in game.legal(state):
            marks = game.marks(state, step)
            found |= {cell for mark in marks for cell in (mark.cell, mark.to) if cell}
            if marks and not any(mark.kind == "to" for mark in marks):
                found.add(game.path(state, step)[-1])
    assert len(found) > 1
    assert all(len(registry.spot(game.key, cell, below)) == 2 for cell in found)
