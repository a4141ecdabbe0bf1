"""A quick run ends in time, whatever game is being played then, and counts only whole games."""

import json
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import abalone, cube, levels, mistakes, points, safe_random
from engine.registry import find

TURNS = 20
"""So many looks at the clock fill a quick run here; they are too few for most games."""


def looked_at(monkeypatch: pytest.MonkeyPatch, *modules: Any) -> None:
    """Replaces the clock of modules by one that goes on by a second with each look at it."""
    times = {name: getattr(time, name) for name in ("time", "process_time", "perf_counter")}
    clock = SimpleNamespace(monotonic=count().__next__, **times)
    for module in modules:
        monkeypatch.setattr(module, "time", clock)
        monkeypatch.setattr(module, "QUICK", TURNS)


def test_a_comparison_of_levels_leaves_a_game_when_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kept.jsonl"
    looked_at(monkeypatch, levels)
    options = ["--quick", "--levels", "1-2", "--games", "6", "--file", str(path)]
    monkeypatch.setattr(sys, "argv", ["levels.py", "backgammon", *options])
    played: list[int] = []
    turn = levels.Machine.__call__

    def counted(*asked: Any) -> Any:
        played.append(1)
        return turn(*asked)

    monkeypatch.setattr(levels.Machine, "__call__", counted)
    levels.main()
    assert 0 < len(played) <= TURNS
    assert not path.exists()
    assert "| 1 and 2 |" not in capsys.readouterr().out


def test_a_pair_of_games_that_ends_in_time_counts(capsys: pytest.CaptureFixture[str]) -> None:
    game = find("backgammon")
    first, second = (levels.Machine(game, level, 1.0) for level in (1, 2))
    whole = levels.pair_of_games(game, first, second, "1")
    levels.tell([whole | {"levels": "1-2", "number": 0}])
    assert "| 1 and 2 | 2 |" in capsys.readouterr().out
    with pytest.raises(TimeoutError):
        levels.pair_of_games(game, first, second, "1", stop=0)


def test_a_measurement_of_points_leaves_a_game_when_time_is_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Abak's level 8 and the networks of backgammon need many seconds for a game."""
    game = find("backgammon")
    looked_at(monkeypatch, levels, points)
    played: list[int] = []

    def other(state: Any, _: frozenset[Any]) -> Any:
        played.append(1)
        return game.turns(state)[0][1]

    machine = levels.Machine(game, 1)
    points.measure(machine, other, 4, "1", TURNS)
    assert 0 < len(played) + len(machine.times) <= TURNS
    assert capsys.readouterr().out == "| 1 | 0 | | | |\n"


@pytest.mark.parametrize(("command", "asked"), [(abalone, ["chance", "--level", "1"]), (safe_random, ["--level", "1"])])
def test_games_against_chance_are_left_when_time_is_up(
    command: Any, asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked_at(monkeypatch, levels, command)
    monkeypatch.setattr(command, "QUICK", 2)  # too little for any game
    monkeypatch.setattr(sys, "argv", [command.__name__, *asked, "--quick"])
    command.main()
    assert "nan ± nan % of 0 games, 0 drawn, 0 cut off\n" in capsys.readouterr().out


class Judge:
    """Stands for GNU Backgammon: plays the first turn, and values positions by their place in the list."""

    def __call__(self, state: Any) -> Any:
        return find("backgammon").turns(state)[0][1]

    def judge(self, states: Sequence[Any], plies: int = 0) -> list[float]:
        return [(number + plies) / 10 for number in range(len(states))]

    def cube(self, state: Any, plies: int) -> list[float]:
        assert plies == 2
        return [0.5, 0.7, 1.0] if state.turn else [0.5, 0.4, 1.0]

    def end(self) -> None:
        """Has no process."""


@pytest.mark.parametrize(("command", "row"), [(mistakes, "| 1 | {} |"), (cube, "| 1 | all | {} |")])
def test_decisions_are_judged_until_time_is_up(
    command: Any, row: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked_at(monkeypatch, levels, command)
    monkeypatch.setattr(command, "Gnu", Judge)
    monkeypatch.setattr(command, "version", lambda: "GNU Backgammon")
    monkeypatch.setattr(sys, "argv", [command.__name__, "--levels", "1", "--quick"])
    command.main()
    assert row.format(TURNS) in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="it reads what Linux says of a process")
def test_games_among_the_levels_have_a_quick_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = import_module("benchmarks.machine_games")
    path = tmp_path / "kept.jsonl"
    looked_at(monkeypatch, games)
    monkeypatch.setattr(sys, "argv", ["machine_games.py", str(path), "--quick"])
    games.main()
    kept = [*map(json.loads, path.read_text(encoding="utf-8").splitlines())] if path.exists() else []
    assert sum(one["decisions"] for one in kept) <= TURNS  # a game ends early by a double that is passed
    assert all(one["points"] is not None for one in kept)
