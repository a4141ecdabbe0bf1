"""The rules written a second time, plainly and slowly, against random walks through every layout.

The reference knows cells by row and number, and asks of every group and direction whether the book allows it.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import IllegalMove
from engine.core.game import walk_turns
from engine.core.search import menu, walk
from engine.games.abalone import GAME, LAYOUTS, State, Step, cells
from engine.games.abalone.board import CELLS
from engine.games.abalone.judge import examined, judge
from engine.games.abalone.tables import tables

WAYS = ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1))


class Cell(NamedTuple):
    row: int
    number: int

    def to(self, way: tuple[int, int], by: int = 1) -> "Cell":
        return Cell(self.row + by * way[0], self.number + by * way[1])

    def __str__(self) -> str:
        return f"{'abcdefghi'[self.row]}{self.number}"


BOARD = {Cell(row, number) for row in range(9) for number in range(1, 10) if abs(row + 1 - number) <= 4}


def reference(state: State) -> Iterator[tuple[Step, dict[Cell, str], bool]]:
    """Yields each legal step, the marbles after it, and whether one is ejected."""
    marbles = {Cell("abcdefghi".index(cell[0]), int(cell[1])): side for cell, side in cells(state).items()}
    me = "bw"[state.turn]
    for cell in sorted(BOARD):
        for way in WAYS:
            yield from in_line(marbles, me, cell, way)
            for axis in WAYS[:3]:
                if way not in {axis, (-axis[0], -axis[1])}:
                    yield from broadside(marbles, me, cell, axis, way)


def in_line(
    marbles: dict[Cell, str], me: str, rear: Cell, way: tuple[int, int]
) -> Iterator[tuple[Step, dict[Cell, str], bool]]:
    for own in (1, 2, 3):
        for pushed in range(own):
            mine = [rear.to(way, place) for place in range(own)]
            theirs = [rear.to(way, own + place) for place in range(pushed)]
            behind = rear.to(way, own + pushed)
            if not all(marbles.get(cell) == me for cell in mine):
                continue
            if not all(marbles.get(cell) not in {None, me} for cell in theirs) or behind in marbles:
                continue
            if behind not in BOARD and not theirs:
                continue
            moved = {cell: side for cell, side in marbles.items() if cell not in {*mine, *theirs}}
            moved |= {cell.to(way): marbles[cell] for cell in (*mine, *theirs) if cell.to(way) in BOARD}
            yield Step(str(rear), "", str(rear.to(way))), moved, behind not in BOARD


def broadside(
    marbles: dict[Cell, str], me: str, low: Cell, axis: tuple[int, int], way: tuple[int, int]
) -> Iterator[tuple[Step, dict[Cell, str], bool]]:
    for own in (2, 3):
        mine = [low.to(axis, place) for place in range(own)]
        if all(marbles.get(cell) == me and cell.to(way) in BOARD - marbles.keys() for cell in mine):
            moved = {cell: side for cell, side in marbles.items() if cell not in mine}
            moved |= {cell.to(way): me for cell in mine}
            yield Step(str(low), str(mine[-1]), str(low.to(way))), moved, False


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Draws a state some way down a random walk from a layout; in half of the walks every possible push is made."""
    start = GAME.start(
        {"layout": draw(st.sampled_from(list(LAYOUTS))), "target": draw(st.integers(1, 6)), "ply_limit": 0}
    )
    luck = draw(st.randoms(use_true_random=False))
    fierce = draw(st.booleans())
    state = start
    for _ in range(draw(st.integers(0, 60))):
        turns = GAME.turns(state)
        if not turns:
            break
        pushes = [turn for turn in turns if fierce and judge(state, turn[0][0]).pushed]
        state = luck.choice(pushes or turns)[1]
    return state


@st.composite
def scattered(draw: st.DrawFn) -> State:
    """Draws a state with marbles anywhere, as no game reaches it."""
    luck = draw(st.randoms(use_true_random=False))
    chosen = luck.sample(CELLS, 28)
    count = draw(st.integers(0, 14)), draw(st.integers(0, 14))
    rows = dict.fromkeys(chosen[: count[0]], "b") | dict.fromkeys(chosen[14 : 14 + count[1]], "w")
    text = "/".join("".join(rows.get(cell, "1") for cell in CELLS if cell[0] == row) for row in "ihgfedcba")
    return GAME.decode(f"{text} {draw(st.sampled_from('bw'))} 0 0")


@examples(75)
@given(st.one_of(positions(), scattered()))
def test_the_laws_hold_and_the_reference_agrees(state: State) -> None:
    before = state
    legal = list(GAME.legal(state))
    turns = GAME.turns(state)
    outcome = GAME.outcome(state)
    assert (outcome is None) == (GAME.to_act(state) is not None) == bool(legal)
    assert outcome is None or sum(outcome.points) == 0
    assert GAME.decode(GAME.encode(state), {"target": state.target}) == state
    assert legal == GAME.legal(state) == sorted(set(legal))
    assert turns == walk_turns(GAME, state)
    if outcome is None or outcome.reason == "abalone.end.stuck":
        expected = {step: (moved, ejects) for step, moved, ejects in reference(state)}
        assert set(legal) == set(expected)
        for step, (moved, ejects) in expected.items():
            after = GAME.apply(state, step)
            assert cells(after) == {str(cell): side for cell, side in moved.items()}
            assert after.ejected[state.turn] == state.ejected[state.turn] + ejects
            assert after.ejected[1 - state.turn] == state.ejected[1 - state.turn]
            assert (after.turn, after.target) == (1 - state.turn, state.target)
    for step in legal:
        text = GAME.format(state, (step,))
        assert GAME.parse(state, text) == (step,)
        assert text.endswith("x") == any(note.key == "abalone.does.ejects" for note in GAME.notes(state, step))
        assert {mark.cell for mark in GAME.marks(state, step)} <= set(CELLS)
    assert state == before


@examples(25)
@given(st.one_of(positions(), scattered()))
def test_every_step_that_is_not_legal_is_refused(state: State) -> None:
    legal = set(GAME.legal(state))
    for step in {key[0] for key in tables().exact}:
        if step in legal:
            assert judge(state, step) == examined(state, step)
        else:
            with pytest.raises(IllegalMove):
                judge(state, step)


@examples(50)
@given(positions())
def test_menus_are_short_and_reach_every_step(state: State) -> None:
    reached = []

    def descend(chosen: tuple[str, ...]) -> None:
        choices = menu(GAME, state, chosen)
        assert len(choices) <= 25
        for choice in choices:
            if choice.step is None:
                descend((*chosen, choice.word))
            else:
                assert choice.steps == (choice.step,)
                reached.append(choice.step)

    descend(())
    assert sorted(reached) == list(GAME.legal(state))


@examples(10)
@given(st.randoms(use_true_random=False), st.sampled_from(list(LAYOUTS)))
def test_marbles_are_never_lost_from_sight(luck: Random, layout: str) -> None:
    """On the board or ejected: always fourteen a side, and nobody moves once the target is reached."""
    start = GAME.start(GAME.settle_options({"layout": layout, "target": 2}))
    for state, _ in walk(GAME, start, lambda steps, _: luck.choice(steps), limit=200):
        assert state.black.bit_count() + state.ejected[1] == 14
        assert state.white.bit_count() + state.ejected[0] == 14
        assert max(state.ejected) < 2
