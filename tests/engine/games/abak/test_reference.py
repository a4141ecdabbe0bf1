"""The rules written a second time, plainly and slowly, straight from the book; compared over many positions.

The reference shares nothing with the engine but the position text. It knows a board as lists of letters and tries every
order of the dice and every stone.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from harness.examples import examples
from harness.vectors import vectors
from hypothesis import given
from hypothesis import strategies as st

from engine.core.game import CHANCE, walk_turns
from engine.core.search import walk
from engine.games.abak import GAME, PASS, State

ORDER = "SGKDEO"


class Board:
    """Columns by the mover's own points, its bar, the enemy's bar; the mover's stones are capitals, whoever moves."""

    def __init__(self, columns: list[list[str]], bar: list[str], sent: list[str]) -> None:
        self.columns = columns
        self.bar = bar
        self.sent = sent

    def copy(self) -> "Board":
        return Board([list(column) for column in self.columns], list(self.bar), list(self.sent))

    def key(self) -> tuple[object, ...]:
        return tuple(map(tuple, self.columns)), tuple(sorted(self.bar)), tuple(sorted(self.sent))


def read(text: str) -> tuple[Board, list[int], bool]:
    """Returns the board of a position text from the mover's side, the dice, and whether Black moves."""
    points, bar, _, _, turn, dice, *_ = text.removeprefix("ABAKID=").split(":")
    columns: list[list[str]] = []
    for part in points.split("/"):
        columns += [[] for _ in range(int(part))] if part.isdigit() else [list(part)]
    white = [stone for stone in bar if stone.isupper()]
    black = [stone for stone in bar if stone.islower()]
    if turn == "1":
        return Board([[], *reversed(columns)], white, black), [int(die) for die in dice], False
    swapped = [[stone.swapcase() for stone in column] for column in columns]
    return Board([[], *swapped], [s.upper() for s in black], [s.lower() for s in white]), [int(d) for d in dice], True


def write(board: Board, *, black: bool) -> str:
    """Writes ``COLUMNS:BAR``, as the vectors have it."""
    columns = board.columns[1:]
    bars = [board.bar, board.sent]
    if black:
        columns = [[stone.swapcase() for stone in column] for column in reversed(columns)]
        bars = [[stone.swapcase() for stone in bar] for bar in reversed(bars)]
    parts: list[str] = []
    for column in reversed(columns):
        if column:
            parts.append("".join(column))
        elif parts and parts[-1].isdigit():
            parts[-1] = str(int(parts[-1]) + 1)
        else:
            parts.append("1")
    bar = "".join(sorted(bars[0], key=ORDER.index)) + "".join(sorted(bars[1], key=ORDER.lower().index))
    return f"{'/'.join(parts)}:{bar or '-'}"


def own_points(board: Board) -> list[int]:
    """Returns the point of every own stone on the board, movable or not."""
    return [point for point in range(1, 25) for stone in board.columns[point] if stone.isupper()]


def enemy_run(column: list[str]) -> int:
    run = 0
    for stone in reversed(column):
        if stone.isupper():
            break
        run += 1
    return run


def in_midfield(point: int) -> bool:
    return 7 <= point <= 18


def landing(board: Board, stone: str, point: int) -> str:
    """Returns ``stack``, ``hit``, ``trap``, ``half`` (with a second stone only), or nothing if it may not land."""
    column = board.columns[point]
    run = enemy_run(column)
    if run == 0:
        return "stack" if len(column) + 1 <= 5 else ""
    if run >= 2:
        return ""
    if stone == "D" and in_midfield(point):
        return "trap" if len(column) + 1 <= 5 else ""
    if column[-1] == "g" and stone != "G":
        return "half" if len(column) - 1 + 2 <= 5 else ""
    return "hit"


