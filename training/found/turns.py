"""Findings from single decisions of Abak: the order of moves, traps, mistakes of weak levels, exchanged stones."""

import random
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.ai.abak.columns import BURIED, FULL, GUARD, GUARDS, RUN, SEEN, STONES, TOP, WIDTH
from engine.ai.choice import choose
from engine.ai.contract import Candidate
from engine.ai.players import player
from engine.ai.points import PointsPlayer
from engine.core.game import CHANCE
from engine.games.abak import GAME, Choice, State
from engine.games.abak.board import letters, seen_from
from engine.games.abak.moves import Step
from training.found.games import FIELD, NETWORK_LEVEL, digest, held
from training.found.store import Job, Result

LEVELS: Final = (1, 3, 5)
WRONG: Final = 0.05
"""A turn that loses so many points or more is a mistake."""
GAPS: Final = (0.01, 0.05, 0.1, 0.2)
"""The least loss of an order of the same moves that is counted."""
KINDS: Final = (
    "enemy stones sent back",
    "prisoners",
    "blots",
    "own stones with a class under own stones",
    "stones on 19-24",
    "blocking points",
    "full points",
)
"""The things that are counted after a turn."""
ZONES: Final = ((1, 6), (7, 12), (13, 18), (19, 24))
"""By own points: the own home, the two halves of the midfield, the other home."""
SPECIAL: Final = "GKDEO"
EACH: Final = 5
"""Stones change places in every fifth position."""
LONGEST: Final = 600
PAIRS: Final = len(ZONES) ** 2


@cache
def machine(level: int) -> PointsPlayer[State, Choice]:
    found = player(GAME, level)
    assert isinstance(found, PointsPlayer)
    return found


def moves_of(steps: Sequence[Choice]) -> tuple[tuple[int, int], ...]:
    """From where to where the turn goes, whatever the order."""
    found: list[tuple[int, int]] = []
    for step in steps:
        if isinstance(step, Step):
            found.append((step.source, step.point))
            if step.second:
                found.append((step.second_source, step.point))
    return tuple(sorted(found))


def kinds(positions: NDArray[Any]) -> NDArray[Any]:
    """Returns counts of the side that has moved, a row for each. A row of ``positions`` is a position."""
    seen = SEEN[positions[:, :24]]
    field = WIDTH
    run = seen >> RUN + field & FIELD
    top = seen >> TOP + field & FIELD
    on = seen >> STONES + field & FIELD
    buried = (seen >> GUARDS + field & 3) + sum((seen >> BURIED + number + field & 1) for number in range(4))
    own_columns = run > 0
    lone_guard = (run == 1) & (top == GUARD)
    return np.stack(
        [
            positions[:, 24:30].sum(1),
            held(positions, 0)[2],
            ((run == 1) & ~lone_guard).sum(1),
            (buried * own_columns).sum(1),
            on[:, :6].sum(1),
            ((run > 1) | lone_guard).sum(1),
            ((seen >> FULL & 1) * own_columns).sum(1),
        ]
    )


def swaps(state: State, mover: int, luck: random.Random) -> tuple[list[State], list[tuple[int, int, int]]]:
    """The position with a special stone of the side that has moved in the place of a soldier in another part of the
    board, and the soldier in its place; both lie on top. Of each: the class, its part before and after.
    """
    own = letters(mover)
    columns = seen_from(state.columns, mover)
    tops: list[list[int]] = [[] for _ in ZONES]
    special: list[tuple[int, int, int]] = []
    for zone, (low, high) in enumerate(ZONES):
        for point in range(low, high + 1):
            top = columns[point][-1:]
            if top and top in own:
                if top in "Ss":
                    tops[zone].append(point)
                elif top.upper() in SPECIAL:
                    special.append((SPECIAL.index(top.upper()), zone, point))
    states: list[State] = []
    keys: list[tuple[int, int, int]] = []
    for kind, zone, point in special:
        for other, points in enumerate(tops):
            if other != zone and points:
                place = luck.choice(points)
                changed = list(columns)
                changed[point] = columns[point][:-1] + columns[place][-1]
                changed[place] = columns[place][:-1] + columns[point][-1]
                states.append(state._replace(columns=seen_from(tuple(changed), mover)))
                keys.append((kind, zone, other))
    return states, keys


