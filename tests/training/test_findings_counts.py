"""What is counted of positions, turns and games is what happens there."""

import random
from typing import Any

import numpy as np
import pytest

from engine.games.abak import GAME, State
from engine.games.apb import GAME as APB
from training.found import apb, games, turns


def placed(columns: dict[int, str], dice: str = "00", bar: str = "-", turn: int = 1) -> State:
    """Returns a position by White's points; ``turn`` -1: Black's."""
    text = "/".join(columns.get(point, "1") for point in range(24, 0, -1))
    return GAME.decode(f"ABAKID={text}:{bar}:0:0:{turn}:{dice}:0:0:0:0:10")


def seen(*states: State) -> Any:
    """Positions as the networks see them, a row each."""
    return turns.machine(7).positions(states).T


def test_the_moves_of_a_turn_are_alike_whatever_their_order() -> None:
    state = placed({12: "D", 11: "E", 9: "s"}, "32")
    both = [steps for steps, _ in GAME.turns(state) if turns.moves_of(steps) == ((11, 9), (12, 9))]
    assert {GAME.format(state, steps) for steps in both} == {"11/9* 12/9", "12/9^ 11/9"}
    pair = placed({14: "S", 12: "S", 10: "g"}, "42")
    assert ((12, 10), (14, 10)) in [turns.moves_of(steps) for steps, _ in GAME.turns(pair)]


def test_what_is_counted_after_a_turn() -> None:
    """Black has moved: its druid holds a soldier, a soldier covers a wounded, and a full column stands at the back."""
    found = turns.kinds(seen(placed({22: "os", 12: "Sd", 5: "sssss", 4: "s"}, bar="S")))[:, 0]
    assert dict(zip(turns.KINDS, found.tolist(), strict=True)) == {
        "enemy stones sent back": 1,
        "prisoners": 1,
        "blots": 2,
        "own stones with a class under own stones": 1,
        "stones on 19-24": 6,
        "blocking points": 2,
        "full points": 1,
    }


def test_two_stones_change_places() -> None:
    state = placed({24: "D", 18: "S", 17: "G", 6: "SE", 4: "s"}, turn=-1)
    states, keys = turns.swaps(state, 0, random.Random(1))
    assert states == [
        placed({24: "D", 18: "E", 17: "G", 6: "SS", 4: "s"}, turn=-1),
        placed({24: "S", 18: "D", 17: "G", 6: "SE", 4: "s"}, turn=-1),
    ]
    assert keys == [(3, 0, 2), (2, 3, 2)]


def test_decisions_are_the_same_in_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST", 6)
    found = turns.decisions(3, 1)
    assert found["decisions"] >= 5
    for level, sums in found["levels"].items():
        assert sums[0] == found["decisions"], level
        assert sums[1] >= sums[3] >= 0
        assert sums[0] >= sums[2]
    assert found == turns.decisions(3, 1)
    assert found != turns.decisions(4, 1)


def test_prisoners_are_counted_by_class_and_by_what_lies_on_them() -> None:
    """White is to roll. It holds an even wounded covered; of its own a guard is held by a lone druid."""
    position = seen(placed({16: "eDS", 8: "SGd"}))
    by_class, lone, whole = games.held(position, 1)
    assert (by_class[:, 0].tolist(), lone.tolist(), whole.tolist()) == ([0, 0, 0, 0, 1, 0], [0], [1])
    by_class, lone, whole = games.held(position, 0)
    assert (by_class[:, 0].tolist(), lone.tolist(), whole.tolist()) == ([1, 1, 0, 0, 0, 0], [2], [2])
    assert games.pips(position, 0).tolist() == [16 * 2 + 8 * 2]
    assert games.pips(position, 1).tolist() == [9 + 17]


@pytest.mark.parametrize(
    ("columns", "bar", "wanted"),
    [
        ({16: "S", 9: "s"}, "-", [0]),
        ({16: "eD", 9: "s"}, "-", [1, 9]),
        ({16: "eDS", 9: "s"}, "-", [2, 9]),
        ({16: "S", 9: "Gd"}, "-", [3, 12]),
        ({16: "S", 9: "Gds"}, "-", [4, 12]),
        ({16: "eD", 9: "Gd"}, "-", []),
        ({16: "eD", 9: "s"}, "s", []),
    ],
    ids=("none", "holds one", "covered", "is held", "covered, held", "both", "bar"),
)
def test_positions_are_told_apart_by_their_one_prisoner(columns: dict[int, str], bar: str, wanted: list[int]) -> None:
    whole = seen(placed(columns, bar=bar))
    whole[:, 36:] = 0  # as if nobody had borne off
    assert np.flatnonzero(games.categories(whole)[:, 0]).tolist() == wanted


def test_hits_and_traps_are_seen_between_two_positions() -> None:
    """White hits, Black enters, White leaves with its druid, Black traps."""
    course = seen(
        placed({16: "S", 14: "s", 9: "D", 7: "d"}),
        placed({14: "S", 9: "D", 7: "d"}, bar="s", turn=-1),
        placed({14: "S", 9: "D", 7: "d", 3: "s"}),
        placed({14: "S", 8: "D", 7: "d", 3: "s"}, turn=-1),
        placed({14: "S", 8: "Dd", 3: "s"}),
    )
    assert games.changes(course) == (1, 1)
    assert games.changes(course[:2]) == (1, 0)
    assert games.changes(course[1:4]) == (0, 0)
    waiting = {14: "S", 9: "D", 7: "d"}
    assert games.changes(seen(placed(waiting, bar="s"), placed(waiting, bar="s", turn=-1))) == (0, 0)


def test_what_protects_a_principal_is_counted() -> None:
    """Black has moved nothing: at the start its principal is in a full ring, seven cells from White's."""
    start = APB.decode("9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -")
    assert dict(zip(apb.COUNTED, apb.counts(start), strict=True)) == {
        "lines": 8,
        "ways": 0,
        "own beside": 8,
        "others beside": 0,
        "secondaries": 8,
        "lead": 4,
        "distance": 7,
    }
    freed = APB.decode("9/9/4p4/9/4s4/9/9/4S4/4P4/4S4/9/9 w -")
    assert dict(zip(apb.COUNTED, apb.counts(freed), strict=True)) == {
        "lines": 1,
        "ways": 1,
        "own beside": 0,
        "others beside": 0,
        "secondaries": 1,
        "lead": 3,
        "distance": 6,
    }


def test_games_of_apb_are_the_same_in_each_run() -> None:
    found = apb.games(1, 5, 1)
    assert sum(found["wins"]) + found["drawn"] == 1
    assert found == apb.games(1, 5, 1)
    lead = apb.COUNTED.index("lead")
    behind = sum(cell[0] for cell in found["counted"][lead][: apb.EVEN])
    assert 0 < behind < found["turns"]
    assert {sum(cell[0] for cell in sort) for sort in found["behind"]} == {behind}
    for sort in found["counted"]:
        assert sum(cell[0] for cell in sort) in {0, found["turns"] - 1}
        assert all(cell[1] + cell[2] <= cell[0] for cell in sort)
