"""Checks a step, and finds the rule that forbids it (abalone.md, Moves)."""

from functools import lru_cache

from engine.core.errors import IllegalMove
from engine.games.abalone.board import BITS, BOARD, NAMES, WIDTH, State
from engine.games.abalone.moves import can_move, plays
from engine.games.abalone.tables import MOST, Play, Step, shifted, tables


def course(first: str, second: str) -> tuple[int, int] | None:
    """Returns the direction (a shift) and the distance from one cell to another; None if they are not on a line."""
    rise, run = ord(second[0]) - ord(first[0]), int(second[1:]) - int(first[1:])
    length = max(abs(rise), abs(run))
    if length == 0 or (rise and run not in {0, rise}):
        return None
    return WIDTH * (rise // length) + run // length, length


def over(state: State) -> bool:
    """Returns whether the game is over by the position."""
    return state.target in state.ejected or not can_move(state)


@lru_cache(maxsize=64)
def legal_plays(state: State) -> dict[Step, Play]:
    """Returns every legal step with its effect, in the fixed order."""
    return {} if state.target in state.ejected else {play.step: play for play in plays(state)}


def judge(state: State, step: Step) -> Play:
    """Returns the effect of a step. Raises IllegalMove, naming the rule that forbids it."""
    return legal_plays(state).get(step) or examined(state, step)


def examined(state: State, step: Step) -> Play:
    """Judges a step like ``judge``, but slowly: one rule after the other, without the list of legal moves."""
    if over(state):
        raise IllegalMove("abalone.over")
    for cell in (step.first, step.last or step.first, step.to):
        if cell not in BITS:
            raise IllegalMove("abalone.no_such_cell", cell=cell)
    return _judge_broadside(state, step) if step.last else _judge_in_line(state, step)


def _sides(state: State) -> tuple[int, int]:
    return (state.white, state.black) if state.turn else (state.black, state.white)


def require_own(state: State, cell: str) -> None:
    """Raises IllegalMove unless the side to move has a marble there."""
    mine, theirs = _sides(state)
    if theirs & BITS[cell]:
        raise IllegalMove("abalone.not_yours", cell=cell)
    if not mine & BITS[cell]:
        raise IllegalMove("abalone.no_marble", cell=cell)


def _run(bit: int, shift: int, side: int) -> list[int]:
    """Returns the unbroken row of a side's marbles from a cell on."""
    found = []
    while bit & side:
        found.append(bit)
        bit = shifted(bit, shift)
    return found


def _judge_in_line(state: State, step: Step) -> Play:
    mine, theirs = _sides(state)
    require_own(state, step.first)
    way = course(step.first, step.to)
    if way is None or way[1] != 1:
        raise IllegalMove("abalone.not_neighbours", cell=step.first, to=step.to)
    shift = way[0]
    own = _run(BITS[step.first], shift, mine)
    if len(own) > MOST:
        raise IllegalMove("abalone.too_many", found=len(own), most=MOST)
    ahead = shifted(own[-1], shift)
    if not ahead & BOARD:
        raise IllegalMove("abalone.own_out", cell=NAMES[own[-1]])
    pushed = _run(ahead, shift, theirs)
    behind = shifted(pushed[-1], shift) if pushed else ahead
    if len(pushed) == len(own):
        raise IllegalMove("abalone.pac", own=len(own), other=len(pushed))
    if len(pushed) > len(own):
        raise IllegalMove("abalone.outnumbered", own=len(own), other=len(pushed))
    if behind & mine:
        raise IllegalMove("abalone.own_behind", cell=NAMES[behind])
    return tables().exact[step, len(own), len(pushed), not behind & BOARD]


def _judge_broadside(state: State, step: Step) -> Play:
    mine, theirs = _sides(state)
    line, way = course(step.first, step.last), course(step.first, step.to)
    if line is None:
        raise IllegalMove("abalone.not_in_line", cell=step.first, to=step.last)
    axis, length = line
    if length >= MOST:
        raise IllegalMove("abalone.too_many", found=length + 1, most=MOST)
    if way is None or way[1] != 1:
        raise IllegalMove("abalone.not_neighbours", cell=step.first, to=step.to)
    if axis < 0:
        raise IllegalMove("abalone.lower_first", cell=step.last)
    shift = way[0]
    if abs(shift) == axis:
        raise IllegalMove("abalone.named_by_rear", cell=step.first)
    group = [shifted(BITS[step.first], axis * place) for place in range(length + 1)]
    for bit in group:
        require_own(state, NAMES[bit])
    for bit in group:
        target = shifted(bit, shift)
        if not target & BOARD:
            raise IllegalMove("abalone.off_board", cell=NAMES[bit])
        if target & mine:
            raise IllegalMove("abalone.own_in_way", cell=NAMES[target])
        if target & theirs:
            raise IllegalMove("abalone.broadside_pushes", cell=NAMES[target])
    return tables().exact[step, len(group), 0, False]
