"""Turns in Jellyfish's ``.mat`` files: each die apart, the bar as 25, off as 0."""

from collections.abc import Sequence
from typing import Final

from engine.core.errors import AmbiguousMove
from engine.games.backgammon.board import State, sides
from engine.games.backgammon.moves import PASS, Action, hits, moved
from engine.games.backgammon.notation import take_apart
from engine.games.backgammon.reading import parse
from engine.kits.cube import CubeAction
from engine.kits.dice import Roll

VARIATIONS: Final = {"standard": "Backgammon", "nack": "NackGammon", "hyper": "HyperGammon (3)"}
"""GNU Backgammon's names of the layouts. The other layouts have no name there."""


def action_text(state: State, steps: Sequence[Action], roll: str) -> str:
    """Writes a turn such as ``31: 24/18* 18/16``, or a cube action; empty for ``roll``, which these files lack."""
    first = steps[0]
    if isinstance(first, CubeAction):
        return {
            CubeAction.ROLL: "",
            CubeAction.DOUBLE: f" Doubles => {2 * state.fields.cube_value}",
            CubeAction.TAKE: " Takes",
            CubeAction.PASS: " Drops",
            CubeAction.BEAVER: f" Beavers => {4 * state.fields.cube_value}",
        }[first]
    own, other = sides(state)
    words = [f"{roll}:"]
    for step in steps:
        if isinstance(step, Roll | CubeAction) or step == PASS:
            continue
        words.append(f"{step.source}/{step.target}{'*' * hits(other, step)}")
        own, other = moved(own, other, step)
    return " ".join(words)


def read_play(state: State, text: str) -> tuple[Action, ...]:
    """Reads the steps of a turn. Of two readings, the one that hits exactly the marked points counts.

    Raises RuleError.
    """
    try:
        return parse(state, text)
    except AmbiguousMove as error:
        typed = take_apart(text)
        marks = 0 if typed is None else len(typed.stars)
        exact = [reading for reading in error.readings if reading.count("*") == marks]
        if len(exact) != 1:
            raise
        return parse(state, exact[0])
