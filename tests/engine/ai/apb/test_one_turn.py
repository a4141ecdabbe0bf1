"""The machine's turns in APB against all turns that there are, in small and late positions."""

import random
from collections.abc import Iterator

import pytest

from engine.ai.apb import ApbPlayer
from engine.ai.apb.clearing import line_to_clear, winning_turn
from engine.games.apb import GAME, State, Step
from engine.games.apb.moves import NEAR

LEVELS = len(ApbPlayer.temperatures)


def all_turns(state: State) -> Iterator[tuple[int, State]]:
    """Yields every position that a whole turn leads to, with the fewest steps of secondaries before it."""
    layer, count, seen = [state], 0, {state}
    while layer:
        further = []
        for at in layer:
            for step in GAME.legal(at):
                after = GAME.apply(at, step)
                if after.turn != state.turn:
                    yield count, after
                elif after not in seen:
                    seen.add(after)
                    further.append(after)
        layer, count = further, count + 1


def shortest_win(state: State) -> int | None:
    """Returns the fewest steps of secondaries before a step that wins; None if no turn wins."""
    other = 1 - state.turn
    return next((count for count, after in all_turns(state) if not after.principals[other]), None)


def is_safe(after: State) -> bool:
    """Returns whether both principals are on the board, and no turn of the other side wins."""
    return all(after.principals) and shortest_win(after) is None


def late_positions(seed: int, count: int, own: int, others: int) -> Iterator[State]:
    """Positions with at most so many secondaries; often the principals are on one line, and secondaries near it."""
    luck = random.Random(seed)
    while count:
        cells = luck.sample(range(108), 108)
        home, other = 1 << cells[0], 1 << cells[1]
        bare = State((0, 0), (home, other), 0, 0)
        aligned = line_to_clear(bare)
        if aligned is None and luck.random() < 0.7:
            continue
        count -= 1
        zone = NEAR[home] | NEAR[other]
        if aligned is not None:
            zone |= sum({*(1 << cell for cell in range(108) if NEAR[1 << cell] & aligned[1])})
        bits = [1 << cell for cell in cells[2:]]
        close = luck.choice([0.2, 0.9])
        bits.sort(key=lambda bit: bool(bit & zone) == (luck.random() < close), reverse=True)
        first = luck.randint(0, own)
        last = first + luck.randint(0, others)
        yield State((sum(bits[:first]), sum(bits[first:last])), (home, other), 0, 0)


def result(state: State, steps: tuple[Step, ...]) -> State:
    for step in steps:
        state = GAME.apply(state, step)
    return state


def check_win(state: State) -> bool:
    """Compares the winning turn that is found with all turns; whether there is one."""
    fewest = shortest_win(state)
    win = winning_turn(state)
    assert (win and len(win) - 1) == fewest, GAME.encode(state)
    assert win is None or not result(state, win).principals[1]
    return win is not None


def check_turn(state: State, level: int) -> None:
    """Every candidate wins if a turn wins, is safe if a turn is safe, and stays on the board if a turn does.

    The other turns are asked only where the candidates are not proof enough.
    """
    text = GAME.encode(state)
    wins = check_win(state)
    ends = [result(state, each.steps) for each in ApbPlayer(GAME, level).candidates(state)]
    if wins:
        assert not any(end.principals[1] for end in ends), text
    elif not all(end.principals[0] for end in ends):
        assert not any(after.principals[0] for _, after in all_turns(state)), text
    elif not all(map(is_safe, ends)):
        assert not any(is_safe(after) for _, after in all_turns(state)), text


@pytest.mark.parametrize("seed", range(4))
def test_one_turn_is_played_exactly(seed: int) -> None:
    for place, state in enumerate(late_positions(seed, 60, own=2, others=2)):
        check_turn(state, level=1 + place % LEVELS)


@pytest.mark.parametrize("seed", range(4))
def test_lines_with_many_pieces_are_cleared_if_they_can_be(seed: int) -> None:
    found = [check_win(state) for state in late_positions(seed, 60, own=3, others=8)]
    assert 10 < sum(found) < 50


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_one_turn_is_played_exactly_in_many_positions(seed: int) -> None:
    for place, state in enumerate(late_positions(100 + seed, 100, own=3, others=3)):
        check_turn(state, level=1 + place % LEVELS)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_many_lines_are_cleared_if_they_can_be(seed: int) -> None:
    for state in late_positions(200 + seed, 100, own=4, others=8):
        check_win(state)
