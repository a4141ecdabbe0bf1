"""Tests the measurement of points a game."""

import random
from typing import Any

import pytest

from benchmarks.levels import Machine, Turn, played, won_by
from benchmarks.points import measure
from engine.registry import find


@pytest.mark.parametrize("key", ["backgammon", pytest.param("abak", marks=pytest.mark.thorough)])
def test_a_player_wins_nothing_from_itself(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the same dice and the seats exchanged, one that plays without luck wins what it loses."""
    game = find(key)
    machine, other = Machine(game, 7), Machine(game, 7)
    machine.player.temperature = other.player.temperature = 0.0
    measure(machine, other, 4, "1", 100.0)
    assert capsys.readouterr().out.startswith("| 7 | 4 | +0.000 ± 0.000 | 50.0 % |")


def test_the_seats_of_a_game_are_the_players() -> None:
    """A player that takes the last turn of each list loses to a level that looks for the best one."""
    game = find("backgammon")

    def last(state: Any, _: frozenset[Any]) -> Any:
        return game.turns(state)[-1][1]

    machine = Machine(game, 5)
    both: list[tuple[Turn, Turn]] = [(machine, last), (last, machine)]
    for seat, seats in enumerate(both):
        won = [won_by(played(game, seats, random.Random(seed)), seat) for seed in range(5)]
        assert sum(won) > 2.5


@pytest.mark.parametrize(("depth", "looked"), [(None, {1, 2}), (1, {1}), (0, set())])
def test_level_8_looks_as_far_ahead_as_asked(
    depth: int | None, looked: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find("backgammon")
    machine = Machine(game, 8, depth=depth)
    found = set()
    ahead: Any = machine.player
    judged = ahead.ahead.judged

    def judge(states: Any, mover: int, depth: int = 0, *fields: Any) -> Any:
        found.add(depth)
        return judged(states, mover, min(depth, 1), *fields)

    monkeypatch.setattr(ahead.ahead, "judged", judge)
    machine(game.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10", {}))
    assert found - {0} == looked