def candidates(board: Board, die: int, general: str) -> Iterator[tuple[str, int, int, str]]:
    """Yields every move of one stone by one die: stone, from, to, effect of the landing."""
    if board.bar:
        for stone in set(board.bar):
            does = landing(board, stone, 25 - die)
            if does:
                yield stone, 25, 25 - die, does
        return
    for source in range(1, 25):
        column = board.columns[source]
        if not column or not column[-1].isupper():
            continue
        stone = column[-1]
        if stone == "K" and general == "back":
            continue
        point = source - die
        if point >= 1:
            parity = (stone == "E" and die in {1, 3, 5}) or (stone == "O" and die in {2, 4, 6})
            does = "" if parity else landing(board, stone, point)
            if does:
                yield stone, source, point, does
        elif max(own_points(board)) <= 6 and (point == 0 or max(own_points(board)) <= source):
            yield stone, source, 0, "off"
        if stone == "K" and general == "" and source + die <= 24:
            comrades = own_points(board)
            comrades.remove(source)
            does = landing(board, "K", source + die)
            if does and any(comrade > 6 for comrade in comrades):
                yield stone, source, source + die, does


def moved(board: Board, move: tuple[str, int, int, str]) -> Board:
    stone, source, point, does = move
    after = board.copy()
    if source == 25:
        after.bar.remove(stone)
    else:
        assert after.columns[source].pop() == stone
    if does in {"hit", "half"}:
        after.sent.append(after.columns[point].pop())
    if does != "off":
        after.columns[point].append(stone)
    return after


def general_now(general: str, move: tuple[str, int, int, str]) -> str:
    stone, source, point, _ = move
    if stone != "K" or source == 25:
        return general
    return "forward" if point < source else "back"


def ways(board: Board, general: str, dice: list[int]) -> Iterator[tuple[Board, str, int]]:
    """Yields every way to play the first die, or the first two in a pair capture, and the number of dice played."""
    for move in candidates(board, dice[0], general):
        after, now = moved(board, move), general_now(general, move)
        if move[3] != "half":
            yield after, now, 1
        elif len(dice) > 1:
            for second in candidates(after, dice[1], now):
                stone, _, point, _ = second
                if point == move[2] and stone != "G" and not (stone == "D" and in_midfield(point)):
                    yield moved(after, second), general_now(now, second), 2


def turns(text: str) -> set[str]:
    """Returns the positions after every legal turn; empty if nothing can be played."""
    board, dice, black = read(text)
    orders = [dice * 2] if dice[0] == dice[1] else [dice, dice[::-1]]
    reached: dict[int, dict[int, set[str]]] = {}
    for order in orders:
        level = {(board.key(), ""): (board, "", 0)}
        while level:
            deeper: dict[object, tuple[Board, str, int]] = {}
            for at, general, used in level.values():
                if used:
                    first = order[0] if used == 1 else 0
                    reached.setdefault(used, {}).setdefault(first, set()).add(write(at, black=black))
                if used < len(order):
                    for after, now, more in ways(at, general, order[used:]):
                        deeper[after.key(), now, used + more] = (after, now, used + more)
            level = deeper
    if not reached:
        return set()
    by_first = reached[max(reached)]
    return by_first[max(by_first)]


# --- comparisons -----------------------------------------------------------------------------------------------------


def told(state: State) -> str:
    return ":".join(GAME.encode(state).removeprefix("ABAKID=").split(":")[:2])


def listed(state: State) -> list[str]:
    return [told(after) for steps, after in GAME.turns(state) if steps != (PASS,)]


def same(state: State) -> None:
    found = listed(state)
    assert len(found) == len(set(found))
    assert set(found) == turns(GAME.encode(state)), GAME.encode(state)


def test_the_reference_finds_the_vectors() -> None:
    cases = vectors("abak")
    assert [case["position"] for case in cases if turns(case["position"]) != set(case["results"])] == []


@examples(5)
@given(seed=st.integers(0, 2**32))
def test_over_games(seed: int) -> None:
    luck = Random(seed)
    before = CHANCE
    for state, _ in walk(GAME, GAME.start({}), lambda steps, weights: luck.choices(steps, weights)[0], 600):
        actor = GAME.to_act(state)
        if actor != CHANCE and before == CHANCE and luck.random() < 0.35:
            same(state)
        before = actor


