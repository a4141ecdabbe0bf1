"""The games from which findings come are played as they are said to be."""

from collections import Counter
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from engine.games.abak.board import ARMY, CLASSES
from training.found import games

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is there only where networks are trained: pip install -e '.[training]'"
)


def army(position: Any, side: int) -> Counter[str]:
    """Returns the stones of a side on the board, by class."""
    found: Counter[str] = Counter()
    for column in position[:24].tolist():
        for depth in range(5):
            stone = column // 13**depth % 13
            if stone and (stone > 6) == bool(side):
                found[CLASSES[(stone - 1) % 6]] += 1
    return found


def test_a_game_is_the_same_in_each_run_and_ends_with_points() -> None:
    at = games.table("abak")
    ends = [at.play(at.begin, 3, len(at.seen), games.first_rolls(0), at.nets, at.seen) for _ in range(2)]
    assert ends[0] == ends[1]
    length, points, over = ends[0]
    assert over
    assert abs(points) in {1, 2, 3}
    assert 20 < length < len(at.seen)
    assert (at.seen[0] == at.begin).all()


def test_a_beginning_is_estimated() -> None:
    """With its rolls given it depends on no seed; from the other side it is worth the opposite."""
    at = games.table("abak")
    rolls = np.array([(3, 1), (6, 5)])
    ends = [at.play(at.begin, seed, 2, rolls, at.nets, at.seen) for seed in (1, 2)]
    assert ends[0] == ends[1]
    length, points, over = ends[0]
    assert (length, over) == (2, False)
    assert -1 < points < 1
    after = at.seen[1].copy()
    assert -at.play(after, 1, 1, rolls[1:], at.nets, at.seen)[1] == pytest.approx(points)


def test_the_openings_of_a_roll_are_played_with_the_same_dice() -> None:
    found = games.opening((3, 1), 5, 72)
    assert found == games.opening((3, 1), 5, 72)
    assert found["count"] == 72
    assert {len(blocks) for blocks in found["points"].values()} == {2}
    assert 1 < len(found["points"]) <= games.CANDIDATES


@pytest.mark.parametrize("stone", games.ABSENT)
def test_a_side_lacks_one_stone_and_has_a_soldier_for_it(stone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[np.ndarray] = []
    at = games.table("abak")

    def play(begin: Any, *_: object) -> tuple[int, float, bool]:
        begun.append(begin.copy())
        return 1, 2.0, True

    monkeypatch.setattr(games, "table", lambda _: at._replace(play=play))
    found = games.lacking(stone, 1, 2)
    assert found["results"] == [0, 1, 0, 0, 0, 1, 0]
    whole = Counter(ARMY)
    lacking = whole - Counter([stone]) + Counter("S")
    assert [[army(each, side) for side in (0, 1)] for each in begun] == [[lacking, whole], [whole, lacking]]


def test_many_games_add_up() -> None:
    found = games.many("abak", 1, 2)
    assert sum(found["results"]) == 2
    assert found["turns"] > 40
    prisoners = np.array(found["prisoners"])
    assert 0 < prisoners[0, 0].sum() < found["turns"]
    assert (abs(prisoners[1]) <= 3 * prisoners[0]).all()
    assert sum(games.many("backgammon", 1, 2)["results"]) == 2
