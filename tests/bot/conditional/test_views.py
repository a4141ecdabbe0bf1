"""The panel of conditional moves: its lines are entered with the picker, stepped through, followed and deleted."""

from __future__ import annotations

import random
from typing import Any
from unittest.mock import Mock

import pytest
from harness.bot import SPANISH, Room, private, told, verbs
from harness.conditional import after, lay, open_panel, pick, random_turn, stored, turn_at
from harness.discord import menus, options, text

from bot.conditional.logic.move import ConditionalMove
from bot.conditional.service import ConditionalMoveService
from bot.conditional.views import branch
from bot.core.interactions.components import PressMenu, view_of
from bot.core.interactions.discord_limits import OPTION, cut, cut_view
from bot.core.interactions.press import Press
from bot.core.translations import language
from engine.core.record import Kind
from engine.registry import GAMES

EN = language("en")
LOCALES = ["en-US", SPANISH]
PLAYABLE = ["abalone", "apb"]
LINES = [("a1b2", "i5h5"), ("a2b3", "i6h6"), ("a3b4", "i7h7")]
"""Conditional moves at the beginning of a game of Abalone: each condition with its reply."""


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", PLAYABLE)
async def test_a_line_is_entered_with_the_picker_and_followed(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    live = await room.begin(game)
    who, rules = room.other(live), GAMES[game]
    panel = await open_panel(room, who)
    assert room.say("conditional.about") in text(panel)
    assert room.say("conditional.heading", game=rules.name, n=0, most=30) in text(panel)
    state, turns = live.table.state, []
    for _ in range(2):
        turns.append(turn_at(rules, state))
        turns.append(turn_at(rules, after(rules, state, turns[-1])))
        state = await lay(room, who, panel, state, game, *turns[-2:])
    assert await room.present() == live  # nothing has happened in the game
    assert len(room.boards) == 1
    await who.press("b:conditional_done:", panel)
    assert told(who) == room.say("conditional.kept", n=2)
    for number in (0, 2):
        now = await room.present()
        await room.tap(now, rules.parse(now.table.state, turns[number]))
        followed = await room.shown()
        *_, played, answered = followed.table.record.entries
        assert [(played.kind, played.body), (answered.kind, answered.body)] == [
            (Kind.PLAY, turns[number]),
            (Kind.CONDITIONAL, turns[number + 1]),
        ]
        seat = room.say(f"side.{rules.seats[answered.seat]}")
        assert room.say("story.conditional", seat=seat, move=answered.body) in text(room.board)
        assert [user_id for user_id, _ in room.pings[-1:]] == [followed.to_act]


@pytest.mark.parametrize("locale", LOCALES)
async def test_stepping_through_the_tree_and_taking_branches_back(room: Room, locale: str) -> None:
    room.speak(locale)
    say, live = room.say, await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    start = live.table.state
    for condition, reply in LINES:
        await lay(room, room.ben, panel, start, "abalone", condition, reply)
        await room.ben.press(say("button.conditional_back"), panel)
    shown = room.ben.fresh(panel)
    assert options(shown) == [f"{condition} → {reply}" for condition, reply in LINES]
    await room.ben.choose("a2b3 → i6h6", message=panel)
    state = after(GAMES["abalone"], after(GAMES["abalone"], start, "a2b3"), "i6h6")
    await lay(room, room.ben, panel, state, "abalone", "b3c4", "h6g5")
    assert "2. " in text(room.ben.fresh(panel))
    await room.ben.press("b:conditional_at:", panel)  # back
    await room.ben.press("b:conditional_at:", panel)
    assert "a2b3 → i6h6 +1" in options(room.ben.fresh(panel))
    # the same turn again is the same conditional move
    await room.ben.press("b:conditional_if:", panel)
    await pick(room.ben, panel, "abalone", GAMES["abalone"].parse(start, "a2b3"), start, say)
    assert say("conditional.if", condition="a2b3", reply="i6h6") in text(room.ben.fresh(panel))
    await room.ben.press(say("button.conditional_delete"), panel)
    assert say("conditional.deleted") in text(room.ben.fresh(panel))
    assert options(room.ben.fresh(panel)) == ["a1b2 → i5h5", "a3b4 → i7h7"]
    await room.ben.press(say("button.conditional_clear"), panel)
    assert say("conditional.clear_sure", n=2) in text(room.ben.fresh(panel))
    await room.ben.press(say("button.conditional_keep"), panel)
    assert len(options(room.ben.fresh(panel))) == 2
    await room.ben.press(say("button.conditional_clear"), panel)
    await room.ben.press(say("button.conditional_clear_confirm"), panel)
    assert say("conditional.cleared") in text(room.ben.fresh(panel))
    assert menus(room.ben.fresh(panel)) == []
    await room.ben.press("b:conditional_done:", panel)
    assert told(room.ben) == say("conditional.none")


async def test_a_condition_without_a_reply_waits_for_it(room: Room) -> None:
    live = await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    await room.ben.press("b:conditional_if:", panel)
    state = live.table.state
    await pick(room.ben, panel, "abalone", GAMES["abalone"].parse(state, "a1b2"), state, EN)
    await room.ben.press(EN("button.cancel"), panel)
    shown = room.ben.fresh(panel)
    assert EN("conditional.what_reply", condition="a1b2") in text(shown)
    assert EN("conditional.if_open", condition="a1b2") in text(shown)
    assert {"conditional_reply", "conditional_resign", "conditional_delete"} <= set(verbs(shown))
    rows = [place_of(shown, EN(f"button.conditional_{verb}"))[0] for verb in ("reply", "resign", "back", "delete")]
    assert rows == [0, 0, 1, 1]
    await room.ben.press("b:conditional_done:", panel)
    assert told(room.ben) == EN("conditional.none")
    await room.type(live, "a1b2")
    after = await room.shown()
    assert [entry.kind for entry in after.table.record.entries] == [Kind.PLAY]


@pytest.mark.parametrize("locale", LOCALES)
async def test_resigning_is_asked_for_twice_in_other_words_at_another_place(room: Room, locale: str) -> None:
    room.speak(locale)
    say, live = room.say, await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2")
    panel = private(room.ben)
    assert say("conditional.pick_reply") in text(panel)
    asked = []
    await room.ben.press(say("button.conditional_resign"), panel)
    for key in ("first", "second"):
        shown = room.ben.fresh(panel)
        assert say(f"conditional.resign_{key}", condition="a1b2") in text(shown)
        asked.append(
            [
                place_of(shown, say(f"button.{verb}"))
                for verb in (f"conditional_resign_{key}", "conditional_resign_cancel")
            ]
        )
        assert (await stored(room))[0].reply is None
        await room.ben.press(say(f"button.conditional_resign_{key}"), panel)
    assert asked[0] == asked[1][::-1]  # who taps twice on one spot has said no
    assert say("conditional.if_resign", condition="a1b2") in text(room.ben.fresh(panel))
    assert say("conditional.end_of_line") in text(room.ben.fresh(panel))
    await room.type(live, "a1b2")
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert ended.table.outcome.winner == 0
    assert say("how.end.resigned", other=room.ben.mention) in text(room.board)


def place_of(message: dict[str, Any], label: str) -> tuple[int, int]:
    for row, part in enumerate(message["components"]):
        for column, button in enumerate(part["components"]):
            if button.get("label") == label:
                return row, column
    raise AssertionError(label)


async def test_thinking_better_of_resigning(room: Room) -> None:
    await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="resign")
    panel = private(room.ben)
    assert EN("conditional.resign_first", condition="a1b2") in text(panel)
    await room.ben.press(EN("button.conditional_resign_first"), panel)
    await room.ben.press(EN("button.conditional_resign_cancel"), panel)
    assert EN("conditional.what_reply", condition="a1b2") in text(room.ben.fresh(panel))
    assert [move.reply for move in await stored(room)] == [None]


