"""Tests what moves in GNU Backgammon's form lead to."""

import random

from benchmarks.gnubg import moved
from engine.core.game import CHANCE
from engine.games.backgammon import GAME
from engine.games.backgammon.board import BAR, OFF


def test_the_moves_of_every_turn_lead_to_the_position_after_it() -> None:
    """In whole games: with hits, from the bar and off the board, for both sides."""
    luck = random.Random(1)
    ends: set[tuple[int, bool]] = set()
    for _ in range(2):
        state = GAME.start(GAME.settle_options({}))
        while (actor := GAME.to_act(state)) is not None:
            if actor == CHANCE:
                state = GAME.apply(state, luck.choice(GAME.legal(state)))
                continue
            turns = GAME.turns(state)
            for moves, after in turns if len(turns) > 1 else ():
                points = [point for move in moves for point in (move.source, move.target)]
                assert moved(state, points) == (after.white, after.black)
                ends |= {(point, bool(state.turn)) for point in points}
            state = luck.choice(turns)[1]
    assert {(point, side) for point in (BAR, OFF) for side in (False, True)} <= ends
