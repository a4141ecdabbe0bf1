"""Turns are entered with their consequences in view: what is suggested first, what is asked, what is one button."""

from __future__ import annotations

import asyncio
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, private, told, verbs
from harness.catalogue import keys_in
from harness.discord import buttons, is_ephemeral, text
from harness.positions import placed
from harness.walks import drafts

from bot.board import effects
from bot.board.effects import EFFECT_RANKS, only_turn
from bot.core.translations import CODES, language
from bot.games.notation import in_language
from bot.moves import labels as picker_labels
from bot.moves import picker
from bot.moves.draft import Draft, Drafted, follow
from bot.moves.suggestions import suggestions
from bot.players.service import PreferenceService
from engine.core.record import Kind
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

EN, ES = language("en"), language("es")
APB = GAMES["apb"]
OPEN = "9/9/2ss1ss2/2p4s1/4S1s2/9/3P5/6S2/9/3S5/3SSSS2/9 b -"
"""Black's principal runs off the board by most of its steps."""
BACKGAMMON = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
BLOT = "XGID=-b----E-C---eE---c--a---B-:0:0:1:54:0:0:0:0:10"
SOLE = f"XGID=-AAA{'-' * 20}b-:0:0:1:65:0:0:0:0:10"
"""White bears off with both dice, and there is no other way."""


@cache
def losing(position: str = OPEN) -> Drafted:
    """Returns a turn of several steps whose last one loses."""
    state, rng = APB.decode(position), random.Random(1)
    for _ in range(500):
        *_, drafted = drafts(follow(APB, state, Draft()), rng)
        outcome = APB.outcome(drafted.state)
        if len(drafted.steps) > 1 and outcome and outcome.winner != APB.to_act(state):
            return drafted
    raise AssertionError("no turn loses")


async def choose(room: Room, who: Any, key: str, value: str) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_user(who.user_id, key, value)


# --- what is suggested -----------------------------------------------------------------------------------------------


def first(key: str, position: str, typed: str = "", code: str = "en") -> list[str]:
    game = GAMES[key]
    return [shown for shown, _ in suggestions(game, game.decode(position), typed, language(code))]


@pytest.mark.parametrize(("position", "does"), [(BLOT, "hits on"), (BACKGAMMON, "makes the")])
def test_what_hits_and_what_makes_a_point_is_suggested_before_what_only_moves(position: str, does: str) -> None:
    found = [does in shown for shown in first("backgammon", position)]
    assert any(found)
    assert not all(found)
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("code", CODES)
def test_what_loses_is_suggested_last(code: str) -> None:
    lost = [language(code)("apb.does.loses") in shown for shown in first("apb", OPEN, code=code)]
    assert any(lost)
    assert lost == sorted(lost)


def test_what_is_typed_first_comes_first_even_before_a_hit() -> None:
    found = first("backgammon", BACKGAMMON, "24")
    assert found[0].startswith("24")
    assert all(shown.startswith("24") for shown in found[: sum(shown.startswith("24") for shown in found)])


@pytest.mark.parametrize("typed", ["8/5 6/5", "6/5 8/5", "6/5 8", "6/5  8/5"])
def test_steps_may_be_typed_in_any_order(typed: str) -> None:
    assert first("backgammon", BACKGAMMON, typed)[0].startswith("8/5 6/5")


def test_what_is_typed_twice_is_found_only_where_it_is_played_twice() -> None:
    assert first("backgammon", BACKGAMMON, "6/5 6/5") == []


def test_everything_that_is_ranked_is_a_note_of_some_game() -> None:
    keys = keys_in("engine.games", "engine.kits")
    assert set(EFFECT_RANKS) <= {key.rpartition(".")[2] for key in keys if ".does." in key}


async def test_suggestions_speak_the_language_that_was_chosen(room: Room) -> None:
    await placed(room, "backgammon", BLOT)
    await choose(room, room.ana, "language", "es")
    offered = await room.ana.choices("abak move play", "notation", notation="24/20")
    assert any(ES("backgammon.does.hits", point=20) in choice["name"] for choice in offered)
    topics = await room.ana.choices("abak rules", "topic", topic="", game="abalone")
    assert ES("abalone.topic.pac.title") in [choice["name"] for choice in topics]


