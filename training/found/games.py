"""Findings from games between the networks of a game: openings, results, prisoners, sides that lack a class.

Nothing here is compiled before it is first asked.
"""

import hashlib
import random
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.ai.abak.columns import BASE, BURIED, GUARDS, OTHER, RUN, SEEN, STONES, UNIQUE, WIDTH
from engine.ai.players import player
from engine.ai.points import PointsPlayer
from engine.games.abak import GAME
from engine.games.abak.board import CLASSES, start
from training.found.store import Job, Result

HORIZON: Final = 12
"""After so many turns of an opening the networks estimate the rest."""
STRATA: Final = tuple(product(range(1, 7), repeat=2))
"""The rolls, each as often as it comes."""
CANDIDATES: Final = 4
MARGIN: Final = 0.1
"""An opening that seems to lose more than so many points is not played out."""
FIRST: Final = tuple(roll for roll in STRATA if roll[0] > roll[1])
DOUBLES: Final = tuple((die, die) for die in range(1, 7))
NETWORK_LEVEL: Final = 7
FIELD: Final = 7
"""The mask of a field of three bits of ``SEEN``."""
LEADS: Final = 9
STEP: Final = 30
"""Positions are compared with others in which the lead differs by less than so many pips."""
PRISONERS: Final = (
    "none",
    "holds it under a lone druid",
    "holds it covered",
    "held under a lone druid",
    "held covered",
)
"""The prisoners that the side to roll holds, and its own that are held; then the classes of both."""
CATEGORIES: Final = len(PRISONERS) + 2 * len(CLASSES)
ABSENT: Final = {"G": 12, "K": 5, "D": 23, "E": 23, "O": 22}
"""The column, from 0, in which a class stands at the start; of the guards the one on 13."""


class Table(NamedTuple):
    """The means to play: compiled games, and the networks."""

    rules: Any
    play: Any
    nets: Any
    begin: NDArray[Any]
    seen: NDArray[Any]


def networks(key: str) -> Traversable:
    """The file of the networks of a game."""
    return resources.files(f"engine.ai.{key}").joinpath("networks.npz")


def digest(key: str) -> str:
    """The SHA-256 of this file."""
    return hashlib.sha256(networks(key).read_bytes()).hexdigest()


@cache
def table(key: str) -> Table:
    from training.fast.learning import learner
    from training.fast.plays import plays, seen_by

    rules = import_module(f"training.fast.{key}")
    with networks(key).open("rb") as file, np.load(file) as kept:
        nets = tuple(
            np.ascontiguousarray(kept[name].astype(np.float32))
            for name in ("first", "first_bias", "second", "second_bias")
        )
    begin = np.zeros(rules.SIZE, rules.NUMBERS)
    if key == "abak":
        begin[:] = rules.START
    else:
        begin[:] = np.concatenate([rules.LAYOUTS[0], rules.LAYOUTS[0]])
    return Table(rules, plays(rules, learner(rules)[1]), nets, begin, seen_by(rules))


def first_rolls(number: int) -> NDArray[Any]:
    """The opening roll of the game with this number: each comes as often as another, or once more."""
    return np.array([FIRST[number % len(FIRST)]])


# --- openings -----------------------------------------------------------------------------------------------------


def openings(roll: tuple[int, int]) -> dict[str, NDArray[Any]]:
    """The positions that the side to roll next finds after the turns that seem best from the start, by their texts."""
    state = start()._replace(opening=False, roll=roll, dice=roll if roll[0] != roll[1] else roll * 2)
    machine = player(GAME, NETWORK_LEVEL)
    assert isinstance(machine, PointsPlayer)
    afters = dict(GAME.turns(state))
    found = machine.candidates(state)
    near = [each for each in found[:CANDIDATES] if found[0].value - each.value <= MARGIN]
    return {
        GAME.format(state, each.steps): machine.positions([afters[each.steps]])[:, 0].astype(np.int32) for each in near
    }


