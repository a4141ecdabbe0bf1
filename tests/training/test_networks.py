"""A training goes on where it was stopped, and trained networks can be trained further."""

import json
import math
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba", reason="numba is there only where networks are trained: pip install -e '.[training]'")

networks = import_module("training.networks")
package = networks.package
GAME = "backgammon"


def plan(start: str, width: int) -> Any:
    return networks.Plan(GAME, games=1, seed=1, width=width, checkpoints=1, start=start)


def test_a_stopped_training_goes_on_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "PAIRS", 5)
    for name in ("learner", "matches"):  # compiled once
        monkeypatch.setattr(networks, name, cache(getattr(networks, name)))
    asked = networks.Plan(GAME, games=10, seed=1, width=8, checkpoints=2)
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    networks.train(asked, whole, math.inf)
    with monkeypatch.context() as patched:  # time is up after the first checkpoint
        times = SimpleNamespace(monotonic=iter([0, 0, 2]).__next__, process_time=time.process_time)
        patched.setattr(networks, "time", times)
        networks.train(asked, stopped, 1)
    assert {each.name for each in stopped.iterdir()} == {"plan.json", "1.npz", "curve.jsonl", "curve.png"}
    first = (stopped / "curve.png").read_bytes()
    with pytest.raises(SystemExit, match="another training"):
        networks.train(networks.Plan(GAME, games=20, seed=1, width=8, checkpoints=2), stopped, math.inf)
    networks.train(asked, stopped, math.inf)
    for number in (1, 2):
        both = (networks.load(folder / f"{number}.npz") for folder in (whole, stopped))
        for one, other in zip(*both, strict=True):
            assert np.array_equal(one, other)
    assert curve(stopped) == curve(whole)
    assert (stopped / "curve.png").read_bytes() == (whole / "curve.png").read_bytes() != first


def curve(folder: Path) -> list[dict[str, float]]:
    """Returns the lines of a training without the time that each took."""
    lines = map(json.loads, (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines())
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_units_that_are_added_change_no_judgement(tmp_path: Path) -> None:
    rules = import_module(f"training.fast.{GAME}")
    kept = networks.load(package(GAME))
    more = kept[0].shape[-1] + 8
    measure, nets = networks.begin(rules, plan(networks.digest(package(GAME)), more), tmp_path)
    assert measure == 0
    assert nets[0].shape == (rules.KINDS, rules.COUNT, more)
    inputs = np.random.default_rng(1).random(rules.COUNT, np.float32)
    for kind in range(rules.KINDS):
        judged = [
            second[kind] @ np.maximum(inputs @ first[kind].astype(np.float32) + first_bias[kind], 0) + second_bias[kind]
            for first, first_bias, second, second_bias in (kept, nets)
        ]
        assert np.allclose(*judged, atol=1e-3)


def test_weights_that_have_changed_are_not_trained_further(tmp_path: Path) -> None:
    rules = import_module(f"training.fast.{GAME}")
    with pytest.raises(SystemExit):
        networks.begin(rules, plan("another", 160), tmp_path)


def test_weights_are_replaced_only_by_those_that_came_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets, start = networks.load(package(GAME)), networks.digest(package(GAME))
    for name in ("networks.npz", "networks.json"):
        (tmp_path / name).write_bytes(package(GAME).with_name(name).read_bytes())
    monkeypatch.setattr(networks, "package", lambda _: tmp_path / "networks.npz")
    with pytest.raises(SystemExit):
        networks.publish(GAME, nets, {}, "another")
    assert networks.digest(tmp_path / "networks.npz") == start
    more = (*nets[:3], nets[3] + 1)
    networks.publish(GAME, more, {"seed": 5}, start)
    made = json.loads((tmp_path / "networks.json").read_text(encoding="utf-8"))
    assert (made["seed"], made["earlier"]["sha256"]) == (5, start)
    assert made["sha256"] == networks.digest(tmp_path / "networks.npz") != start
    assert np.allclose(networks.load(tmp_path / "networks.npz")[3], more[3], atol=1e-2)


def test_a_training_from_nothing_is_measured_against_its_first_checkpoint(tmp_path: Path) -> None:
    rules = import_module(f"training.fast.{GAME}")
    measure, nets = networks.begin(rules, plan("", 8), tmp_path)
    assert measure == 1
    assert nets[0].shape == (rules.KINDS, rules.COUNT, 8)
    assert not [*tmp_path.iterdir()]