# --- what is asked ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("confirm", ["always", "long", "never"])
def test_a_turn_that_loses_is_never_played_at_once_however_many_steps_it_has(confirm: str) -> None:
    assert not picker.plays_at_once(losing(), confirm)


@pytest.mark.parametrize("code", CODES)
def test_before_confirm_it_is_said_what_the_turn_does(code: str) -> None:
    say = language(code)
    lost = picker_labels.prompt(losing(), say)
    assert say("apb.does.loses") in lost
    assert say("picker.confirm_loss") in lost
    game = GAMES["backgammon"]
    state = game.decode(BACKGAMMON)
    made = follow(game, state, Draft.of(game, state, game.parse(state, "8/5 6/5")))
    assert say("backgammon.does.makes_point", point=5) in picker_labels.prompt(made, say)
    assert picker_labels.prompt(made, say).endswith(say("picker.confirm"))


@pytest.mark.parametrize("typed", ["8/5 6/5", "6/5 8/5", "13/10 10/9"])
def test_what_is_chosen_so_far_stands_in_its_order(typed: str) -> None:
    game = GAMES["backgammon"]
    drafted = follow(game, game.decode(BACKGAMMON), Draft())
    for step in typed.split():
        [point, to] = step.split("/")
        chosen = (draft for draft, choice in drafted.offered if choice.word == f"{point} → {to}")
        drafted = follow(game, drafted.before, next(chosen))
    assert EN("picker.so_far", move=typed) in picker_labels.prompt(drafted, EN)


def test_the_steps_of_a_long_turn_are_counted() -> None:
    state = APB.start({})
    drafted = follow(APB, state, Draft.of(APB, state, APB.parse(state, "e4-e5 d4-d5")))
    assert EN("apb.stepped", n=2) in picker_labels.prompt(drafted, EN)
    assert EN("apb.stepped", n=2) != EN("apb.stepped", n=1)


def test_choices_that_lose_and_their_confirmation_are_red() -> None:
    for drafted in drafts(follow(APB, APB.decode(OPEN), Draft()), random.Random(3)):
        rows = picker.components(picker.Verbs("1", 0), drafted, EN, 0).to_components()
        shown = [x for row in rows for x in row["components"] if x["custom_id"].startswith("b:pick:")]
        for button in shown:
            assert (button["style"] == 4) == (EN("apb.does.loses") in button["label"])
    rows = picker.components(picker.Verbs("1", 0), losing(), EN, 0).to_components()
    [confirm] = [x for row in rows for x in row["components"] if x["custom_id"].startswith("b:confirm:")]
    assert confirm["style"] == 4


ALL_LOSE = "3s1p3/3s1s3/9/9/9/9/9/9/9/9/S8/4P4 w a2"
"""White's principal has nothing left to do but to run off the board."""
DOOMED = "3s1p3/3s1s3/9/9/9/9/9/9/S1S1S1S2/9/9/8P w -"
"""The same, but so many other steps are left that the piece is chosen first."""


@pytest.mark.parametrize("code", CODES)
def test_where_every_choice_loses_a_line_says_so(code: str) -> None:
    say, state = language(code), APB.decode(ALL_LOSE)
    drafted = follow(APB, state, Draft())
    assert drafted.offered
    assert say("picker.all_lose") in picker_labels.prompt(drafted, say)
    assert say("picker.all_lose") not in picker_labels.prompt(follow(APB, APB.decode(OPEN), Draft()), say)


@pytest.mark.parametrize("code", CODES)
def test_steps_that_lose_say_so_and_stand_apart(code: str) -> None:
    say, state = language(code), APB.decode(DOOMED)
    drafted = follow(APB, state, Draft())
    rows = picker.components(picker.Verbs("1", 0), drafted, say, 0).to_components()
    *pieces, [menu] = [row["components"] for row in rows[:-1]]
    assert [piece["label"] for row in pieces for piece in row] == ["a4", "c4", "e4", "g4"]
    assert menu["placeholder"] == say("picker.where", piece="i1")
    losing = [option["label"] for option in menu["options"]]
    assert len(losing) > 2
    assert all(text.startswith("i1") and say("apb.does.loses") in text for text in losing)


