"""Planning ahead over the socket: entered with the picker or typed, followed, left, given up, refused to others."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import LETTER, SPANISH, Room, private, told, verbs, wired, worded
from harness.discord import Seat, alt, components, menus, options, text

from bot.i18n import language
from engine.core.record import Kind
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.i18n import Language

EN = language("en")
LOCALES = ["en-US", SPANISH]
PLAYABLE = ["abalone", "apb"]
LINES = {
    "abalone": [("a1b2", "i5h5"), ("a2b3", "i6h6"), ("a3b4", "i7h7")],
    "apb": [],
}


async def open_panel(room: Room, who: Seat) -> dict[str, Any]:
    """More, Plan ahead; the panel."""
    await who.press("b:more:", room.board)
    await who.press("b:plan:", private(who))
    return private(who)


async def pick(who: Seat, picker: dict[str, Any], game: str, steps: Sequence[Any], state: Any, say: Language) -> None:
    """Chooses a turn in an open picker of the panel, as its labels tell."""
    rules = GAMES[game]
    for step in steps:
        words = [worded(game, word, say) for word in rules.path(state, step)]
        while words:
            words = words[await choose_words(who, who.fresh(picker), words) :]
        state = rules.apply(state, step)


async def choose_words(who: Seat, picker: dict[str, Any], words: Sequence[str]) -> int:
    wanted = ("plan_they", "plan_mine")
    buttons = {
        x["label"]: x for x in components(picker) if x.get("custom_id", "").split(":")[1:2] in [[w] for w in wanted]
    }
    found = menus(picker)
    for label in options(picker) if found else list(buttons):
        said = LETTER.sub("", label).split(", ")[0].split(" → ")
        if said == list(words[: len(said)]):
            await (who.choose(label, message=picker) if found else who.press(buttons[label]["custom_id"], picker))
            return len(said)
    raise AssertionError(f"nothing of {list(words)} is offered")


async def lay(room: Room, who: Seat, panel: dict[str, Any], state: Any, game: str, their: str, reply: str) -> Any:
    """One plan by taps, from a panel where the opponent is to play; the position after it."""
    rules, say = GAMES[game], room.say
    await who.press("b:plan_they:", panel)
    assert say("plan.pick_theirs") in text(who.fresh(panel))
    await pick(who, panel, game, rules.parse(state, their), state, say)
    state = after(rules, state, their)
    assert say("plan.pick_mine") in text(who.fresh(panel))
    await pick(who, panel, game, rules.parse(state, reply), state, say)
    assert say("plan.if", their=their, reply=reply) in text(who.fresh(panel))
    return after(rules, state, reply)


def after(rules: Any, state: Any, text: str) -> Any:
    for step in rules.parse(state, text):
        state = rules.apply(state, step)
    return state


def turn_at(rules: Any, state: Any) -> str:
    """Some whole turn that does not end the game, always the same."""
    rng = random.Random(1)
    while True:
        text = random_turn(rules, state, rng)
        if rules.to_act(after(rules, state, text)) is not None:
            return text


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", PLAYABLE)
async def test_a_line_is_entered_with_the_picker_and_followed(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    seated = await room.begin(game)
    who, rules = room.other(seated), GAMES[game]
    panel = await open_panel(room, who)
    assert room.say("plan.about") in text(panel)
    assert room.say("plan.heading", game=rules.name, n=0, most=30) in text(panel)
    state, turns = seated.table.state, []
    for _ in range(2):
        turns.append(turn_at(rules, state))
        turns.append(turn_at(rules, after(rules, state, turns[-1])))
        state = await lay(room, who, panel, state, game, *turns[-2:])
    assert await room.present() == seated  # nothing has happened in the game
    assert len(room.boards) == 1
    await who.press("b:plan_done:", panel)
    assert told(who) == room.say("plan.stand", n=2)
    for number in (0, 2):
        now = await room.present()
        await room.tap(now, rules.parse(now.table.state, turns[number]))
        followed = await room.shown()
        *_, played, planned = followed.table.record.entries
        assert [(played.kind, played.body), (planned.kind, planned.body)] == [
            (Kind.PLAY, turns[number]),
            (Kind.PLANNED, turns[number + 1]),
        ]
        seat = room.say(f"seat.{rules.seats[planned.seat]}")
        assert room.say("story.planned", seat=seat, move=planned.body) in text(room.board)
        assert [user_id for user_id, _ in room.calls[-1:]] == [followed.to_act]


@pytest.mark.parametrize("locale", LOCALES)
async def test_stepping_through_the_tree_and_taking_branches_back(room: Room, locale: str) -> None:
    room.speak(locale)
    say, seated = room.say, await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    start = seated.table.state
    for their, reply in LINES["abalone"]:
        await lay(room, room.ben, panel, start, "abalone", their, reply)
        await room.ben.press(say("button.plan_back"), panel)
    shown = room.ben.fresh(panel)
    assert options(shown) == [f"{their} → {reply}" for their, reply in LINES["abalone"]]
    await room.ben.choose("a2b3 → i6h6", message=panel)
    state = after(GAMES["abalone"], after(GAMES["abalone"], start, "a2b3"), "i6h6")
    await lay(room, room.ben, panel, state, "abalone", "b3c4", "h6g5")
    assert "2. " in text(room.ben.fresh(panel))
    await room.ben.press("b:plan_at:", panel)  # back
    await room.ben.press("b:plan_at:", panel)
    assert "a2b3 → i6h6 +1" in options(room.ben.fresh(panel))
    # the same turn again is the same plan
    await room.ben.press("b:plan_they:", panel)
    await pick(room.ben, panel, "abalone", GAMES["abalone"].parse(start, "a2b3"), start, say)
    assert say("plan.if", their="a2b3", reply="i6h6") in text(room.ben.fresh(panel))
    await room.ben.press(say("button.plan_cut"), panel)
    assert say("plan.cut") in text(room.ben.fresh(panel))
    assert options(room.ben.fresh(panel)) == ["a1b2 → i5h5", "a3b4 → i7h7"]
    await room.ben.press(say("button.plan_clear"), panel)
    assert say("plan.clear_sure", n=2) in text(room.ben.fresh(panel))
    await room.ben.press(say("button.plan_keep"), panel)
    assert len(options(room.ben.fresh(panel))) == 2
    await room.ben.press(say("button.plan_clear"), panel)
    await room.ben.press(say("button.plan_clear_sure"), panel)
    assert say("plan.cleared") in text(room.ben.fresh(panel))
    assert menus(room.ben.fresh(panel)) == []
    await room.ben.press("b:plan_done:", panel)
    assert told(room.ben) == say("plan.none")


async def test_a_half_entered_plan_waits_for_its_reply(room: Room) -> None:
    seated = await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    await room.ben.press("b:plan_they:", panel)
    state = seated.table.state
    await pick(room.ben, panel, "abalone", GAMES["abalone"].parse(state, "a1b2"), state, EN)
    await room.ben.press(EN("button.cancel"), panel)
    shown = room.ben.fresh(panel)
    assert EN("plan.what_reply", their="a1b2") in text(shown)
    assert EN("plan.if_open", their="a1b2") in text(shown)
    assert {"plan_mine", "plan_resign", "plan_cut"} <= set(verbs(shown))
    await room.ben.press("b:plan_done:", panel)
    assert told(room.ben) == EN("plan.none")
    await room.type(seated, "a1b2")
    after = await room.shown()
    assert [entry.kind for entry in after.table.record.entries] == [Kind.PLAY]


@pytest.mark.parametrize("locale", LOCALES)
async def test_resigning_is_asked_for_twice_in_other_words_at_another_place(room: Room, locale: str) -> None:
    room.speak(locale)
    say, seated = room.say, await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2")
    panel = private(room.ben)
    assert say("plan.pick_mine") in text(panel)
    asked = []
    await room.ben.press(say("button.plan_resign"), panel)
    for key in ("first", "second"):
        shown = room.ben.fresh(panel)
        assert say(f"plan.resign_{key}", their="a1b2") in text(shown)
        asked.append([place_of(shown, say(f"button.{verb}")) for verb in (f"plan_resign_{key}", "plan_not_resign")])
        assert (await stored(room))[0].reply is None
        await room.ben.press(say(f"button.plan_resign_{key}"), panel)
    assert asked[0] == asked[1][::-1]  # who taps twice on one spot has said no
    assert say("plan.if_resign", their="a1b2") in text(room.ben.fresh(panel))
    assert say("plan.end_of_line") in text(room.ben.fresh(panel))
    await room.type(seated, "a1b2")
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert ended.table.outcome.winner == 0
    assert say("end.resigned").lower() in text(room.board).lower()


def place_of(message: dict[str, Any], label: str) -> tuple[int, int]:
    for row, part in enumerate(message["components"]):
        for column, button in enumerate(part["components"]):
            if button.get("label") == label:
                return row, column
    raise AssertionError(label)


async def stored(room: Room) -> list[Any]:
    assert room.bot is not None
    found: list[Any] = await room.bot.services.plans.store.of((await room.present()).id)
    return found


async def test_thinking_better_of_resigning(room: Room) -> None:
    await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2", reply="resign")
    panel = private(room.ben)
    assert EN("plan.resign_first", their="a1b2") in text(panel)
    await room.ben.press(EN("button.plan_resign_first"), panel)
    await room.ben.press(EN("button.plan_not_resign"), panel)
    assert EN("plan.what_reply", their="a1b2") in text(room.ben.fresh(panel))
    assert [plan.reply for plan in await stored(room)] == [None]


async def test_the_line_is_left_and_an_old_panel_says_so(room: Room) -> None:
    seated = await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2", reply="i5h5")
    panel = private(room.ben)
    await room.type(seated, "a2b3")
    assert await stored(room) == []
    await room.shown()
    await room.ben.press("b:plan_they:", panel)  # it is Ben's turn
    assert told(room.ben).startswith(EN("plan.your_turn"))
    now = await room.present()
    await room.type(now, "i5h5")
    await room.shown()
    now = await room.present()
    await room.type(now, "a1b2")
    now = await room.present()
    await room.type(now, "i6h6")  # Ann is to act again
    await room.ben.press("b:plan_they:", panel)
    assert EN("plan.gone") in text(room.ben.fresh(panel))
    assert EN("plan.about") in text(room.ben.fresh(panel))


async def test_a_choice_for_an_earlier_position_is_not_taken_for_another(room: Room) -> None:
    """The picker's numbers mean other steps once the game has moved on."""
    seated = await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    await room.ben.press("b:plan_they:", panel)
    await room.type(seated, "a1b2")
    await room.type(await room.present(), "i5h5")
    shown = room.ben.fresh(panel)
    if menus(shown):
        await room.ben.choose(options(shown)[0], message=panel)
    else:
        await room.ben.press(re.compile("b:plan_they:.*~[0-9]+"), panel)
    assert EN("plan.moved_on") in text(room.ben.fresh(panel))
    assert await stored(room) == []


