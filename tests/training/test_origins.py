"""Weights that no other test traces back say from which commit they are."""

import json
import re
from importlib import resources

import pytest
from harness.commits import strangers

from engine.ai.apb import experience


def origin(key: str) -> str:
    """Returns the commit that is named where the weights of a game stand."""
    if key == "apb":
        return re.findall(r"\b[0-9a-f]{40}\b", experience.__doc__ or "")[0]
    told = json.loads((resources.files(f"engine.ai.{key}") / "weights.json").read_text(encoding="utf-8"))
    commit: str = told["commit"]
    return commit


@pytest.mark.parametrize("key", ["apb", "abak", "backgammon"])
def test_the_commit_that_weights_name_is_in_the_history(key: str) -> None:
    commit = origin(key)
    assert len(commit) == 40
    assert strangers([commit]) == []
