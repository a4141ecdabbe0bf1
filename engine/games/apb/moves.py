"""The rules of APB: steps, collisions, passing, the end (apb.md, The turn, Collisions, End).

No piece ever moves back along the line of a step. So one walk along the ray of cells ahead of the mover is enough: the
mover stops and strikes the piece before it, this piece moves and strikes the next one, and so on.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.core.errors import IllegalMove
from engine.core.game import Outcome, Seat, win
from engine.games.apb.board import HEIGHT, NAMES, PASS, WIDTH, State, Step

DIRECTIONS: Final = tuple((column, row) for row in (-1, 0, 1) for column in (-1, 0, 1) if (column, row) != (0, 0))


def _ray(number: int, direction: tuple[int, int]) -> tuple[int, ...]:
    """Returns the cells from the neighbour in ``direction`` to the board's end, as masks."""
    row, column = divmod(number, WIDTH)
    masks = []
    while 0 <= (column := column + direction[0]) < WIDTH and 0 <= (row := row + direction[1]) < HEIGHT:
        masks.append(1 << row * WIDTH + column)
    return tuple(masks)


_LINES: Final = tuple(tuple(filter(None, (_ray(number, way) for way in DIRECTIONS))) for number in range(len(NAMES)))
RAYS: Final = {Step(number, ray[0].bit_length() - 1): ray for number, rays in enumerate(_LINES) for ray in rays}
"""Every step from a cell to a neighbour, with the cells of its line: ``target`` and all those beyond it, as masks."""
AROUND: Final = {
    1 << number: tuple((ray[0], Step(number, ray[0].bit_length() - 1)) for ray in rays)
    for number, rays in enumerate(_LINES)
}
"""The neighbours of a cell, as masks, with the step to each; by the cell's mask."""
NEAR: Final = {mask: sum(neighbour for neighbour, _ in around) for mask, around in AROUND.items()}
"""All neighbours of a cell in one mask."""


class Shift(NamedTuple):
    """The move of one piece in a step, from ``origin`` to ``end`` (masks); if ``gone``, then off the board."""

    origin: int
    end: int
    gone: bool


def occupied(state: State) -> int:
    white, black = state.secondaries
    return white | black | state.principals[0] | state.principals[1]


def is_over(state: State) -> bool:
    return not (state.principals[0] and state.principals[1])


def outcome(state: State) -> Outcome | None:
    """Returns the outcome once a side has no principal: that side loses.

    The principal ran off if that side moved last, else it was pushed off.
    """
    if not is_over(state):
        return None
    loser: Seat = 1 if state.principals[0] else 0
    if loser == state.turn:
        return win(1 - loser, 1, "apb.end.sent_off")
    return win(1 - loser, 1, "apb.end.ran_off")


def shifts(state: State, step: Step) -> list[Shift]:
    """Returns the shifts of the mover and of each pushed piece, in order; ``step`` must be legal and not ``PASS``."""
    held = occupied(state)
    principals = state.principals[0] | state.principals[1]
    ray = RAYS[step]
    last = len(ray) - 1
    origin = 1 << step.origin
    is_principal = slides = bool(principals & origin)
    before = -1  # the place of the moving piece on the ray
    found = []
    while True:
        at = before
        while at < last and not held & ray[at + 1]:
            at += 1
            if not slides:
                break
        gone = at == last and (slides or at == before)
        found.append(Shift(origin, ray[at], gone))
        if gone or at == last:
            return found
        # The piece has arrived, and strikes the next one, unless another piece is behind that one (1) or a secondary
        # meets a principal (2).
        before = at + 1
        origin = ray[before]
        if not held & origin or (before < last and held & ray[before + 1]):
            return found
        struck_principal = bool(principals & origin)
        if struck_principal and not is_principal:
            return found
        slides, is_principal = is_principal, struck_principal