async def test_an_old_panel_goes_on_where_its_plan_still_stands(room: Room) -> None:
    seated = await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    state = await lay(room, room.ben, panel, seated.table.state, "abalone", "a1b2", "i5h5")
    await lay(room, room.ben, panel, state, "abalone", "a2b3", "i6h6")
    await room.type(seated, "a1b2")
    now = await room.shown()
    assert now.table.record.entries[-1].kind is Kind.PLANNED
    await room.ben.press("b:plan_they:", panel)  # after a2b3, i6h6, which still may come
    assert EN("plan.pick_theirs") in text(room.ben.fresh(panel))
    assert "2. " not in text(room.ben.fresh(panel))
    assert EN("plan.if", their="a2b3", reply="i6h6") in text(room.ben.fresh(panel))


@pytest.mark.parametrize(
    "verb", ["plan", "plan_at", "plan_they", "plan_mine", "plan_resign", "plan_cut", "plan_clear", "plan_done"]
)
async def test_neither_a_stranger_nor_the_opponent_gets_at_them(room: Room, verb: str) -> None:
    seated = await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2", reply="i5h5")
    (plan,) = await stored(room)
    rest = {"plan_resign": f"{plan.id}|3", "plan_they": f"{plan.id}|", "plan_mine": f"{plan.id}|", "plan_clear": "sure"}
    custom_id = f"b:{verb}:{seated.id}:{seated.seq}:{rest.get(verb, plan.id)}"
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    for who, key in ((stranger, "table.not_a_player"), (room.ana, "plan.your_turn")):
        await forge(room, who, custom_id)
        assert told(who).startswith(EN(key))
        assert "i5h5" not in "".join(text(m) for m in who.messages)
    assert await stored(room) == [plan]
    await stranger.slash("abak plan")
    assert told(stranger) == EN("table.not_a_player")
    await room.ana.slash("abak plan", they="a1b2")
    assert told(room.ana) == EN("plan.your_turn")


