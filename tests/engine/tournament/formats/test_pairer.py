"""Tests which colour an entrant of a Swiss should have next, and how strongly (FIDE Handbook C.04.3, A.6)."""

import pytest

from engine.tournament.formats.pairer import Color, History

NAMES: dict[str, Color] = {"w": "white", "b": "black"}


@pytest.mark.parametrize(
    ("colors", "preferred", "strength"),
    [
        ("", None, 0),
        ("w", "black", 2),
        ("b", "white", 2),
        ("wbw", "black", 2),
        ("wb", "white", 1),
        ("bw", "black", 1),
        ("bww", "black", 3),  # twice in a row
        ("wbb", "white", 3),
        ("wwbb", "white", 3),
        ("ww", "black", 3),
        ("wbwww", "black", 3),
        ("wwbw", "black", 3),  # a difference of two
    ],
)
def test_a_colour_is_preferred_as_strongly_as_the_rules_say(
    colors: str, preferred: Color | None, strength: int
) -> None:
    had = tuple(NAMES[color] for color in colors)
    history = History(0.0, had, ("none",) * len(had), frozenset(), byes=0, forfeit_wins=0)
    assert history.preference == (preferred, strength)
