"""Weights that no other test traces back say from which commit they are."""

import json
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from engine.ai.apb import experience

ROOT = Path(__file__).parents[2]


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

    def git(*asked: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S607

    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    if git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        pytest.skip("the checkout has no complete history")
    assert len(commit) == 40
    assert git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0