async def test_an_old_panel_shows_how_the_game_stands_and_deletes_no_newer_plans(room: Room) -> None:
    seated = await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2", reply="i5h5")
    panel = private(room.ben)
    await room.ben.press(EN("button.plan_clear"), panel)
    await room.type(seated, "a1b2")
    assert (await room.shown()).to_act == seated.to_act  # the plan has been played
    await room.ben.slash("abak plan", they="a2b3", reply="h5g5")
    newer = await stored(room)
    assert [plan.their for plan in newer] == ["a2b3"]
    await room.ben.press(EN("button.plan_clear_sure"), panel)
    assert EN("plan.moved_on") in text(room.ben.fresh(panel))
    assert "a2b3" in str(options(room.ben.fresh(panel)))
    assert await stored(room) == newer


async def forge(room: Room, who: Seat, custom_id: str) -> None:
    """Presses a button of the public board that was never there."""
    board = room.server.world.messages.find(int(room.board["id"]))
    assert board is not None
    first = next(components(board))
    button = next(x for x in components(board) if x.get("custom_id"))
    del first
    before = button["custom_id"]
    button["custom_id"] = custom_id
    try:
        await who.press(custom_id, board)
    finally:
        button["custom_id"] = before


async def test_where_dice_fall_no_button_leads_there(room: Room) -> None:
    seated = await room.begin("backgammon")
    who = room.other(seated)
    await who.press("b:more:", room.board)
    assert "plan" not in verbs(private(who))
    await who.slash("abak plan")
    assert told(who) == EN("plan.luck", game="Backgammon")


