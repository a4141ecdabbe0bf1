"""Laws of machine players, for every game and for one that has no player of its own."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from fakes.toy import Nim
from harness.examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ai.choice import choose
from engine.ai.contract import REPEATED, Candidate
from engine.ai.levels import DEFAULT, LEVELS
from engine.ai.players import player
from engine.core.game import CHANCE, Game
from engine.core.search import walk
from engine.registry import GAMES

EVERY = [*GAMES.values(), Nim()]
every_game = pytest.mark.parametrize("game", EVERY, ids=lambda game: game.key)
seeds = st.integers(0, 2**32)
CALLS = 60


def soon(calls: int = CALLS) -> Callable[[], bool]:
    """Returns a limit that is reached after so many questions."""
    left = iter(range(calls))
    return lambda: next(left, None) is None


def at_turn_start(game: Game[Any, Any], seed: int, count: int = 3) -> Iterator[Any]:
    """Yields some states of a random game at which a seat begins its turn; with the cube, where there is one."""
    luck = random.Random(seed)
    cube = luck.choice(["on", "off"])
    options = game.settle_options({"cube": cube} if any(option.key == "cube" for option in game.options) else {})
    found = []
    before = None
    for state, _ in walk(game, game.start(options), lambda steps, weights: luck.choices(steps, weights)[0], 300):
        actor = game.to_act(state)
        if actor not in {CHANCE, before}:
            found.append(state)
        before = actor
    yield from luck.sample(found, min(count, len(found)))


@every_game
@examples(2)
@given(seed=seeds, level=st.sampled_from(LEVELS))
def test_candidates_are_whole_legal_turns_and_the_best_comes_first(game: Game[Any, Any], seed: int, level: int) -> None:
    machine = player(game, level)
    for state in at_turn_start(game, seed):
        seat = game.to_act(state)
        found = machine.candidates(state, soon())
        assert found
        assert all(one.value >= other.value for one, other in pairwise(found))
        assert len({candidate.steps for candidate in found}) == len(found)
        for candidate in found:
            after = state
            for step in candidate.steps:
                assert game.to_act(after) == seat
                assert step in game.legal(after)
                after = game.apply(after, step)
            assert game.to_act(after) != seat or after == game.apply(state, candidate.steps[0])
            assert game.parse(state, game.format(state, candidate.steps))
        points = machine.resign(state, found[0].value)
        assert points is None or points in game.resign_values(state, seat)
        assert isinstance(machine.accept_draw(state, found[0].value), bool)


@every_game
@settings(max_examples=3, derandomize=True)
@given(seed=seeds, level=st.sampled_from(LEVELS))
def test_seed_and_position_decide_what_is_played(game: Game[Any, Any], seed: int, level: int) -> None:
    for state in at_turn_start(game, seed, count=1):
        chosen = set()
        for _ in range(2):
            machine = player(game, level)
            found = machine.candidates(state, soon())
            chosen.add(choose(machine, state, found, "seed").steps)
            assert chosen <= {candidate.steps for candidate in found}
        assert len(chosen) == 1


@every_game
def test_a_level_above_the_highest_plays_like_the_highest(game: Game[Any, Any]) -> None:
    highest = len(player(game, 1).temperatures)
    assert DEFAULT in LEVELS
    assert [player(game, level).level for level in LEVELS] == [min(level, highest) for level in LEVELS]


@pytest.mark.parametrize("dice", ["yes", "no"])
@pytest.mark.parametrize("level", [1, 5])
def test_a_game_without_a_player_of_its_own_is_played_to_the_end(dice: str, level: int) -> None:
    game = Nim()
    machine = player(game, level)
    luck = random.Random(level)
    state = game.start(game.settle_options({"heap": 15, "dice": dice}))
    while game.to_act(state) is not None:
        if game.to_act(state) == CHANCE:
            rolls = game.legal(state)
            state = game.apply(state, luck.choices(rolls, [game.weight(state, roll) for roll in rolls])[0])
        else:
            chosen: Candidate[int] = choose(machine, state, machine.candidates(state), "0")
            state = game.apply(state, chosen.steps[0])
    assert game.outcome(state) is not None


def test_the_general_player_takes_a_win() -> None:
    game = Nim()
    best = player(game, 1).candidates(game.decode("3:1:0:0"))[0]
    assert (best.steps, best.value) == ((3,), 1.0)


def test_the_general_player_plays_games_whose_turns_cannot_be_listed() -> None:
    from engine.ai.general import General

    game = GAMES["apb"]
    state = game.start(game.settle_options({}))
    found = General(game, 1).candidates(state, soon(200))
    assert found
    for candidate in found:
        after = state
        for step in candidate.steps:
            after = game.apply(after, step)
        assert game.to_act(after) != game.to_act(state)


@pytest.mark.parametrize("key", ["abalone", "apb"])
@pytest.mark.parametrize("level", [1, 3])
def test_a_turn_to_an_earlier_position_is_worth_less_than_a_draw(key: str, level: int) -> None:
    game = GAMES[key]
    machine = player(game, level)
    state = game.start(game.settle_options({}))
    best = machine.candidates(state)[0]
    after = state
    for step in best.steps:
        after = game.apply(after, step)
    found = machine.candidates(state, earlier=frozenset({after}))
    assert found[0].value > REPEATED
    (value,) = [candidate.value for candidate in found if candidate.steps == best.steps]
    assert value <= REPEATED + 0.01