def made_up(luck: Random) -> str:
    """Returns a position that games hardly reach: stones anywhere, prisoners, lone guards within reach, a full bar."""
    dice = [luck.randint(1, 6), luck.randint(1, 6)]
    board = Board([[] for _ in range(25)], [], [])
    armies = [list("SSSSSSSSSGGKDEO"), list("sssssssssggkdeo")]
    for army in armies:
        luck.shuffle(army)
    besieged = luck.choice([0, 0, luck.randint(1, 24), 25 - dice[0]])
    if besieged:
        armies[1].remove("g")
        board.columns[besieged] = ["S"] * luck.choice([0, 0, 0, 1, 3, 4]) + ["g"]
        for _ in range(len(board.columns[besieged]) - 1):
            armies[0].remove("S")
        for die in luck.choices(dice, k=3):
            point = besieged + luck.choice([die, die, -die])
            if 1 <= point <= 24 and point != besieged:
                stone = "K" if point < besieged and "K" in armies[0] else armies[0][-1]
                armies[0].remove(stone)
                board.columns[point].append(stone)
    low, high = luck.choice([(1, 24), (1, 24), (1, 10), (5, 20), (13, 24)])
    waiting = luck.choice([0.0, 0.0, 0.15])
    for army, bar in ((armies[0], board.bar), (armies[1], board.sent)):
        for stone in army[: luck.choice([1, 2, 4, 7, 9])]:
            column = board.columns[luck.randint(low, high) if luck.random() < 0.8 else luck.randint(1, 24)]
            if luck.random() < waiting:
                bar.append(stone)
            elif len(column) < 5 and (column[-1:] != ["g"] or luck.random() < 0.2):
                column.append(stone)
    if not own_points(board):
        board.columns[8] = ["S"]
    if not any(stone.islower() for column in board.columns for stone in column):
        board.columns[17] = ["s"]
    black = luck.random() < 0.5
    return f"ABAKID={write(board, black=black)}:0:0:{'-1' if black else '1'}:{max(dice)}{min(dice)}:0:0:0:0:10"


@examples(75)
@given(seed=st.integers(0, 2**32))
def test_over_made_up_positions(seed: int) -> None:
    same(GAME.decode(made_up(Random(seed))))


@examples(40)
@given(seed=st.integers(0, 2**32))
def test_listed_turns_are_those_that_can_be_walked(seed: int) -> None:
    state = GAME.decode(made_up(Random(seed)))
    if not state.dice:
        return
    walked = walk_turns(GAME, state)
    quick = GAME.turns(state)
    assert {after for _, after in quick} == {after for _, after in walked}
    for steps, after in quick:
        reached = state
        for step in steps:
            reached = GAME.apply(reached, step)
        assert reached == after
        assert GAME.parse(state, GAME.format(state, steps)) == steps


def test_made_up_positions_hold_what_is_rare() -> None:
    """The comparison is worth something only if the special rules come up in it."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        state = GAME.decode(made_up(Random(seed)))
        for steps, _ in GAME.turns(state) if state.dice else ():
            text = GAME.format(state, steps)
            seen["pair"] += "+" in text
            seen["pair from the bar"] += "+" in text and "bar" in text
            seen["pair in doubles"] += "+" in text and len(set(state.roll or ())) == 1
            seen["pair with the general back"] += any(
                step.second
                and ((step.stone, step.point > step.source) == ("K", True) or step.second_source < step.point)
                for step in steps
            )
            seen["trap"] += "^" in text
            seen["hit"] += "*" in text
            seen["off"] += "off" in text
            seen["one die only"] += len(steps) == 1 and len(state.dice) == 2 and "+" not in text
            seen["pass"] += text == "pass"
    assert min(seen.values()) > 0, seen
    assert len(seen) == 9


@pytest.mark.parametrize("roll", [31, 42, 22, 66])
def test_from_the_start(roll: int) -> None:
    same(GAME.decode(f"ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:-1:{roll}:0:0:0:0:10"))
