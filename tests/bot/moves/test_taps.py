"""How many taps a turn takes."""

from __future__ import annotations

import random
import statistics
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from harness.players import Greedy
from harness.thinning import one_of
from harness.walks import walk

from bot.core.translations import language
from bot.moves import picker
from bot.moves.draft import Draft, follow, opening
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

TURNS = 12
EN: Final = language("en")
VERBS: Final = picker.Verbs("0123456789", 1)


@one_of("game", GAMES)
async def test_a_turn_takes_few_taps(room: Room, game: str) -> None:
    """Abalone: Move, the piece, where to. The others: Move, a tap for each step, Confirm."""
    live = await room.begin(game)
    player = Greedy(seed=1, patience=TURNS)
    taps, allowed = [], []
    for _ in range(TURNS):
        steps = player.turn(live.table.game, live.table.state)
        before = room.taps
        await room.tap(live, steps)
        taps.append(room.taps - before)
        allowed.append(3 if game == "abalone" else 2 + len(steps))
        live = await room.shown()
        if live.table.outcome is not None:
            break
    if game == "abalone":
        assert statistics.median(taps) <= 3
    spare = [spent - most for spent, most in zip(taps, allowed, strict=True)]
    assert statistics.median(spare) <= 0
    assert game != "apb" or max(spare) <= 0


def test_in_turns_at_random_every_step_of_apb_is_one_tap() -> None:
    """Each legal step is a button or a line of a menu of its own; no menu is longer than Discord allows."""
    game, rng = GAMES["apb"], random.Random(12)
    longest = 0
    for state in islice(chain.from_iterable(walk(game, rng, turns=40) for _ in range(9)), 240):
        drafted, taps = follow(game, state, opening(game, state)), 0
        done = len(drafted.steps)
        while not drafted.complete:
            rows = [row["components"] for row in picker.components(VERBS, drafted, EN, 0).to_components()]
            menus = [row[0]["options"] for row in rows if "options" in row[0]]
            buttons = [one for row in rows for one in row if one.get("custom_id", "").startswith("b:pick:")]
            undo = drafted.undone() is not None
            legal = game.legal(drafted.state)
            assert len(rows) <= 5
            assert all(len(options) <= 25 for options in menus)
            assert (len(menus) == 1) if 20 < len(legal) <= 25 else (len(menus) != 1)
            assert sum(map(len, menus)) + len(buttons) - undo == len(legal)
            drafted, taps = follow(game, state, rng.choice(drafted.offered)[0]), taps + 1
        assert taps == len(drafted.steps) - done
        longest = max(longest, taps)
    assert longest == 9  # all secondaries, then the principal


def test_the_menus_go_on_after_the_piece_that_moved_last() -> None:
    game = GAMES["apb"]
    state = game.start({})
    begun = follow(game, state, Draft.of(game, state, game.parse(state, "e4-e5")))
    rows = [row["components"][0] for row in picker.components(VERBS, begun, EN, 0).to_components()]
    first, *_, last = [option["label"] for row in rows for option in row.get("options", ())]
    assert first.startswith("f4 → ")
    assert last == "e3 → e4, ends the turn, pushes e5→e8"