async def test_who_is_to_move_is_not_offered_to_plan(room: Room) -> None:
    seated = await room.begin("abalone")
    for who, offered in ((room.to_move(seated), False), (room.other(seated), True)):
        await who.press("b:more:", room.board)
        assert ("plan" in verbs(private(who))) is offered
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    await stranger.press("b:more:", room.board)
    assert "plan" not in verbs(private(stranger))


# --- typed -----------------------------------------------------------------------------------------------------------


async def test_plans_are_typed_with_suggestions_at_each_place(room: Room) -> None:
    seated = await room.begin("abalone")
    ben = room.ben
    theirs = await ben.choices("abak plan", "they", they="a1")
    assert {choice["value"] for choice in theirs} >= {"a1b2"}
    replies = await ben.choices("abak plan", "reply", they="a1b2", reply="i5")
    assert replies
    assert all(choice["value"].startswith("i5") for choice in replies)
    assert await ben.choices("abak plan", "reply", reply="i5") == []
    assert [c["value"] for c in await ben.choices("abak plan", "reply", they="a1b2", reply="res")] == ["resign"]
    await ben.slash("abak plan", they="a1b2", reply="i5h5")
    assert EN("plan.if", their="a1b2", reply="i5h5") in told(ben)
    (line,) = await ben.choices("abak plan", "after", after="a1")
    assert line["name"] == "a1b2 → i5h5"
    deeper = await ben.choices("abak plan", "they", after=line["value"], they="b2")
    assert {choice["value"] for choice in deeper} >= {"b2c3"}
    await ben.slash("abak plan", after=line["value"], they="b2c3", reply="h5g5")
    assert EN("plan.if", their="b2c3", reply="h5g5*") in told(ben)
    assert [(plan.their, plan.reply) for plan in await stored(room)] == [("a1b2", "i5h5"), ("b2c3", "h5g5*")]
    assert await room.ana.choices("abak plan", "they", they="a1") == []
    await room.type(seated, "a1b2")
    assert (await room.shown()).table.record.entries[-1].body == "i5h5"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"they": "a1a9"}, "abalone.no_such_cell"),
        ({"they": "i5h5"}, None),
        ({"they": "a1b2", "reply": "a2b3"}, None),
        ({"after": "99"}, "plan.gone"),
        ({"after": "nothing"}, "plan.gone"),
    ],
)
async def test_what_cannot_be_planned_is_refused_in_words(room: Room, given: dict[str, str], key: str | None) -> None:
    await room.begin("abalone")
    await room.ben.slash("abak plan", **given)
    shown = told(room.ben)
    assert len(shown) > 20
    if key:
        assert any(line in shown for line in (EN(key, cell="a9") if "cell" in key else EN(key),))
    assert [plan.reply for plan in await stored(room)] in ([], [None])