async def test_thirty_branches_fit_into_two_pages(room: Room) -> None:
    live = await room.begin("abalone")
    assert room.bot is not None
    service, game = room.bot.service(ConditionalMoveService), GAMES["abalone"]
    for steps, _ in list(game.turns(live.table.state))[:30]:
        await service.add_condition(live, room.ben.user_id, None, game.format(live.table.state, steps))
    panel = await open_panel(room, room.ben)
    first = options(panel)
    assert len(first) == 25
    await room.ben.choose(EN("conditional.others"), message=panel)
    second = options(room.ben.fresh(panel))
    assert len(second) == 7
    assert len({*first, *second} - {EN("conditional.others")}) == 30
    await room.ben.choose(EN("conditional.others"), message=panel)
    assert options(room.ben.fresh(panel)) == first
    await room.ben.press("b:conditional_if:", panel)
    state = live.table.state
    another = game.format(state, list(game.turns(state))[31][0])
    await pick(room.ben, panel, "abalone", game.parse(state, another), state, EN)
    assert EN("conditional.limit", most=30) in text(room.ben.fresh(panel))


async def test_long_turns_have_their_replies_below_them_and_never_too_much(room: Room) -> None:
    live = await room.begin("apb")
    assert room.bot is not None
    service, game, rng = room.bot.service(ConditionalMoveService), GAMES["apb"], random.Random(3)
    found: dict[str, str] = {}
    while len(found) < 12:
        condition = random_turn(game, live.table.state, rng)
        then = after(game, live.table.state, condition)
        if game.to_act(then) is not None:
            move = await service.add_condition(live, room.ben.user_id, None, condition)
            if move.reply is None and move.condition not in found:
                found[move.condition] = random_turn(game, then, rng)
                await service.answer(live, room.ben.user_id, move.id, found[move.condition])
    panel = await open_panel(room, room.ben)
    shown = {o["label"]: o.get("description") for o in menus(panel)[0]["options"]}
    for condition, reply in found.items():
        if len(condition) + len(reply) > 40:
            assert shown[cut(condition, OPTION)] == cut(f"→ {reply}", OPTION)
        else:
            assert any(label.startswith(condition) for label in shown)


def test_what_a_menu_has_no_room_for_is_cut_after_a_word() -> None:
    move = ConditionalMove(1, 0, None, "a1b2 " * 30, "c3d4 " * 30, persistent=False, created=0)
    view = view_of(PressMenu(Press("x", "y", 0), "", [branch(Mock(branch=lambda _: [move, move]), move, EN)]))
    cut_view(view)
    (option,) = view.children[0].options  # type: ignore[attr-defined]
    assert len(option.label) <= OPTION
    assert option.label.endswith(" a1b2…")
    assert len(option.description) <= OPTION
    assert option.description.endswith(" c3d4… +1")
