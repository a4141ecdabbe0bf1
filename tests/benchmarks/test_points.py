"""Tests the measurement of points a game."""

from typing import Any

import pytest

from benchmarks.points import Machine, measure, played
from engine.registry import find


@pytest.mark.parametrize("key", ["backgammon", pytest.param("abak", marks=pytest.mark.thorough)])
def test_a_player_wins_nothing_from_itself(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the same dice and the seats exchanged, one that plays without luck wins what it loses."""
    game = find(key)
    machine, other = Machine(game, 7), Machine(game, 7)
    machine.player.temperature = other.player.temperature = 0.0
    measure(machine, other, 4, "1", 100.0)
    assert capsys.readouterr().out.startswith("| 7 | 4 | +0.000 ± 0.000 | 50.0 % |")


def test_points_are_those_of_the_first_seat() -> None:
    """A player that takes the last turn of each list loses to a level that looks for the best one."""
    game = find("backgammon")

    def first(state: Any) -> Any:
        return game.turns(state)[-1][1]

    machine = Machine(game, 5)
    assert sum(played(game, (machine, first), str(seed)) for seed in range(5)) > 0
    assert sum(played(game, (first, machine), str(seed)) for seed in range(5)) < 0


@pytest.mark.parametrize(("depth", "looked"), [(None, {1, 2}), (1, {1}), (0, set())])
def test_level_8_looks_as_far_ahead_as_asked(
    depth: int | None, looked: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find("backgammon")
    machine = Machine(game, 8, depth)
    found = set()
    ahead: Any = machine.player
    judged = ahead.ahead.judged

    def judge(states: Any, mover: int, depth: int = 0, *fields: Any) -> Any:
        found.add(depth)
        return judged(states, mover, min(depth, 1), *fields)

    monkeypatch.setattr(ahead.ahead, "judged", judge)
    machine(game.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10", {}))
    assert found - {0} == looked
