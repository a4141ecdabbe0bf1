"""A recorded turn in the numbers of the other side's board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.game import CHANCE
from engine.kits.points import text_for
from engine.registry import GAMES
from render.games.points import seen

NUMBERED = ["abak", "backgammon"]
PLACES = st.sampled_from([*map(str, range(1, 25)), "bar", "off", "bar:G"])


def test_points_are_counted_from_the_other_end_and_the_rest_stays() -> None:
    assert text_for("13/7(2) bar/20* 6/off", 1, 0) == "12/18(2) bar/5* 19/off"
    assert text_for("14/10+12/10^ bar:G/21", 0, 1) == "11/15+13/15^ bar:G/4"
    assert text_for("13/7", 1, 1) == "13/7"
    assert text_for("pass", 0, 1) == "pass"


@given(st.lists(st.tuples(PLACES, PLACES, st.sampled_from(["", "*", "(2)", "(4)"]))))
def test_two_turns_of_the_board_give_the_text_again(hops: list[tuple[str, str, str]]) -> None:
    text = " ".join(f"{source}/{target}{times}" for source, target, times in hops)
    assert text_for(text_for(text, 0, 1), 1, 0) == text


@pytest.mark.parametrize("key", GAMES)
def test_who_played_reads_their_own_text(key: str) -> None:
    assert [GAMES[key].text_for("13/7 a3b4", seat, seat) for seat in (0, 1)] == ["13/7 a3b4"] * 2


@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize("key", NUMBERED)
def test_a_text_names_the_points_as_the_picture_does(key: str, below: int) -> None:
    game: Any = GAMES[key]
    state = game.start(game.settle_options({}))
    for opening in game.legal(state):
        begun = game.apply(state, opening)
        mover = game.to_act(begun)
        if mover in {CHANCE, None}:
            continue
        for step in game.legal(begun):
            marks = game.marks(begun, step)
            shown = {str(seen(mark.cell, below)) for mark in marks if mark.kind in {"from", "to"}}
            text = game.text_for(game.format(begun, (step,)), mover, below)
            assert set(re.findall(r"[0-9]+", re.sub(r"\([0-9]\)", "", text))) == shown