async def test_the_beginning_of_a_turn_opens_the_picker(room: Room) -> None:
    seated = await room.begin("apb")
    game, state = GAMES["apb"], seated.table.state
    step = game.legal(state)[0]
    await room.ben.slash("abak plan", they=game.format(state, (step,)))
    panel = private(room.ben)
    assert EN("picker.so_far", move=game.format(state, (step,)), n=1) in text(panel)
    assert EN("plan.pick_theirs") in text(panel)
    assert len(alt(panel)) == 1


async def test_thirty_branches_fit_into_two_pages(room: Room) -> None:
    seated = await room.begin("abalone")
    assert room.bot is not None
    plans, game = room.bot.services.plans, GAMES["abalone"]
    for steps, _ in list(game.turns(seated.table.state))[:30]:
        await plans.suppose(seated, room.ben.user_id, None, game.format(seated.table.state, steps))
    panel = await open_panel(room, room.ben)
    first = options(panel)
    assert len(first) == 25
    await room.ben.choose(EN("plan.others"), message=panel)
    second = options(room.ben.fresh(panel))
    assert len(second) == 7
    assert len({*first, *second} - {EN("plan.others")}) == 30
    await room.ben.choose(EN("plan.others"), message=panel)
    assert options(room.ben.fresh(panel)) == first
    await room.ben.press("b:plan_they:", panel)
    state = seated.table.state
    unplanned = game.format(state, list(game.turns(state))[31][0])
    await pick(room.ben, panel, "abalone", game.parse(state, unplanned), state, EN)
    assert EN("plan.limit", most=30) in text(room.ben.fresh(panel))


async def test_long_turns_have_their_replies_below_them_and_never_too_much(room: Room) -> None:
    seated = await room.begin("apb")
    assert room.bot is not None
    plans, game, rng = room.bot.services.plans, GAMES["apb"], random.Random(3)
    found: dict[str, str] = {}
    while len(found) < 12:
        their = random_turn(game, seated.table.state, rng)
        then = after(game, seated.table.state, their)
        if game.to_act(then) is not None:
            plan = await plans.suppose(seated, room.ben.user_id, None, their)
            if plan.reply is None and plan.their not in found:
                found[plan.their] = random_turn(game, then, rng)
                await plans.answer(seated, room.ben.user_id, plan.id, found[plan.their])
    panel = await open_panel(room, room.ben)
    shown = {o["label"]: o.get("description") for o in menus(panel)[0]["options"]}
    for their, reply in found.items():
        if len(their) + len(reply) > 40:
            assert shown[their[:100]] == f"→ {reply}"[:100]
        else:
            assert any(label.startswith(their) for label in shown)


def random_turn(rules: Any, state: Any, rng: random.Random) -> str:
    actor, at, steps = rules.to_act(state), state, []
    while rules.to_act(at) == actor:
        steps.append(rng.choice(rules.legal(at)))
        at = rules.apply(at, steps[-1])
    return str(rules.format(state, steps))


async def test_a_panel_outlives_a_restart_of_nothing_in_memory(room: Room) -> None:
    """Whatever a panel needs is in its buttons: another game's cache or none makes no difference."""
    seated = await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2", reply="i5h5")
    panel = private(room.ben)
    assert room.bot is not None
    room.bot.services.tables._cache.clear()
    await room.ben.press("b:plan_they:", panel)
    assert EN("plan.pick_theirs") in text(room.ben.fresh(panel))
    assert all(len(x["custom_id"]) <= 100 for x in wired(room.ben.fresh(panel)))
    assert seated.id in wired(room.ben.fresh(panel))[0]["custom_id"]


@pytest.mark.parametrize("locale", LOCALES)
async def test_who_planned_is_told_once_and_in_private_that_the_line_was_left(room: Room, locale: str) -> None:
    room.speak(locale)
    assert room.bot is not None
    seated = await room.begin("abalone")
    await room.ben.slash("abak plan", they="a1b2", reply="i5h5")
    await room.type(seated, "a2b3")
    now = await room.shown()
    await room.bot.courier.turn()
    said = room.say("notice.plan_other", game="Abalone", opponent=room.ana.mention, link="").strip()
    told_of = [text(m) for m in room.ben.direct().messages if said in text(m)]
    assert len(told_of) == 1
    assert f"/{room.channel_id}/" in told_of[0]
    assert not any(said in text(m) for m in (*room.ana.messages, *room.ben.messages))
    await room.type(now, "i5h5")
    await room.bot.courier.turn()
    assert [said in text(m) for m in room.ben.direct().messages].count(True) == 1