def opening(roll: tuple[int, int], seed: int, count: int) -> Result:
    """The points of each turn for the side that plays it, over so many continuations with the same dice.

    Each block of 36 continuations has every next roll once; of each block the mean is kept.
    """
    at = table("abak")
    found: dict[str, list[float]] = {}
    for text, position in openings(roll).items():
        points = np.zeros(count)
        for number in range(count):
            rolls = np.array([STRATA[number % 36], STRATA[number // 36 % 36]])
            points[number] = -at.play(position, seed + number, HORIZON, rolls, at.nets, at.seen)[1]
        found[text] = points.reshape(-1, len(STRATA)).mean(1).round(3).tolist()
    return {"roll": [*roll], "count": count, "points": found}


# --- games --------------------------------------------------------------------------------------------------------


def held(positions: NDArray[Any], role: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The stones of a side (0 rolls) under the other's: their number by class, in columns with a single stone on top,
    and in all.
    """
    seen = SEEN[positions[:, :24]]
    own, other = WIDTH * role, WIDTH * (1 - role)
    under = (seen >> STONES + own & FIELD) * ((seen >> RUN + other & FIELD) > 0)
    by_class = np.zeros((len(CLASSES), len(positions)), np.int64)
    there = under > 0
    by_class[1] = ((seen >> GUARDS + own & 3) * there).sum(1)
    for number, unique in enumerate(UNIQUE):
        by_class[unique - 1] = ((seen >> BURIED + number + own & 1) * there).sum(1)
    total = under.sum(1)
    by_class[0] = total - by_class.sum(0)
    lone = (under * ((seen >> RUN + other & FIELD) == 1)).sum(1)
    return by_class, lone, total


def pips(positions: NDArray[Any], role: int) -> NDArray[Any]:
    """The pips of a side."""
    seen = SEEN[positions[:, :24]] >> STONES + WIDTH * role & FIELD
    points = np.arange(24, 0, -1) if role else np.arange(1, 25)
    bar = positions[:, 24 + OTHER * role : 24 + OTHER * (1 + role)].sum(1)
    found: NDArray[Any] = (seen * points).sum(1) + 25 * bar
    return found


def categories(positions: NDArray[Any]) -> NDArray[Any]:
    """To which categories the positions belong, a row each: nobody holds a prisoner, or one side holds one."""
    found = np.zeros((CATEGORIES, len(positions)), bool)
    theirs, theirs_lone, theirs_all = held(positions, 1)
    mine, mine_lone, mine_all = held(positions, 0)
    quiet = (positions[:, 24:] == 0).all(1)
    found[0] = quiet & (theirs_all == 0) & (mine_all == 0)
    for at, those, lone, whole, rest in (
        (1, theirs, theirs_lone, theirs_all, mine_all),
        (3, mine, mine_lone, mine_all, theirs_all),
    ):
        one = quiet & (whole == 1) & (rest == 0)
        found[at] = one & (lone == 1)
        found[at + 1] = one & (lone == 0)
        begin = len(PRISONERS) + (0 if at == 1 else len(CLASSES))
        found[begin : begin + len(CLASSES)] = one & (those == 1)
    return found


def changes(positions: NDArray[Any]) -> tuple[int, int]:
    """The turns with a hit, and those with a trap, in the course of a game."""

    def more(own: NDArray[Any], other: NDArray[Any]) -> int:
        return int((own[1:] > other[:-1]).sum())  # what is the other's before a turn is its own before the next

    hit = more(positions[:, 24:30].sum(1), positions[:, 30:36].sum(1))
    return hit, more(held(positions, 0)[2], held(positions, 1)[2])


def many(key: str, seed: int, count: int) -> Result:
    """Plays whole games from the start; in Abak counts what becomes of positions with and without prisoners."""
    at = table(key)
    results, turns, hits, traps = [0] * 7, 0, 0, 0
    sums = np.zeros((2, CATEGORIES, LEADS))
    for number in range(count):
        length, points, _ = at.play(at.begin, seed + number, len(at.seen), first_rolls(number), at.nets, at.seen)
        results[round(points) + 3] += 1
        turns += length
        if key == "abak":
            positions = at.seen[:length].copy()
            more = changes(positions)
            hits, traps = hits + more[0], traps + more[1]
            lead = pips(positions, 1) - pips(positions, 0)
            bins = np.clip((lead + STEP * LEADS // 2) // STEP, 0, LEADS - 1)
            worth = np.where(np.arange(length) % 2 == 0, points, -points)
            for category, there in enumerate(categories(positions)):
                np.add.at(sums[0, category], bins[there], 1)
                np.add.at(sums[1, category], bins[there], worth[there])
    found: Result = {"count": count, "results": results, "turns": turns}
    if key == "abak":
        found |= {"hits": hits, "traps": traps, "prisoners": sums.astype(int).tolist()}
    return found


def lacking(stone: str, seed: int, count: int) -> Result:
    """Plays whole games in which one side has a soldier in place of a stone; in every second game the one that begins.

    Both games of a pair have the same first roll. Counts the games by the points that this side won.
    """
    at = table("abak")
    column = ABSENT[stone]
    begin = at.begin.copy()
    stones = [int(begin[column]) // BASE**depth % BASE for depth in range(5)]
    number_of = CLASSES.index(stone[0]) + 1
    stones[stones.index(number_of)] = 1
    begin[column] = sum(each * BASE**depth for depth, each in enumerate(stones))
    turned = at.begin.copy()
    turned[23 - column] = at.rules.TURNED[begin[column]]
    results = [0] * 7
    for number in range(count):
        second = number % 2
        points = at.play(
            turned if second else begin, seed + number, len(at.seen), first_rolls(number // 2), at.nets, at.seen
        )[1]
        results[round(-points if second else points) + 3] += 1
    return {"stone": stone, "count": count, "results": results}


def jobs(seed: int, *, quick: bool) -> Iterator[Job]:
    """The openings, and then rounds in which each part gets more games."""
    luck = random.Random(seed)
    trials, count, rounds = (2 * len(STRATA), 10, 2) if quick else (len(STRATA) ** 2, 200, 20)
    weights = {key: digest(key) for key in ("abak", "backgammon")}
    for roll in (*FIRST, *DOUBLES):
        do = partial(opening, roll, luck.randrange(1 << 30), trials)
        yield Job("opening", f"opening {roll[0]}-{roll[1]}", do, weights["abak"])
    for number in range(rounds):
        for key, made in weights.items():
            yield Job(key, f"{key} {number}", partial(many, key, luck.randrange(1 << 30), count), made)
        for stone in ABSENT:
            do = partial(lacking, stone, luck.randrange(1 << 30), count // 2)
            yield Job("lacking", f"lacking {stone} {number}", do, weights["abak"])
