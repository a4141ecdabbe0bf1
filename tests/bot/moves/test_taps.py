"""How many taps a turn takes."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import pytest
from harness.players import Greedy

from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

TURNS = 12


@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_takes_few_taps(room: Room, game: str) -> None:
    """Abalone: Move, the piece, where to. Dice: Move, a tap for each die, Confirm. APB: two for each step at most."""
    live = await room.begin(game)
    player = Greedy(seed=1, patience=TURNS)
    taps, allowed = [], []
    for _ in range(TURNS):
        steps = player.turn(live.table.game, live.table.state)
        before = room.taps
        await room.tap(live, steps)
        taps.append(room.taps - before)
        allowed.append({"abalone": 3, "apb": 2 + 2 * len(steps)}.get(game, 2 + len(steps)))
        live = await room.shown()
        if live.table.outcome is not None:
            break
    if game == "abalone":
        assert statistics.median(taps) <= 3
    assert statistics.median(spent - most for spent, most in zip(taps, allowed, strict=True)) <= 0
