"""A draft that an earlier release has written into a button: it is played as its button said, or not at all."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from harness.bot import private, told, verbs, wired
from harness.players import Greedy
from harness.positions import placed
from harness.walks import OF_STEPS, drafts, walk

from bot.core.translations import language
from bot.moves.draft import Draft, DraftOutdated, follow
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from harness.bot import Room

EN = language("en")
AMBIGUOUS = "XGID=-b----E-C---eE---c--a---B-:0:0:1:54:0:0:0:0:10"
"""With 5-4, 24/15 goes by 19 or hits on 20."""


def lists_backwards(patch: pytest.MonkeyPatch, key: str) -> None:
    """Makes the game list what is legal in the opposite order, as another release might."""
    kind = type(GAMES[key])
    legal: Callable[[Any, Any], Sequence[Any]] = kind.legal
    patch.setattr(kind, "legal", lambda game, state: tuple(reversed(legal(game, state))))


@pytest.mark.parametrize("verb", ["confirm", "pick"])
@pytest.mark.parametrize("game", OF_STEPS)
async def test_an_open_picker_begins_anew_where_the_order_has_changed(
    room: Room, monkeypatch: pytest.MonkeyPatch, game: str, verb: str
) -> None:
    live = await room.begin(game)
    who = room.to_move(live)
    steps = Greedy(0, patience=9).turn(live.table.game, live.table.state)
    await who.press("b:move:", room.board)
    picker = private(who)
    await room.tap_steps(live, picker, steps if verb == "confirm" else steps[:1])
    old = next(x for x in wired(who.fresh(picker)) if x["custom_id"][2:].startswith(f"{verb}:"))
    lists_backwards(monkeypatch, game)
    if "options" in old:
        await who.choose(old["options"][0]["label"], menu=old["custom_id"], message=picker)
    else:
        await who.press(old["custom_id"], picker)
    assert EN("picker.outdated") in told(who)
    assert EN("picker.what") in told(who)
    assert (await room.present()).seq == live.seq
    await room.tap_steps(live, picker, steps)
    await who.press("b:confirm:", picker)
    played = await room.shown()
    assert played.table.record.entries[live.seq].body == live.table.game.format(live.table.state, steps)


async def test_a_turn_offered_as_a_button_is_not_another_where_the_order_has_changed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await placed(room, "backgammon", AMBIGUOUS)
    await room.type(live, "24/15")
    refused = private(room.ana)
    lists_backwards(monkeypatch, "backgammon")
    await room.ana.press("b:reading:", refused)
    assert EN("picker.outdated") in told(room.ana)
    assert verbs(private(room.ana))[0] == "pick"
    assert (await room.present()).seq == live.seq


@pytest.mark.parametrize("key", GAMES)
def test_a_draft_fits_the_position_and_the_steps_of_its_button_alone(key: str) -> None:
    game, rng = GAMES[key], random.Random(7)
    states = list(walk(game, rng, turns=12))
    for state, other in pairwise(states):
        *_, complete = drafts(follow(game, state, Draft()), rng)
        written = str(complete.draft)
        assert follow(game, state, Draft.read(written)).steps == complete.steps
        with pytest.raises(DraftOutdated):
            follow(game, other, Draft.read(written))
        with pytest.raises(DraftOutdated):
            Draft.read(written.rpartition("~")[0])


@pytest.mark.parametrize("key", GAMES)
def test_undo_is_a_draft_that_fits(key: str) -> None:
    game, rng = GAMES[key], random.Random(8)
    for state in walk(game, rng, turns=8):
        for drafted in drafts(follow(game, state, Draft()), rng):
            if (shorter := drafted.undone()) is not None:
                undone = follow(game, state, Draft.read(str(shorter)))
                assert undone.check_texts == drafted.check_texts[: len(undone.check_texts)]
                assert len(undone.offered) > 1


def test_the_longest_draft_fits_a_button() -> None:
    """APB's eight steps and the last, each among hundreds, in a long game."""
    draft = Draft((888,) * 9, (24, 24), "abcde")
    assert len(f"m:conditional_reply:{'z' * 10}:99999:99999999|{draft}") <= 100
