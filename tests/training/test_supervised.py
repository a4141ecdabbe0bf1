"""Labels are what the players find by looking at the replies, and the networks learn them."""

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from harness.chances import points_player

from engine.games.backgammon import State

np = pytest.importorskip("numpy")
pytest.importorskip("numba", reason="numba is there only where networks are trained: pip install -e '.[training]'")

supervised = import_module("training.supervised")
networks = import_module("training.networks")
GAME = "backgammon"


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *options: str) -> None:
    monkeypatch.setattr(sys, "argv", ["supervised.py", GAME, "--folder", str(folder), *options])
    supervised.main()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PART": 60, "SAMPLED": 600, "UNSEEN": 60, "FEWEST": 50, "BATCH": 16}.items():
        monkeypatch.setattr(supervised, name, value)
    for name in ("learner", "labeller", "encoder"):  # compiled once
        monkeypatch.setattr(supervised, name, cache(getattr(supervised, name)))


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("small")
def test_labels_are_the_means_over_all_rolls_and_a_stopped_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervised, "FADES", (0.5, 0.0))
    run(monkeypatch, tmp_path, "--parts", "2", "--sampled", "1", "--epochs", "1")
    weights = (tmp_path / "learnt.npz").read_bytes()
    with np.load(tmp_path / "2.npz") as kept:
        positions, targets = kept["positions"], kept["targets"]
    _same_as_the_players(positions[::7], targets[::7])
    (tmp_path / "2.npz").unlink()
    capsys.readouterr()
    run(monkeypatch, tmp_path, "--parts", "2", "--sampled", "1", "--epochs", "1")
    assert capsys.readouterr().out.startswith("part 3: 60 positions of ")
    assert (tmp_path / "learnt.npz").read_bytes() == weights
    with pytest.raises(SystemExit):
        run(monkeypatch, tmp_path, "--parts", "3", "--sampled", "1", "--epochs", "1")
    with np.load(tmp_path / "learnt.npz") as kept:
        width = kept["first"].shape[-1]
    run(monkeypatch, tmp_path, "--parts", "2", "--sampled", "1", "--epochs", "1", "--width", str(width + 40))
    assert not capsys.readouterr().out.startswith("part")
    with np.load(tmp_path / "learnt.npz") as kept:
        assert kept["first"].shape[-1] == width + 40
        assert kept["second"][4, 0, width:].any()


def _same_as_the_players(positions: Any, targets: Any) -> None:
    """Compares labels with the chances that a player finds by the best reply to each roll."""
    found = points_player(GAME, 7)
    found.known = lambda *_: None  # races of few checkers, which a player counts exactly, and ends
    for position, target in zip(positions.tolist(), targets.tolist(), strict=True):
        white, black = (
            sum(count << 4 * point for point, count in enumerate(side)) for side in (position[:26], position[26:])
        )
        state = State(white, black, 0)
        win, gammon, gammoned, backgammon, backgammoned = found.ahead.judged([state], 1, 1)[:, 0].tolist()
        assert [1 - win, gammoned, backgammoned, gammon, backgammon] == pytest.approx(target, abs=1e-4)


def test_networks_learn_their_labels() -> None:
    """Twenty units are to tell whether there are more checkers on the lower points."""
    luck = np.random.default_rng(1)
    positions = luck.integers(0, 2, (5000, 10)).astype(np.int8)
    targets = np.repeat(positions[:, :5].sum(1, keepdims=True) > positions[:, 5:].sum(1, keepdims=True), 5, 1)
    labelled = supervised.Labelled(positions, targets.astype(np.float32))
    kinds = np.arange(5000) % 2

    def encode(some: Any, inputs: Any) -> None:
        inputs[:] = some

    shapes = ((2, 10, 20), (2, 20), (2, 5, 20), (2, 5))
    nets = tuple((0.1 * luck.standard_normal(shape)).astype(np.float32) for shape in shapes)
    untouched = [each.copy() for each in nets]
    plan = supervised.Plan(GAME, 1, 0, 1, "", 30, 0.01, 0)
    *earlier, learnt = supervised.fit(nets, labelled, np.where(kinds == 0, 0, 7), encode, plan)
    assert supervised.missed(learnt, labelled, 0 * kinds, encode) < 0.3 * supervised.missed(
        nets, labelled, 0 * kinds, encode
    )
    assert len(earlier) == plan.epochs - 1
    for each, one, before in zip(learnt, nets, untouched, strict=True):
        assert np.array_equal(one, before)
        assert np.array_equal(each[1], before[1])  # no position of its own
