"""Steps and turns as texts (apb.md, Notation)."""

import re
from collections.abc import Sequence
from typing import Final

from engine.core.errors import BadNotation, IllegalMove
from engine.games.apb.board import NAMES, NUMBERS, PASS, WIDTH, State, Step, letter_at, name_of
from engine.games.apb.moves import RAYS, Shift, advance, is_over, occupied, refusal, shifted, shifts

_CELL: Final = r"([a-z][0-9]{1,2})"
_STEP: Final = re.compile(
    rf"{_CELL}\s*(?:->|[-\u2013\u2014/:>x])?\s*{_CELL}"
    rf"(?:\s*>\s*{_CELL})?(?:\s*(x)([sp])?(?![a-z0-9]))?\s*(\#)?"
    r"|pass(?![a-z0-9])"
)
"""A step with its marks, in lower case: origin, to, landing, ``x``, the piece that left the board, ``#``; or a pass."""
_BETWEEN: Final = re.compile(r"[\s,;]*")
_TEXTS: Final = {step: str(step) for step in RAYS}
"""Every step without its marks."""
_STEPS: Final = {text: step for step, text in _TEXTS.items()}


def result(state: State, found: Sequence[Shift]) -> tuple[str, str]:
    """Reads from a step's shifts the mover's last cell ("" if it runs off), and the piece that leaves, or ""."""
    gone = "".join([letter_at(state, shift.origin) for shift in found if shift.gone])
    return "" if found[0].gone else name_of(found[0].end), gone


def write_step(state: State, step: Step) -> str:
    """Writes one legal step in canonical notation: ``e3-e4>e8xs``, ``a6-b6xP#``, ``pass``."""
    return str(step) if step == PASS else _with_marks(state, step, shifts(state, step))


def _with_marks(state: State, step: Step, found: Sequence[Shift]) -> str:
    landing, gone = result(state, found)
    text = _TEXTS[step]
    if landing and landing != NAMES[step.target]:
        text += f">{landing}"
    if gone:
        text += f"x{gone}"
    return text + "#" if gone in {"P", "p"} else text


def write_turn(state: State, steps: Sequence[Step]) -> str:
    """Writes the steps of a whole or partial turn, separated by spaces. Raises IllegalMove."""
    texts = []
    for step in steps:
        fault = refusal(state, step)
        if fault is not None:
            raise fault
        texts.append(write_step(state, step))
        state = advance(state, step)
    return " ".join(texts)


def recorded(state: State, text: str) -> tuple[tuple[Step, ...], State] | None:
    """Reads the steps of a legal turn in canonical notation, and the position after them; None for any other text."""
    steps: list[Step] = []
    turn = state.turn
    for word in text.split(" "):
        if is_over(state) or state.turn != turn:
            return None
        plain = word.partition(">")[0].partition("x")[0].rstrip("#")
        step = _STEPS.get(plain)
        if step is None:
            return None
        origin, target = step
        movers = state.secondaries[turn] & ~state.done | state.principals[turn]
        if not movers & 1 << origin or occupied(state) & 1 << target:
            return None
        steps.append(step)
        if word == plain:
            state = advance(state, step)
            continue
        found = shifts(state, step)
        if word != _with_marks(state, step, found):
            return None
        state = shifted(state, step, found)
    return tuple(steps), state


def read_turn(state: State, text: str) -> tuple[Step, ...]:
    """Reads the steps of a whole turn or its beginning. Raises BadNotation, or IllegalMove naming the rule.

    Marks are optional, but those in the text must be right.
    """
    found = _split(text)
    if is_over(state):
        raise IllegalMove("apb.over")
    steps: list[Step] = []
    turn = state.turn
    for match in found:
        if state.turn != turn:
            raise IllegalMove("apb.turn_ended", step=match[0])
        step = _meant(state, match)
        fault = refusal(state, step)
        if fault is not None:
            raise fault
        if step != PASS and (fault := _misnamed(state, step, match)) is not None:
            raise fault
        steps.append(step)
        state = advance(state, step)
    return tuple(steps)


def _split(text: str) -> list[re.Match[str]]:
    lowered = text.lower()
    found = []
    at = len(lowered) - len(lowered.lstrip())
    while at < len(lowered):
        match = _STEP.match(lowered, at)
        if match is None:
            raise BadNotation("apb.unreadable", text=text.strip())
        found.append(match)
        between = _BETWEEN.match(lowered, match.end())
        at = between.end() if between else match.end()
    if not found:
        raise BadNotation("apb.unreadable", text=text)
    return found


def _meant(state: State, match: re.Match[str]) -> Step:
    """Returns the step that a text names. A principal's target only gives its line (``_misnamed`` checks the cell)."""
    origin_name, to_name = match[1], match[2]
    if origin_name is None:
        return PASS
    if origin_name not in NUMBERS or to_name not in NUMBERS:
        raise IllegalMove("apb.off_board", step=f"{origin_name}-{to_name}")
    origin, to = NUMBERS[origin_name], NUMBERS[to_name]
    if state.principals[state.turn] != 1 << origin:
        return Step(origin, to)
    step = _towards(origin, to)
    if step is None:
        raise IllegalMove("apb.not_in_line", cell=origin_name, to=to_name)
    return step


def _towards(origin: int, to: int) -> Step | None:
    """Returns the step from ``origin`` along the row, column or diagonal to ``to``, if there is one."""
    (row, column), (to_row, to_column) = divmod(origin, WIDTH), divmod(to, WIDTH)
    rows, columns = to_row - row, to_column - column
    distance = max(abs(rows), abs(columns))
    if not distance or abs(rows) not in {0, distance} or abs(columns) not in {0, distance}:
        return None
    step = Step(origin, origin + rows // distance * WIDTH + columns // distance)
    return step if step in RAYS else None


def _misnamed(state: State, step: Step, match: re.Match[str]) -> IllegalMove | None:
    """Returns the error of a wrong mark on a legal step: the stop, the piece that leaves, or the end of the game."""
    origin, to, landing, falls, letter, ends = match.groups()
    stop, gone = result(state, shifts(state, step))
    if to not in {NAMES[step.target], stop} and not landing:
        if not stop:
            return IllegalMove("apb.runs_off", cell=origin, to=to, step=write_step(state, step))
        return IllegalMove("apb.stops_elsewhere", cell=origin, to=to, stop=stop)
    if (
        (landing and landing != stop)
        or (falls and not gone)
        or (letter and letter != gone.lower())
        or (ends and gone not in {"P", "p"})
    ):
        return IllegalMove("apb.otherwise", text=match[0], step=write_step(state, step))
    return None
