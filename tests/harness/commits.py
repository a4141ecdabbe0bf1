"""Whether the commits that a text names are in the history of the checkout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT: Final = Path(__file__).parents[2]
FIRST: Final = "ffd93ed93a47fa630e892a23209879a582ef1b7e"
"""The first commit of the project."""


def strangers(commits: Iterable[str]) -> list[str]:
    """Returns those that are not in the history; skips the test where the checkout has none, or only a part of it."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    if not _is_in_history(FIRST):
        pytest.skip("the checkout has no complete history")
    return [each for each in commits if not _is_in_history(each)]


def _is_in_history(commit: str) -> bool:
    command = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0
