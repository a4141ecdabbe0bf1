"""A prime holds the last stone behind it, wherever both are."""

from types import SimpleNamespace
from typing import Any

import pytest

from engine.ai.abak import evaluation as abak
from engine.ai.backgammon import evaluation as backgammon
from engine.ai.chances import Features
from engine.ai.shots import BAR


@pytest.mark.parametrize("evaluation", [abak, backgammon])
@pytest.mark.parametrize("rear", [25, 24, 20])
@pytest.mark.parametrize(("length", "rolls"), [(6, 0), (5, 11)])
def test_the_rolls_that_escape_are_those_of_the_last_stone(evaluation: Any, rear: int, length: int, rolls: int) -> None:
    prime = sum(1 << BAR - rear + ahead for ahead in range(1, length + 1))
    builder, runner = SimpleNamespace(made=prime, walls=prime), SimpleNamespace(farthest=rear, counts=[0] * 26)
    found: Features = []
    expected: Features = []
    evaluation._blockade(found, 1, builder, runner)
    evaluation._ESCAPES.add(expected, rolls, 1)
    assert found[-len(expected) :] == expected
