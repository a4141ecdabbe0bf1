"""The rules that training has compiled are those of the engine."""

import os
import random
from importlib import import_module
from typing import Any

import pytest

from engine.ai.players import player
from engine.ai.points import PointsPlayer
from engine.core.game import CHANCE
from engine.registry import find

np = pytest.importorskip("numpy")
pytest.importorskip("numba", reason="numba is there only where networks are trained: pip install -e '.[training]'")

KEYS = ("abak", "backgammon")
POSITIONS = int(os.environ.get("POSITIONS", "300"))
"""How many are compared for each game; ``scripts/thorough`` compares 100,000."""


def starts(key: str, luck: random.Random) -> Any:
    """Returns the state before the first roll, in any layout that the game has."""
    game = find(key)
    layouts = next((option.choices for option in game.options if option.key == "layout"), None)
    return game.start(game.settle_options({"layout": luck.choice(layouts)} if layouts else {}))


@pytest.mark.thorough
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("key", KEYS)
def test_every_turn_and_result_and_input_is_the_engines(key: str) -> None:
    game, machine = find(key), player(find(key), 7)
    assert isinstance(machine, PointsPlayer)
    sight = import_module(f"engine.ai.{key}.inputs").SIGHT
    rules = import_module(f"training.fast.{key}")
    found = np.empty((rules.MOST, rules.SIZE), rules.NUMBERS)
    keys = np.empty(rules.MOST, np.uint64)
    partial = np.empty((rules.MOST, rules.SIZE + 4), rules.NUMBERS)
    luck = random.Random(1)
    seen = 0
    while seen < POSITIONS:
        state = starts(key, luck)
        while game.to_act(state) is not None:
            roll = luck.choice(game.legal(state))
            rolled = game.apply(state, roll)
            if game.to_act(rolled) == CHANCE:
                continue  # equal dice in the opening
            afters = [after for _, after in game.turns(rolled)]
            position = machine.positions([rolled])[:, 0].astype(rules.NUMBERS)
            number = rules.turns(position, max(roll), min(roll), found, keys, partial)
            columns = machine.positions(afters)
            assert number == columns.shape[1]
            assert {*map(bytes, found[:number])} == {*map(bytes, columns.T.astype(rules.NUMBERS))}
            _same_sight(sight, rules, columns)
            state = luck.choice(afters)
            outcome = game.outcome(state)
            lost = rules.lost(machine.positions([state])[:, 0].astype(rules.NUMBERS))
            assert lost == (0 if outcome is None else abs(outcome.points[0]))
            seen += 1


def _same_sight(sight: Any, rules: Any, columns: Any) -> None:
    """Checks that the compiled rules encode positions as the players do."""
    many = np.empty((sight.inputs, columns.shape[1]), np.float32)
    sight.fill(columns, many)
    kinds = sight.kind(columns)
    one = np.empty(sight.inputs, np.float32)
    for number in range(0, columns.shape[1], 7):
        position = columns[:, number].astype(rules.NUMBERS)
        rules.fill(position, one)
        assert np.allclose(one, many[:, number], atol=1e-6)
        assert rules.kind(position) == kinds[number]
