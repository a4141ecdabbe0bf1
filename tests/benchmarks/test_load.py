"""The benchmark of load runs, in its short form, and its table has every row."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = ("autocomplete", "picker step", "move, new board", "all")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="it reads what Linux says of a process")
def test_a_short_load_prints_every_row() -> None:
    command = [sys.executable, "benchmarks/load.py", "0.5", "--games", "1", "--no-postgres"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    for bot in ("SQLite", "bare bot"):
        for games in ("1", "1 paced"):
            for row in ROWS:
                (line,) = [one for one in lines if one.startswith(f"{bot:16} {games:>9} {row:16}")]
                figures = line[len(f"{bot:16} {games:>9} {row:16}") :].split()
                assert float(figures[1]) >= 0  # a second
            assert float(figures[3]) > 20  # megabytes
