"""Tests the weights that were learnt from games of APB."""

import random
from collections.abc import Iterator

from engine.ai.apb.experience import EDGE, RIM, evaluate
from engine.games.apb import GAME, State
from engine.games.apb.moves import is_over, legal


def positions(seed: int, games: int) -> Iterator[State]:
    """Positions at the beginning of turns in random games that are not over."""
    luck = random.Random(seed)
    for _ in range(games):
        state = GAME.start(GAME.settle_options({}))
        while not is_over(state):
            if not state.done:
                yield state
            state = GAME.apply(state, luck.choice(legal(state)))


def exchanged(state: State) -> State:
    """Returns the same position with the sides exchanged."""
    (white, black), (first, second), turn, done = state
    return State((black, white), (second, first), 1 - turn, done)


def test_both_sides_are_judged_alike() -> None:
    for state in positions(1, games=40):
        assert evaluate(state) == evaluate(exchanged(state)), GAME.encode(state)


def test_the_rings_of_the_board() -> None:
    assert (EDGE.bit_count(), RIM.bit_count(), EDGE & RIM) == (38, 30, 0)


def at(text: str) -> int:
    return evaluate(GAME.decode(text))


def test_more_pieces_are_better_and_near_the_edge_they_are_worth_less() -> None:
    """White has just moved."""
    start = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 b -"
    fewer = "9/3sss3/3sps3/3ss4/9/9/9/9/3SSS3/3SPS3/3SSS3/9 b -"
    own_fewer = "9/3sss3/3sps3/3sss3/9/9/9/9/3SS4/3SPS3/3SSS3/9 b -"
    outside = "9/3sss3/3sps3/3sss3/9/9/9/8S/3SS4/3SPS3/3SSS3/9 b -"
    assert at(own_fewer) < at(outside) < at(start) < at(fewer)


def test_a_piece_that_the_other_principal_can_knock_off_is_nearly_lost() -> None:
    """A white piece on a line of Black's principal with nothing else on it, and one that is on no such line."""
    alone = "9/9/3p5/9/9/9/3S5/9/4SSS2/5P3/5S3/9 b -"
    aside = "9/9/3p5/9/9/9/4S4/9/4SSS2/5P3/5S3/9 b -"
    assert at(alone) < at(aside) - 200
