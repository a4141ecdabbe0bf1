"""Tests how many taps a turn takes."""

from __future__ import annotations

import random
import statistics
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.players import Greedy
from harness.walks import walk

from bot.core.translations import language
from bot.moves import picker
from bot.moves.draft import MAX_WHOLE_STEPS, Draft, follow, opening
from bot.moves.layout import TALL_LINES, height
from engine.games.apb import board
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

TURNS = 12
EN: Final = language("en")
VERBS: Final = picker.Verbs("0123456789", 1)


@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_takes_few_taps(room: Room, game: str) -> None:
    """Abalone: Move, the piece, where to. APB: Move, two for a secondary, the principal, Confirm. The others: Move, a
    tap for each step, Confirm.
    """
    live = await room.begin(game)
    player = Greedy(seed=1, patience=TURNS)
    taps, allowed = [], []
    for _ in range(TURNS):
        steps = player.turn(live.table.game, live.table.state)
        before = room.taps
        await room.tap(live, steps)
        taps.append(room.taps - before)
        allowed.append(3 if game == "abalone" else 2 + len(steps) + (len(steps) - 1) * (game == "apb"))
        live = await room.shown()
        if live.table.outcome is not None:
            break
    if game == "abalone":
        assert statistics.median(taps) <= 3
    spare = [spent - most for spent, most in zip(taps, allowed, strict=True)]
    assert statistics.median(spare) <= 0
    assert game != "apb" or max(spare) <= 0


async def test_a_usual_turn_of_apb_takes_seven_taps(room: Room) -> None:
    """Two secondaries and the principal, with Move and Confirm; the board is in view at each."""
    live = await room.begin("apb")
    await room.tap(live, live.game.parse(live.state, "e4-d5 f4-g5 e3-e4"))
    assert room.taps == 7
    assert (await room.shown()).entries[-1].body == "e4-d5 f4-g5 e3-e4>e8"


def taken(row: list[dict[str, Any]]) -> int:
    """Returns the lines that a row takes on a phone."""
    labels = [one.get("label", "") for one in row]
    return height([range(len(labels))], labels)


def test_in_turns_at_random_apb_has_few_rows_and_two_taps_a_step_at_most() -> None:
    """A step of the principal takes one tap, in rows of its own if there is room, or in a menu if they are many."""
    game, rng = GAMES["apb"], random.Random(2)
    longest = 0
    for state in islice(chain.from_iterable(walk(game, rng, turns=40) for _ in range(9)), 240):
        drafted, taps = follow(game, state, opening(game, state)), 0
        done = len(drafted.steps)
        while not drafted.complete:
            rows = [row["components"] for row in picker.components(VERBS, drafted, EN, 0).to_components()]
            assert len(rows) <= 5
            assert sum(taken(row) for row in rows[:-1]) <= TALL_LINES
            menus = [one for row in rows for one in row if "options" in one]
            rows = [row for row in rows if row[0] not in menus]
            if len(game.legal(drafted.state)) > MAX_WHOLE_STEPS and not drafted.words:
                principal = board.name_of(drafted.state.principals[drafted.state.turn])
                ends = [[one["label"].startswith(principal) for one in row] for row in rows[:-1]]
                assert all(len(set(row)) == 1 for row in ends)
                assert ends == sorted(ends, key=lambda row: row[0])
            drafted, taps = follow(game, state, rng.choice(drafted.offered)[0]), taps + 1
        steps = len(drafted.steps) - done
        assert steps <= taps <= max(2 * steps - 1, 0)
        longest = max(longest, steps)
    assert longest == 9  # all secondaries, then the principal


def test_the_step_that_ends_the_turn_stands_apart_with_what_it_does() -> None:
    game = GAMES["apb"]
    state = game.start({})
    begun = follow(game, state, Draft.of(game, state, game.parse(state, "e4-e5")))
    *pieces, last, _ = picker.components(VERBS, begun, EN, 0).to_components()
    assert [one["label"] for row in pieces for one in row["components"]] == ["d4", "f4", "d3", "f3", "d2", "e2", "f2"]
    assert [one["label"] for one in last["components"]] == ["e3 → e4, ends the turn, pushes e5→e8"]
    assert [one["style"] for one in last["components"]] == [1]
