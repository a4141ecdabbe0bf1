"""The training of chances goes on where it was stopped, and writes its weights only when it is asked to."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.ai.chances import Linear
from training import chances

GAME = "backgammon"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Run":
    monkeypatch.setattr(chances, "EVERY", 3)
    monkeypatch.setattr(chances, "ROOT", tmp_path)
    (tmp_path / "engine" / "ai" / GAME).mkdir(parents=True)
    return Run(tmp_path, monkeypatch)


class Run:
    """Runs the command in a repository without weights."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.weights = root / "engine" / "ai" / GAME / "weights.json"
        self.root = root
        self.monkeypatch = monkeypatch

    def __call__(self, folder: str, *options: str) -> None:
        self.monkeypatch.setattr(sys, "argv", ["chances.py", GAME, "--folder", str(self.root / folder), *options])
        chances.main()


def test_a_stopped_training_goes_on_with_the_same_result(run: Run, tmp_path: Path) -> None:
    run("whole", "--games", "6")
    run("stopped", "--games", "3")
    first = (tmp_path / "stopped" / "curve.png").read_bytes()
    run("stopped", "--games", "6")
    for name in ("last.json", "curve.png"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert (tmp_path / "stopped" / "curve.png").read_bytes() != first
    with pytest.raises(SystemExit, match="another training"):
        run("stopped", "--games", "6", "--seed", "2")


def test_weights_are_written_when_asked_with_their_origin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = json.dumps(chances.machine(chances.find(GAME), 1).model.weights)
    run("new", "--games", "3", "--seed", "5")
    assert not run.weights.exists()
    assert json.dumps(chances.machine(chances.find(GAME), 1).model.weights) == before
    asked: list[list[str]] = []

    def git(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "abc\n")

    monkeypatch.setattr(subprocess, "run", git)
    run("new", "--seed", "5", "--write")
    told = json.loads(run.weights.read_text(encoding="utf-8"))
    assert told["command"] == f"python training/chances.py {GAME} --games 3 --seed 5"
    assert told["commit"] == "abc"
    assert asked[0][-2:] == ["training/chances.py", f"engine/ai/{GAME}/evaluation.py"]
    kept = json.loads((run.root / "new" / "last.json").read_text(encoding="utf-8"))
    assert [[round(each, 4) for each in row] for row in kept["weights"]] == told["weights"]
    assert any(any(row) for row in told["weights"])


def test_estimates_come_nearer_to_the_results() -> None:
    model = Linear([[0.0] * chances.OUTPUTS, [0.0] * chances.OUTPUTS])
    seen = [[(0, 1.0)], [(1, 1.0)]] * 5
    result = chances.Chances(1.0, 0.0, 0.0)  # for the side that has not moved last of them
    assert chances.missed(model, seen, result) == 0.5
    for _ in range(20):
        chances.learn(model, seen, result, 0.1)
    assert chances.missed(model, seen, result) < 0.4
    assert chances.missed(model, seen, result) + chances.missed(model, seen, result.turned()) == pytest.approx(1)