def advance(state: State, step: Step) -> State:
    """Returns the state after a legal step; does not check that it is legal."""
    if step == PASS:
        return State(state.secondaries, state.principals, 1 - state.turn, 0)
    (white, black), principals, turn, done = state
    mover, ray = 1 << step.origin, RAYS[step]
    if not mover & (principals[0] | principals[1]) and (len(ray) == 1 or not occupied(state) & ray[1]):
        moved = mover | ray[0]  # a secondary that meets nothing
        return State((white, black ^ moved) if turn else (white ^ moved, black), principals, turn, done | ray[0])
    return shifted(state, step, shifts(state, step))


def shifted(state: State, step: Step, found: Sequence[Shift]) -> State:
    """Returns the state after a step, given its shifts."""
    (white, black), (white_principal, black_principal), turn, done = state
    for origin, end, gone in found:
        change = origin if gone else origin | end
        if white & origin:
            white ^= change
        elif black & origin:
            black ^= change
        elif white_principal & origin:
            white_principal ^= change
        else:
            black_principal ^= change
        if done & origin:
            done ^= change
    if 1 << step.origin & state.principals[turn]:
        return State((white, black), (white_principal, black_principal), 1 - turn, 0)
    return State((white, black), (white_principal, black_principal), turn, done | 1 << step.target)


def _steps(movers: int, held: int) -> list[Step]:
    found: list[Step] = []
    while movers:
        mover = movers & -movers
        movers ^= mover
        found += [step for neighbour, step in AROUND[mover] if not neighbour & held]
    return found


def makes_room(state: State, steps: Sequence[Step]) -> Step | None:
    """Finds the first of the secondaries' ``steps`` that gives a step to the enclosed principal of the side to move.

    A step never re-enters a cell that it has left, so it is enough that a piece leaves the principal's side.
    """
    near = NEAR[state.principals[state.turn]]
    for step in steps:
        if 1 << step.origin & near:
            return step
    for step in steps:
        if any(shift.origin & near for shift in shifts(state, step)):
            return step
    return None


def legal(state: State) -> list[Step]:
    """Lists every step of the secondaries, from ``a1`` on, then those of the principal.

    If the turn may end without the principal, ``PASS`` takes the place of its steps.
    """
    if is_over(state):
        return []
    held = occupied(state)
    steps = _steps(state.secondaries[state.turn] & ~state.done, held)
    last = _steps(state.principals[state.turn], held)
    if not last and makes_room(state, steps) is None:
        last = [PASS]
    return steps + last


def refusal(state: State, step: Step) -> IllegalMove | None:
    """Finds the rule that forbids ``step``; None if it is legal."""
    if is_over(state):
        return IllegalMove("apb.over")
    if step == PASS:
        return _refused_pass(state)
    origin, target = step
    if not (0 <= origin < len(NAMES) and 0 <= target < len(NAMES)):
        return IllegalMove("apb.off_board", step=str(step))
    mover, held = 1 << origin, occupied(state)
    if not mover & held:
        return IllegalMove("apb.no_piece", cell=NAMES[origin])
    if not mover & (state.secondaries[state.turn] | state.principals[state.turn]):
        return IllegalMove("apb.not_yours", cell=NAMES[origin])
    if mover & state.done:
        return IllegalMove("apb.already_stepped", cell=NAMES[origin])
    if step not in RAYS:
        return IllegalMove("apb.not_neighbour", cell=NAMES[origin], to=NAMES[target])
    if 1 << target & held:
        return IllegalMove("apb.occupied", cell=NAMES[target])
    return None


def _refused_pass(state: State) -> IllegalMove | None:
    held = occupied(state)
    own = _steps(state.principals[state.turn], held)
    if own:
        return IllegalMove("apb.principal_must_step", play=str(own[0]))
    room = makes_room(state, _steps(state.secondaries[state.turn] & ~state.done, held))
    return None if room is None else IllegalMove("apb.must_make_room", play=str(room))
