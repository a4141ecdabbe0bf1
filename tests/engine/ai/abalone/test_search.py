"""The machine's moves in Abalone where it is known what is right."""

import random

import pytest
from harness.abalone import calls_until, positions
from harness.thinning import one_of

from engine.ai.abalone import AbalonePlayer
from engine.ai.abalone.evaluation import can_eject
from engine.ai.abalone.search import Search
from engine.ai.choice import choose
from engine.games.abalone import GAME, State
from engine.games.abalone.board import NAMES
from engine.games.abalone.moves import after, plays

LEVELS = range(1, len(AbalonePlayer.temperatures) + 1)


def test_ejections_are_seen_without_a_list_of_moves() -> None:
    found = []
    for state in positions(1, games=40):
        mine, theirs = (state.white, state.black) if state.turn else (state.black, state.white)
        found.append(any(play.ejects for play in plays(state)))
        assert can_eject(mine, theirs) == found[-1], GAME.encode(state)
    assert 100 < sum(found) < len(found) - 100


def exchanged(state: State) -> State:
    """Returns the same position with the colours exchanged."""
    return State(state.white, state.black, 1 - state.turn, (state.ejected[1], state.ejected[0]), state.target)


def test_both_colours_are_played_alike() -> None:
    for place, state in enumerate(positions(2, games=4, plies=20)):
        machine = AbalonePlayer(GAME, 1 + place % 3)
        assert machine.candidates(state) == machine.candidates(exchanged(state)), GAME.encode(state)


@pytest.mark.parametrize("level", LEVELS)
def test_the_last_ejection_is_played(level: int) -> None:
    found = [state for state in positions(3, games=20) if any(play.ejects for play in plays(state))]
    for state in random.Random(level).sample(found, 10):
        last = state._replace(ejected=(2, 2), target=3)
        machine = AbalonePlayer(GAME, level)
        best = machine.candidates(last)[0]
        assert best.value > 0.99
        assert GAME.to_act(GAME.apply(last, best.steps[0])) is None


@pytest.mark.parametrize("calls", [0, 1, 50, 200])
def test_the_search_ends_at_its_limit_with_all_moves(calls: int) -> None:
    for state in positions(4, games=2, plies=10):
        limit, asked = calls_until(calls)
        found = Search(state, limit).ranked(20, 0)
        assert asked[0] == calls + 1
        assert {play.step for _, play in found} == {*GAME.legal(state)}


@one_of("level", LEVELS)
def test_the_last_marble_is_not_left_to_be_ejected(level: int) -> None:
    machine = AbalonePlayer(GAME, level)
    threatened = 0
    for state in random.Random(level).sample([*positions(5, games=20)], 40):
        last = state._replace(ejected=(0, 2) if state.turn == 0 else (2, 0), target=3)
        ends = {play.step: after(last, play) for play in plays(last)}
        safe = {step for step, end in ends.items() if not any(reply.ejects for reply in plays(end))}
        threatened += 0 < len(safe) < len(ends)
        assert not safe or machine.candidates(last)[0].steps[0] in safe, GAME.encode(last)
    assert threatened > 10


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("seat", [0, 1])
def test_won_games_are_finished(level: int, seat: int) -> None:
    """Three marbles more are enough against one that plays at random."""
    luck = random.Random(level)
    ejected = (4, 1) if seat == 0 else (1, 4)
    state = GAME.start(GAME.settle_options({}))._replace(ejected=ejected)
    machine = AbalonePlayer(GAME, level)
    for _ in range(200):
        if GAME.to_act(state) is None:
            break
        mine = state.turn == seat
        state = GAME.apply(
            state,
            choose(machine, state, machine.candidates(state), "0").steps[0] if mine else luck.choice(GAME.legal(state)),
        )
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == seat


def ahead(seed: int) -> State:
    """Returns a layout in which Black has already ejected four marbles."""
    luck = random.Random(seed)
    layout = luck.choice(["standard", "belgian-daisy", "german-daisy", "the-wall"])
    state = GAME.start(GAME.settle_options({"layout": layout}))
    gone = sum(luck.sample([bit for bit in NAMES if state.white & bit], 4))
    return state._replace(white=state.white ^ gone, ejected=(4, 0))


@pytest.mark.parametrize(("level", "seed"), [(5, 2), (8, 3)])
def test_a_decisive_lead_is_won_and_not_repeated_into_a_draw(level: int, seed: int) -> None:
    """Without regard to earlier positions, the first game is drawn."""
    seats = AbalonePlayer(GAME, level), AbalonePlayer(GAME, 5)
    state, history = ahead(seed), []
    while GAME.to_act(state) is not None:
        history.append(state)
        assert GAME.outcome_by_history(history, GAME.settle_options({})) is None
        assert len(history) < 300
        machine = seats[state.turn]
        found = machine.candidates(state, earlier=frozenset(history))
        state = GAME.apply(state, choose(machine, state, found, str(seed)).steps[0])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == 0


@pytest.mark.parametrize("seed", ["7", "8"])
def test_a_long_quiet_ends_with_an_ejection(seed: str) -> None:
    """From a game of levels 2 and 6. Looking one move ahead all the time, nobody ejects anything for 300 turns here."""
    state = GAME.decode("3w1/w1ww2/1w1w3/4bb2/1bb1bbb2/1bbb4/2bb2w/w1b1w1/5 b 5 1")
    seats = AbalonePlayer(GAME, 3), AbalonePlayer(GAME, 2)
    ejected = state.ejected
    history: list[State] = []
    while state.ejected == ejected:
        history.append(state)
        assert len(history) < 150
        machine = seats[state.turn]
        found = machine.candidates(state, earlier=frozenset(history))
        state = GAME.apply(state, choose(machine, state, found, seed).steps[0])
    assert state.ejected == (6, 1)
