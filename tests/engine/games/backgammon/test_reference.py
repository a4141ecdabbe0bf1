"""The fast turns against a plain reading of the rules: lists of counts, every order of the dice, nothing clever."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness.thinning import one_of

from engine.core.game import CHANCE, walk_turns
from engine.games.backgammon import GAME, State, board
from engine.kits.dice import ROLLS, dice_of
from engine.kits.xgid import NO_MATCH

PERFT = Path(__file__).parents[3] / "perft" / "backgammon-1.perft"
LAYOUTS = tuple(board.LAYOUTS)

Side = tuple[int, ...]
"""26 counts by own point: 0 borne off, 25 on the bar."""


def plain_moves(own: Side, other: Side, die: int) -> Iterator[tuple[Side, Side]]:
    """Yields both sides after each move of one die."""
    for source in range(1, 26):
        if not own[source] or (own[25] and source != 25):
            continue
        target = source - die
        mine, theirs = list(own), list(other)
        mine[source] -= 1
        if target > 0:
            if other[25 - target] > 1:
                continue
            if other[25 - target] == 1:
                theirs[25 - target] = 0
                theirs[25] += 1
            mine[target] += 1
        else:
            home = not any(own[7:])
            if not home or (target < 0 and any(own[source + 1 :])):
                continue
            mine[0] += 1
        yield tuple(mine), tuple(theirs)


def plain_turns(own: Side, other: Side, dice: tuple[int, ...]) -> set[tuple[Side, Side]]:
    """Returns both sides after each whole turn; the position itself if no die can be played."""
    ends: dict[int, set[tuple[Side, Side]]] = {}
    begun: dict[int, set[tuple[Side, Side]]] = {}

    def play(mine: Side, theirs: Side, left: tuple[int, ...], played: tuple[int, ...]) -> None:
        ends.setdefault(len(played), set()).add((mine, theirs))
        if len(played) == 1:
            begun.setdefault(played[0], set()).add((mine, theirs))
        for at, die in enumerate(left):
            for after in plain_moves(mine, theirs, die):
                play(*after, left[:at] + left[at + 1 :], (*played, die))

    play(own, other, dice, ())
    most = max(ends)
    if most == 1 and len(set(dice)) == 2:
        return begun.get(max(dice)) or begun[min(dice)]
    return ends[most]


def sides_of(state: State) -> tuple[Side, Side]:
    own, other = board.sides(state)
    return board.unpack(own), board.unpack(other)


def fast(state: State) -> set[tuple[Side, Side]]:
    """Returns the same from the game, as the side that moved sees it."""
    turns = GAME.turns(state)
    found = {tuple(reversed(sides_of(after))) for _, after in turns}
    assert len(found) == len(turns), "a position is listed twice"
    return found


def scattered(luck: random.Random) -> State:
    """Returns a made-up position with a roll: few or many checkers, bars, homes and outfields in all mixtures."""
    while True:
        own, other = [0] * 26, [0] * 26
        reach = luck.choice((6, 6, 9, 12, 24))
        for _ in range(luck.choice((1, 2, 3, 5, 9, 15))):
            own[25 if luck.random() < 0.08 else luck.randint(1, reach)] += 1
        for _ in range(luck.choice((1, 3, 6, 10, 15))):
            point = luck.randint(1, 25)
            if point == 25 or not own[25 - point]:
                other[point] += 1
        if any(other):
            seat = luck.randint(0, 1)
            white, black = (own, other) if seat == 0 else (other, own)
            return board.placed(white, black, 15, seat, luck.choice(ROLLS), NO_MATCH)


@one_of("seed", range(8))
def test_turns_of_made_up_positions(seed: int) -> None:
    luck = random.Random(seed)
    for _ in range(100):
        state = scattered(luck)
        if state.roll is not None:
            assert fast(state) == plain_turns(*sides_of(state), state.dice), GAME.encode(state)


@one_of("layout", LAYOUTS)
def test_turns_along_played_games(layout: str) -> None:
    luck = random.Random(layout)
    for _ in range(4):
        state = GAME.start({"layout": layout})
        while GAME.to_act(state) is not None:
            if state.roll is not None and state.dice == dice_of(state.roll) and luck.random() < 0.3:
                assert fast(state) == plain_turns(*sides_of(state), state.dice), GAME.encode(state)
            state = GAME.apply(state, luck.choice(GAME.legal(state)))


@one_of("seed", range(4))
def test_turns_are_what_single_steps_lead_to(seed: int) -> None:
    luck = random.Random(seed)
    for _ in range(60):
        state = scattered(luck)
        while GAME.to_act(state) == state.turn and state.dice:
            assert {after for _, after in GAME.turns(state)} == {after for _, after in walk_turns(GAME, state)}
            for steps, after in GAME.turns(state):
                at = state
                for step in steps:
                    assert step in GAME.legal(at)
                    at = GAME.apply(at, step)
                assert at == after
            state = GAME.apply(state, luck.choice(GAME.legal(state)))


def test_luck_is_listed_like_turns() -> None:
    opening = GAME.start({"layout": "standard"})
    assert GAME.to_act(opening) == CHANCE
    assert len(GAME.turns(opening)) == 30  # each side starts with 15 rolls; equal dice lead nowhere
    state = GAME.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert len(GAME.turns(state)) == 21


@cache
def plain_perft(own: Side, other: Side, depth: int) -> int:
    """Leaves of ``depth`` turns; a finished game is not gone on with."""
    if depth == 0:
        return 1
    if sum(own[1:]) == 0 or sum(other[1:]) == 0:
        return 0
    total = 0
    for roll in ROLLS:
        ends = plain_turns(own, other, dice_of(roll))
        total += len(ends) if depth == 1 else sum(plain_perft(theirs, mine, depth - 1) for mine, theirs in ends)
    return total


def test_the_perft_file_by_the_plain_reading() -> None:
    position, checked = "", 0
    for line in PERFT.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "position":
            position = rest
        elif word == "perft":
            depth, count = map(int, rest.split())
            if count < 5_000:
                assert plain_perft(*sides_of(GAME.decode(position)), depth) == count, position
                checked += 1
    assert checked > 5
