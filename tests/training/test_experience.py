"""Tests that the training of APB's weights fits the evaluation that uses them, and goes on where it was stopped."""

import sys
from pathlib import Path

import pytest

from engine.ai.apb import ApbPlayer
from engine.ai.apb.experience import MOVED, OPENED, TEMPO, TO_MOVE, TOUCHING, Weights, evaluate
from engine.games.apb import GAME, State
from training import experience
from training.experience import COUNTED, counts, game_of

POSITIONS = (
    "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 b -",
    "9/9/3p5/9/9/9/3S5/9/4SSS2/5P3/5S3/9 b -",
    "s8/9/3p5/9/3s5/9/9/3P5/9/9/5S3/9 w -",
    "s8/9/3p5/3P5/3s5/9/9/9/9/9/5S3/8S b -",
)


def by_count(weights: Weights) -> list[int]:
    """Returns the weights in the order of ``COUNTED``."""
    each = weights.material[8] // 8
    return [each, (weights.material[0]) // 4, *weights[1:]]


def test_the_evaluation_is_what_is_counted_times_the_weights() -> None:
    weights = [*by_count(MOVED), *by_count(TO_MOVE), OPENED, TOUCHING, TEMPO]
    assert len(weights) == 2 * len(COUNTED) + 3
    for text in POSITIONS:
        state: State = GAME.decode(text)
        assert sum(a * b for a, b in zip(weights, counts(state), strict=True)) == evaluate(state), text


def test_a_game_has_a_winner_whose_positions_count_as_won() -> None:
    seen = game_of(ApbPlayer(GAME, 1), "1")
    assert seen
    assert {won for _, won, _ in seen} == {True, False}
    assert seen[-1][2] == max(weight for _, _, weight in seen)


def test_a_stopped_training_goes_on_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(experience, "PART", 1)
    played: list[str] = []

    def game(player: ApbPlayer, seed: str) -> experience.Game:
        played.append(seed)
        return game_of(player, seed)

    monkeypatch.setattr(experience, "game_of", game)

    def run(folder: str, *options: str) -> str:
        monkeypatch.setattr(
            sys, "argv", ["experience.py", "--level", "1", "--folder", str(tmp_path / folder), *options]
        )
        experience.main()
        return capsys.readouterr().out

    whole = run("whole", "--games", "3")
    run("stopped", "--games", "2")
    first = (tmp_path / "stopped" / "curve.png").read_bytes()
    assert played == [*played[:3], *played[:2]]
    weights = whole.splitlines()[-2 * len(COUNTED) - 3 :]
    assert run("stopped", "--games", "3").splitlines()[-len(weights) :] == weights
    assert played == [*played[:3], *played[:3]]
    assert len(set(played)) == 3
    curves = [(tmp_path / folder / "curve.png").read_bytes() for folder in ("whole", "stopped")]
    assert curves[0] == curves[1] != first
    for others in (("--seed", "2"), ("--level", "2")):
        with pytest.raises(SystemExit, match="another training"):
            run("stopped", *others)