@pytest.mark.parametrize("code", CODES)
def test_where_everything_loses_after_a_choice_undo_is_pointed_to(code: str) -> None:
    say, state = language(code), APB.decode(ALL_LOSE.replace("a2", "-"))
    chosen = follow(APB, state, Draft.of(APB, state, APB.parse(state, "a2-a3")))
    assert picker_labels.prompt(chosen, say).endswith(say("picker.all_lose_undo"))
    rows = picker.components(picker.Verbs("1", 0), chosen, say, 0).to_components()
    assert say("button.undo") in [x.get("label") for row in rows for x in row["components"]]


async def test_a_typed_turn_that_loses_is_asked_about(room: Room) -> None:
    live = await placed(room, "apb", OPEN)
    await choose(room, room.ben, "confirm", "never")
    await room.type(live, losing().text)
    assert EN("picker.confirm_loss") in told(room.ben)
    assert await room.present() == live
    await room.ben.press("b:confirm:", private(room.ben))
    assert (await room.shown()).table.outcome is not None


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_typed_turn_that_loses_an_own_piece_is_asked_about(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await room.begin("apb")
    await choose(room, room.ana, "confirm", "never")
    sent = await room.type(live, "e4-d5 f2-g1 e3-f2")
    assert sent.message is not None
    assert room.say("picker.confirm_own_piece") in text(sent.message)
    assert sent.message["attachments"]
    assert await room.present() == live
    await room.ana.press("b:confirm:", sent.message)
    assert (await room.shown()).seq == 1


def test_a_piece_lost_in_a_turn_that_wins_is_not_asked_about() -> None:
    state = APB.decode("9/9/9/9/9/9/9/9/4p4/9/4P4/6S1S w -")
    steps = APB.parse(state, "g1-h1 e2-e3")
    assert not effects.loses_piece(APB, state, steps)
    assert effects.loses_piece(APB, state, APB.parse(state, "g1-h1"))


@pytest.mark.parametrize(("confirm", "asked"), [("always", True), ("long", False), ("never", False)])
async def test_who_is_always_asked_is_asked_about_what_they_type(room: Room, confirm: str, asked: bool) -> None:
    live = await room.begin("abalone")
    await choose(room, room.ana, "confirm", confirm)
    await room.type(live, "a1b1")
    private_ones = [text(message) for message in room.ana.messages if is_ephemeral(message)]
    assert any(EN("picker.confirm") in one for one in private_ones) == asked
    assert (await room.present()).seq == (0 if asked else 1)


# --- what is one button ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_turn_without_a_choice_is_one_button(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await placed(room, "backgammon", SOLE)
    label = room.say("button.only", move=in_language("3/off 2/off", room.say))
    assert label in buttons(room.board)
    await room.ana.press(label, room.board)
    after = await room.shown()
    assert "3/off 2/off" in [entry.body for entry in after.table.record.entries]
    assert after.seq > live.seq


async def test_the_only_turn_is_shown_first_to_who_is_always_asked(room: Room) -> None:
    live = await placed(room, "backgammon", SOLE)
    await choose(room, room.ana, "confirm", "always")
    await room.ana.press("b:only:", room.board)
    assert "`3/off 2/off`" in told(room.ana)
    assert verbs(private(room.ana)) == ["confirm", "cancel_pick"]  # there is nothing to undo
    assert await room.present() == live


async def test_two_presses_on_the_only_turn_play_once(room: Room) -> None:
    await placed(room, "backgammon", SOLE)
    board = room.board
    await asyncio.gather(*(room.ana.press("b:only:", board) for _ in range(3)), room.ben.press("b:only:", board))
    after = await room.shown()
    assert [entry.kind for entry in after.table.record.entries].count(Kind.PLAY) == 1
    assert after.table.record.entries[0].seat == 0
    assert len(room.boards) == 2


@pytest.mark.parametrize("key", GAMES)
def test_where_there_is_a_choice_no_turn_is_the_only_one(key: str) -> None:
    game = GAMES[key]
    assert only_turn(game, game.start(game.settle_options({}))) == ()


# --- what a label says -----------------------------------------------------------------------------------------------


def labels(key: str, position: str, code: str) -> list[str]:
    game, say = GAMES[key], language(code)
    drafted = follow(game, game.decode(position), Draft())
    return [picker_labels.label(drafted, choice, say) for _, choice in drafted.offered]


@pytest.mark.parametrize(
    ("code", "label"),
    [("en", "14 → 10 with 12, captures the guard on 10"), ("es", "14 → 10 con 12, captura al guardia de 10")],
)
def test_two_stones_that_capture_together_are_no_way_of_one(code: str, label: str) -> None:
    offered = labels("abak", "ABAKID=10/S/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10", code)
    assert label in offered
    assert not [text for text in offered if text.count("→") > 1]


@pytest.mark.parametrize(
    ("code", "line"), [("en", "h8\u2013h9 sideways, 2 marbles…"), ("es", "h8\u2013h9 de lado, 2 canicas…")]
)
def test_how_many_marbles_move_is_said_once_the_first_is_chosen(code: str, line: str) -> None:
    game, say = GAMES["abalone"], language(code)
    state = game.decode("1ww2/wwwwww/wwww2w/2w5/4b4/4b3/1bbb1b1/b1bb1b/1bbbb w 0 0")
    drafted = follow(game, state, Draft())
    (first,) = [draft for draft, choice in drafted.offered if choice.word == "h8"]
    chosen = follow(game, state, first)
    assert line in [picker_labels.label(chosen, choice, say) for _, choice in chosen.offered]


def test_a_marble_that_only_moves_with_another_is_named_alone() -> None:
    assert "a3" in labels("abalone", "wwwww/2w1w1/w1w4/1www1ww1/2b1b4/2bb1b2/b6/b1bb1b/1bbbb b 0 0", "en")


@pytest.mark.parametrize(("code", "does"), [("en", "pushes 1 with 2"), ("es", "empuja 1 con 2")])
def test_a_push_says_how_many_push_how_many(code: str, does: str) -> None:
    game, say = GAMES["abalone"], language(code)
    state = game.decode("5/ww2bb/wbw2w1/1ww2bb1/6b2/1b1bwwb1/bw1bwbw/bb2w1/5 w 1 0")
    assert does in {text: shown for shown, text in suggestions(game, state, "", say)}["d5d6*"]


async def test_two_stones_that_capture_together_are_chosen_by_taps(room: Room) -> None:
    live = await placed(room, "abak", "ABAKID=10/S/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10")
    game = live.table.game
    await room.tap(live, game.parse(live.table.state, "14/10+12/10"))
    assert "12/10+14/10*" in [entry.body for entry in (await room.shown()).table.record.entries]


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        (
            "en",
            ["e3 → f2, ends the turn, g1 falls off (white secondary)", "e3 → e4, ends the turn, stops on e8"],
        ),
        (
            "es",
            [
                "e3 → f2, cierra el turno, cae g1 (secundaria blanca)",
                "e3 → e4, cierra el turno, para en e8",
            ],
        ),
    ],
)
def test_the_steps_that_end_the_turn_are_told_apart(code: str, labels: list[str]) -> None:
    state, say = APB.start({}), language(code)
    opened = follow(APB, state, Draft.of(APB, state, APB.parse(state, "e4-d5 f2-g1")))
    said = [picker_labels.label(opened, choice, say) for _, choice in opened.offered]
    assert [shown for shown in said if say("apb.ends_turn") in shown] == labels


@pytest.mark.parametrize(("code", "named"), [("en", "24 → 18 druid"), ("es", "24 → 18 druida")])
def test_a_label_names_a_stone_that_is_no_soldier(code: str, named: str) -> None:
    said = labels("abak", "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:63:0:0:0:0:10", code)
    assert named in said
    assert "13 → 10" in said  # a soldier
