"""Tests the comparison of two generations of networks, with games whose results are made up."""

import sys
from importlib import import_module
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba", reason="numba is there only where networks are trained: pip install -e '.[training]'")

generations = import_module("benchmarks.generations")
networks = import_module("training.networks")


def test_every_pair_of_games_has_its_own_seed_and_the_error_is_that_of_pairs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds: list[int] = []

    def match(pairs: int, seed: int, after: Any, before: Any, temperatures: tuple[float, float]) -> Any:
        assert temperatures == (0.1, 0.2)
        assert np.array_equal(after[0], before[0])  # the package's own weights, and those of the file
        seeds.append(seed)
        return np.array([[2.0, -1.0], [1.0, -1.0]] * (pairs // 2))

    monkeypatch.setattr(generations, "learner", lambda _: (None, None))
    monkeypatch.setattr(generations, "matches", lambda *_: match)
    options = ["--games", "200", "--seed", "5", "--temperatures", "0.1", "0.2"]
    before = ["--before", str(networks.package("abak"))]
    monkeypatch.setattr(sys, "argv", ["generations.py", "abak", *before, *options])
    generations.main()
    assert seeds == [5, 5 + generations.AT_ONCE]
    assert capsys.readouterr().out == "200 games: +0.250 ± 0.049 points a game, 50.0 ± 0.0 % won\n"


def test_a_quick_comparison_ends_when_time_is_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def match(pairs: int, *_: Any) -> Any:
        return np.array([[1.0, -1.0]] * pairs)

    monkeypatch.setattr(generations, "learner", lambda _: (None, None))
    monkeypatch.setattr(generations, "matches", lambda *_: match)
    monkeypatch.setattr(generations, "time", SimpleNamespace(monotonic=count().__next__))
    monkeypatch.setattr(generations, "QUICK", 3)
    before = ["--before", str(networks.package("abak"))]
    monkeypatch.setattr(sys, "argv", ["generations.py", "abak", *before, "--quick"])
    generations.main()
    games = 2 * 2 * generations.AT_ONCE
    assert capsys.readouterr().out == f"{games} games: +0.000 ± 0.000 points a game, 50.0 ± 0.0 % won\n"


def test_weights_are_read_from_a_file_or_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = networks.load(networks.package("backgammon"))
    networks.save(tmp_path / "1.npz", kept)
    asked: list[list[str]] = []

    class Shown:
        stdout = (tmp_path / "1.npz").read_bytes()

    def run(command: list[str], **_: Any) -> Shown:
        asked.append(command)
        return Shown()

    monkeypatch.setattr(generations.subprocess, "run", run)
    for told in (str(tmp_path / "1.npz"), "HEAD^"):
        for one, other in zip(generations.generation("backgammon", told), kept, strict=True):
            assert np.array_equal(one, other)
    assert asked == [["git", "show", "HEAD^:engine/ai/backgammon/networks.npz"]]