class Sums:
    """The sums over decisions."""

    def __init__(self) -> None:
        self.decisions = self.general_back = self.pair_captures = 0
        self.orders = [0] * (1 + len(GAPS))
        """Decisions with another order of the best moves, and those in which the worst loses so much (``GAPS``)."""
        self.traps = [0, 0.0]
        """How often a trap is best, and what the best turn without one loses."""
        self.levels = {level: [0, 0.0, 0, 0.0, *[0] * (2 * len(KINDS)), 0] for level in LEVELS}
        """Decisions, loss, mistakes, their loss; mistakes that leave more and fewer of each kind; the order alone."""
        self.swaps = np.zeros((2, len(SPECIAL), PAIRS))

    def order(self, found: Sequence[Candidate[Choice]]) -> None:
        """Adds what the order of the best moves is worth."""
        best = moves_of(found[0].steps)
        others = [each.value for each in found[1:] if moves_of(each.steps) == best]
        if others:
            self.orders[0] += 1
            gap = found[0].value - min(others)
            for number, least in enumerate(GAPS):
                self.orders[1 + number] += gap >= least

    def mistakes(self, level: int, best: int, chosen: int, loss: float, *, counts: NDArray[Any], alike: bool) -> None:
        """Adds the choice of a level."""
        sums = self.levels[level]
        sums[0] += 1
        sums[1] += loss
        if loss >= WRONG:
            sums[2] += 1
            sums[3] += loss
            for number in range(len(KINDS)):
                sums[4 + 2 * number] += int(counts[number, chosen] > counts[number, best])
                sums[5 + 2 * number] += int(counts[number, chosen] < counts[number, best])
            sums[-1] += alike

    def result(self) -> Result:
        return {
            "decisions": self.decisions,
            "general_back": self.general_back,
            "pair_captures": self.pair_captures,
            "orders": self.orders,
            "traps": [self.traps[0], round(self.traps[1], 4)],
            "levels": {level: [round(each, 4) for each in sums] for level, sums in self.levels.items()},
            "swaps": [self.swaps[0].astype(int).tolist(), self.swaps[1].round(4).tolist()],
        }


def decide(state: State, seed: str, sums: Sums, luck: random.Random) -> State:
    """Adds a decision of contact, and plays the best turn."""
    strong = machine(NETWORK_LEVEL)
    afters = dict(GAME.turns(state))
    found = strong.candidates(state)
    best = afters[found[0].steps]
    if len(found) == 1 or GAME.to_act(best) is None or strong.is_race(state):
        return best
    sums.decisions += 1
    steps = [step for step in found[0].steps if isinstance(step, Step)]
    sums.general_back += any(step.point > step.source for step in steps)
    sums.pair_captures += any(step.second for step in steps)
    sums.order(found)
    running = [each for each in found if GAME.to_act(afters[each.steps]) is not None]
    counts = kinds(strong.positions([afters[each.steps] for each in running]).T)
    trapped = counts[1] > _prisoners(state)
    if trapped[0] and not trapped.all():
        sums.traps[0] += 1
        sums.traps[1] += running[0].value - running[int(np.argmin(trapped))].value
    weak = machine(LEVELS[0]).candidates(state)
    places = {each.steps: number for number, each in enumerate(running)}
    for level in LEVELS:
        chosen = choose(machine(level), state, weak, seed)
        if chosen.steps in places:
            place = places[chosen.steps]
            alike = moves_of(chosen.steps) == moves_of(running[0].steps)
            loss = running[0].value - running[place].value
            sums.mistakes(level, 0, place, loss, counts=counts, alike=alike)
    if sums.decisions % EACH == 0:
        states, keys = swaps(best, state.turn, luck)
        if states:
            worth = -_equities(strong, [best, *states])
            for (kind, zone, other), value in zip(keys, worth[1:], strict=True):
                sums.swaps[0, kind, zone * len(ZONES) + other] += 1
                sums.swaps[1, kind, zone * len(ZONES) + other] += value - worth[0]
    return best


def _prisoners(state: State) -> int:
    """The stones that the side to move holds."""
    own = letters(state.turn)
    return sum(sum(stone not in own for stone in each) for each in state.columns if each and each[-1] in own)


def _equities(strong: PointsPlayer[State, Choice], states: Sequence[State]) -> NDArray[Any]:
    """Returns what the side to roll can expect."""
    win, gammon, gammoned, backgammon, backgammoned = strong.networks.chances(strong.positions(states))
    found: NDArray[Any] = 2 * win - 1 + gammon - gammoned + backgammon - backgammoned
    return found


def decisions(seed: int, games: int) -> Result:
    """Decisions of games that the networks play."""
    sums = Sums()
    for number in range(games):
        luck = random.Random(f"{seed} {number}")
        state = GAME.start(GAME.settle_options({}))
        for turn in range(LONGEST):
            rolls = GAME.legal(state)
            rolled = GAME.apply(state, luck.choices(rolls, [GAME.weight(state, roll) for roll in rolls])[0])
            if GAME.to_act(rolled) == CHANCE:
                continue  # equal dice in the opening
            state = decide(rolled, f"{seed} {number} {turn}", sums, luck)
            if GAME.to_act(state) is None:
                break
    return sums.result()


def jobs(seed: int, *, quick: bool) -> Iterator[Job]:
    luck = random.Random(seed)
    games, rounds = (1, 4) if quick else (3, 20)
    for number in range(rounds):
        yield Job("turns", f"turns {number}", partial(decisions, luck.randrange(1 << 30), games), digest(GAME.key))
