"""Conditional moves by the command: suggestions for each option, refusals, and a turn that is only begun."""

from __future__ import annotations

import pytest
from harness.bot import Room, private, told
from harness.conditional import stored
from harness.discord import alt, text

from bot.conditional import typed
from bot.conditional.logic.tree import Tree
from bot.core.translations import language
from engine.core.errors import Refused
from engine.registry import GAMES

EN = language("en")


async def test_conditional_moves_are_typed_with_suggestions_for_each_option(room: Room) -> None:
    live = await room.begin("abalone")
    ben = room.ben
    theirs = await ben.choices("abak move conditional", "condition", condition="a1")
    assert {choice["value"] for choice in theirs} >= {"a1b2"}
    replies = await ben.choices("abak move conditional", "reply", condition="a1b2", reply="i5")
    assert replies
    assert all(choice["value"].startswith("i5") for choice in replies)
    assert await ben.choices("abak move conditional", "reply", reply="i5") == []
    assert [c["value"] for c in await ben.choices("abak move conditional", "reply", condition="a1b2", reply="res")] == [
        "resign"
    ]
    await ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    assert EN("conditional.if", condition="a1b2", reply="i5h5") in told(ben)
    (line,) = await ben.choices("abak move conditional", "after", after="a1")
    assert line["name"] == "a1b2 → i5h5"
    deeper = await ben.choices("abak move conditional", "condition", after=line["value"], condition="b2")
    assert {choice["value"] for choice in deeper} >= {"b2c3"}
    await ben.slash("abak move conditional", after=line["value"], condition="b2c3", reply="h5g5")
    assert EN("conditional.if", condition="b2c3", reply="h5g5*") in told(ben)
    assert [(move.condition, move.reply) for move in await stored(room)] == [("a1b2", "i5h5"), ("b2c3", "h5g5*")]
    assert await room.ana.choices("abak move conditional", "condition", condition="a1") == []
    await room.type(live, "a1b2")
    assert (await room.shown()).table.record.entries[-1].body == "i5h5"


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_only_conditions_with_a_reply_are_counted(room: Room, locale: str) -> None:
    room.speak(locale)
    await room.begin("abalone")

    def heading(whole: int, lacking: int) -> str:
        told = room.say("conditional.heading", game=GAMES["abalone"].name, n=whole, most=30)
        return room.say("conditional.heading_open", heading=told, n=lacking) if lacking else told

    await room.ben.slash("abak move conditional", condition="a1b2")
    assert told(room.ben).splitlines()[0] == heading(0, 1)
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    assert told(room.ben).splitlines()[0] == heading(1, 0)
    await room.ben.slash("abak move conditional", condition="a2b3")
    assert told(room.ben).splitlines()[0] == heading(1, 1)


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"condition": "a1a9"}, "abalone.no_such_cell"),
        ({"condition": "i5h5"}, None),
        ({"condition": "a1b2", "reply": "a2b3"}, None),
        ({"after": "99"}, "conditional.gone"),
        ({"after": "nothing"}, "conditional.gone"),
        ({"after": "9" * 300}, "conditional.gone"),
    ],
)
async def test_what_cannot_be_set_is_refused_in_words(room: Room, given: dict[str, str], key: str | None) -> None:
    await room.begin("abalone")
    await room.ben.slash("abak move conditional", **given)
    shown = told(room.ben)
    assert len(shown) > 20
    if key:
        assert any(line in shown for line in (EN(key, cell="a9") if "cell" in key else EN(key),))
    assert [move.reply for move in await stored(room)] in ([], [None])


def test_digits_without_end_are_no_move() -> None:
    """Nothing reads them as a number, whoever lets them through."""
    game = GAMES["abalone"]
    tree = Tree(game, game.start(game.settle_options({})), 0, ())
    assert typed._move(tree, "9" * 5_000) is None
    with pytest.raises(Refused):
        typed._move(tree, "9" * 19)


async def test_the_beginning_of_a_turn_opens_the_picker(room: Room) -> None:
    live = await room.begin("apb")
    game, state = GAMES["apb"], live.table.state
    step = game.legal(state)[0]
    await room.ben.slash("abak move conditional", condition=game.format(state, (step,)))
    panel = private(room.ben)
    assert EN("picker.so_far", move=game.format(state, (step,)), n=1) in text(panel)
    assert EN("conditional.pick_condition") in text(panel)
    assert len(alt(panel)) == 1
