"""What backgammon's evaluation sees of a side."""

from engine.ai.backgammon.evaluation import side
from engine.games.backgammon.board import pack


def test_points_pips_and_home_of_a_side() -> None:
    counts = [0] * 26
    counts[25], counts[13], counts[8], counts[6], counts[4] = 1, 5, 1, 3, 2
    seen = side(pack(counts))
    assert seen.made == 1 << 13 | 1 << 6 | 1 << 4  # no blot, and not the bar
    assert seen.home == 2
    assert seen.pips == 25 + 65 + 8 + 18 + 8
    assert seen.farthest == 25


def test_checkers_on_the_bar_make_no_point() -> None:
    assert side(pack([0] * 25 + [2])).made == 0
