"""The guided tours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.bot import SPANISH, Room, choose_words, private, told, verbs, worded_path
from harness.discord import alt, components, menus, text

from bot.board import pictures
from bot.board.effects import effects, loses
from bot.core.translations import language
from bot.learn import tour
from bot.moves.draft import Draft
from bot.moves.layout import fits
from engine.core.learning import solves
from engine.games.abak.board import CLASSES
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.moves.draft import Drafted
    from render.view import View

EN = language("en")
MOST_ROWS = 3
"""The most lines of buttons that leave a phone of 390 by 760 pixels room for the board and the task."""


async def do_lesson(room: Room, game: str, number: int) -> None:
    """Makes the first turn that the lesson names, by the picker of the tour, until that is what was asked for."""
    played, lesson, who = GAMES[game], GAMES[game].lessons[number], room.ana
    state, tour = played.decode(lesson.position), private(who)
    for step in played.parse(state, lesson.turns[0]):
        words = worded_path(played, state, step, room.say)
        while words:
            words = words[await choose_words(who, who.fresh(tour), words, of=("lesson_pick",)) :]
        state = played.apply(state, step)
        if room.say(f"{game}.lesson.{lesson.key}.done") in told(who):
            return


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_first_lesson_of_abak_ends_with_what_its_signs_mean_and_so_do_the_rules_in_short(
    room: Room, locale: str
) -> None:
    room.speak(locale)
    await room.ana.slash("abak learn", game="abak")
    legend = room.say("abak.legend")
    await do_lesson(room, "abak", 0)
    assert legend in told(room.ana)
    for letter in CLASSES:
        name = room.say(f"abak.word.bar:{letter}").partition("(")[2].rstrip(")")
        assert f"{name} ({letter})" in legend
        assert re.search(rf"\*\*{name}\*\* \({letter}, ", room.say("abak.rules"), re.IGNORECASE)
    await room.ana.press(room.say("button.next_lesson"), private(room.ana))
    assert legend not in told(room.ana)
    await do_lesson(room, "abak", 1)
    assert legend not in told(room.ana)


@pytest.mark.parametrize("verb", ["lesson", "lesson_pick", "lesson_hint"])
async def test_a_lesson_of_an_earlier_release_leads_to_the_tour_of_now(
    room: Room, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.ana.slash("abak learn", game="apb")
    tour, game = private(room.ana), GAMES["apb"]
    if verb == "lesson":
        await do_lesson(room, "apb", 0)
    monkeypatch.setattr(type(game), "lessons", game.lessons[: 1 if verb == "lesson" else 0])
    await room.ana.press(f"b:{verb}:", tour)
    assert told(room.ana) == EN("learn.gone")


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("game", GAMES)
async def test_a_tour_is_taken_from_its_first_lesson_to_its_last(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    say, lessons = room.say, GAMES[game].lessons
    await room.ana.slash("abak learn", game=game)
    tour = private(room.ana)
    for number, lesson in enumerate(lessons):
        assert say(f"{game}.lesson.{lesson.key}") in told(room.ana)
        await do_lesson(room, game, number)
        assert say(f"{game}.lesson.{lesson.key}.done") in told(room.ana)
        assert len(alt(private(room.ana))) == 1
        if number + 1 < len(lessons):
            await room.ana.press("b:lesson:", tour)
    assert say("learn.complete") in told(room.ana)
    assert tour["id"] == private(room.ana)["id"], "the tour goes on in one message"
    assert room.ben.messages == []
    assert menus(room.ana.fresh(tour)) == [], "the board stays in view"
    others = [key for key in GAMES if key != game]
    await room.ana.press(say("button.another_tour"), tour)
    await room.ana.choose(others[0], menu="m:tour:", message=private(room.ana))
    assert say(f"{others[0]}.lesson.{GAMES[others[0]].lessons[0].key}") in told(room.ana)
    await room.ana.press(say(f"{game}.topic.plan.title"), tour)
    assert say(f"{game}.topic.plan") in told(room.ana)
    assert "machine" in verbs(private(room.ana))
    await room.ana.press(say("button.machine"), tour)
    assert "machine_play" in verbs(private(room.ana))
    await room.ana.press("b:challenge_all:", tour)
    said = say("challenge.open", challenger=room.ana.mention, game=GAMES[game].name, layout="")
    assert said in text(room.ben.messages[-1])
    await room.ben.press("b:accept_challenge:", room.ben.messages[-1])
    assert (await room.shown()).table.game.key == game
    await room.ana.slash("abak learn", game=game)
    assert say(f"{game}.lesson.{lessons[0].key}") in told(room.ana)


@pytest.mark.parametrize("game", ["backgammon"])
async def test_a_tour_is_taken_lesson_by_lesson_and_resumed(room: Room, game: str) -> None:
    lessons = GAMES[game].lessons
    await room.ana.slash("abak learn", game=game)
    assert EN(f"{game}.lesson.{lessons[0].key}") in told(room.ana)
    await do_lesson(room, game, 0)
    assert EN(f"{game}.lesson.{lessons[0].key}.done") in told(room.ana)
    assert EN("learn.stop") in told(room.ana)
    await room.ana.press(EN("button.next_lesson"), private(room.ana))
    assert EN(f"{game}.lesson.{lessons[1].key}") in told(room.ana)
    await room.ana.slash("abak learn", game=game)
    assert EN(f"{game}.lesson.{lessons[1].key}") in told(room.ana)
    await room.ben.slash("abak learn", game=game)
    assert EN(f"{game}.lesson.{lessons[0].key}") in told(room.ben)


async def test_without_a_game_the_command_asks_which_one(room: Room) -> None:
    await room.ana.slash("abak learn")
    assert told(room.ana) == EN("learn.which")
    await room.ana.choose("abalone", menu="m:tour:", message=private(room.ana))
    assert EN(f"abalone.lesson.{GAMES['abalone'].lessons[0].key}") in told(room.ana)


@pytest.mark.parametrize("game", GAMES)
async def test_a_hint_stays_with_what_was_chosen_until_the_lesson_is_done(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    lesson, tour = GAMES[game].lessons[0], private(room.ana)
    state = GAMES[game].decode(lesson.position)
    [first, *_] = GAMES[game].parse(state, lesson.turns[0])
    hint, done = (EN(f"{game}.lesson.{lesson.key}.{which}") for which in ("hint", "done"))
    words = worded_path(GAMES[game], state, first, EN)
    taken = await choose_words(room.ana, tour, words, of=("lesson_pick",))
    if done not in told(room.ana):
        await room.ana.press(EN("button.hint"), tour)
        assert hint in told(room.ana)
        assert "b:lesson_hint:" not in str(list(components(room.ana.fresh(tour))))
        assert EN("button.undo") in str(list(components(room.ana.fresh(tour)))), "what was chosen is kept"
        if words[taken:]:
            await choose_words(room.ana, room.ana.fresh(tour), words[taken:], of=("lesson_hinted",))
        assert (hint in told(room.ana)) != (done in told(room.ana))


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize(("key", "told_key"), [("abalone", "learn.not_yet"), ("apb", "learn.you_lose")])
async def test_a_wrong_answer_leaves_the_task_in_view(room: Room, locale: str, key: str, told_key: str) -> None:
    room.speak(locale)
    game = GAMES[key]
    lesson, state = game.lessons[0], game.decode(game.lessons[0].position)
    await room.ana.slash("abak learn", game=key)
    shown = private(room.ana)
    wrong = next(
        step
        for step in game.legal(state)
        if not solves(game, lesson, (step,))
        and loses(game, state, game.apply(state, step)) == (told_key == "learn.you_lose")
    )
    words = worded_path(game, state, wrong, room.say)
    while words:
        words = words[await choose_words(room.ana, room.ana.fresh(shown), words, of=("lesson_pick",)) :]
    assert room.say(told_key, move=game.format(state, (wrong,))) in told(room.ana)
    done = effects(game.notes(state, wrong), room.say)
    assert not done or f"→ {'; '.join(done)}" in told(room.ana), "it says why"
    assert done or told_key != "learn.you_lose"
    assert room.say(f"{key}.lesson.{lesson.key}") in told(room.ana)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_lesson_leaves_a_choice_on_its_board(game: Any) -> None:
    """With a single legal play, the picker offers one button, and there is nothing to find or to undo. Where a rule
    leaves no choice, the tempting play that it forbids is the lesson.
    """
    for lesson in game.lessons:
        state = game.decode(lesson.position)
        forced = len(game.legal(state)) == 1
        assert not forced or lesson.refused, lesson.key


@pytest.mark.parametrize("game", GAMES)
async def test_the_choices_of_a_lesson_do_not_give_away_what_they_do(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    shown = [x for x in components(private(room.ana)) if ":lesson_pick:" in x.get("custom_id", "")]
    assert shown
    assert all("," not in x["label"] and x["style"] == 2 for x in shown)


async def test_a_lesson_asks_where_a_chosen_piece_goes(room: Room) -> None:
    await room.ana.slash("abak learn", game="apb")
    assert EN("picker.where", piece="e3") not in told(room.ana)
    await room.ana.press("e3", private(room.ana))
    assert EN("picker.where", piece="e3") in told(room.ana)


def test_a_lesson_names_the_cell_where_a_piece_ends_only_once_it_is_chosen() -> None:
    """Else one of the pieces to choose from would stand out, and give away what it does."""
    game = GAMES["apb"]
    lesson = next(each for each in game.lessons if each.key == "room")
    state = game.decode(lesson.position)
    first = tour.drafted_in(game, lesson, Draft.of(game, state, game.parse(state, lesson.turns[0])[:1]))
    labels = [str(button.label) for button in tour.buttons(game, 0, first, EN, hinted=False).children]
    assert "e3 → e4" in labels


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_shows_its_picture_then_the_task_then_the_choices(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    shown = private(room.ana)
    picture, task, *choices = shown["components"]
    assert [picture["type"], task["type"], {row["type"] for row in choices}] == [12, 10, {1}]
    assert picture["items"][0]["description"] == alt(shown)[0]
    assert len(choices) <= tour.LINES + 1


def drafts_of(game: Any, lesson: Any) -> Iterator[Drafted]:
    """Yields what a learner may see of a lesson: after each step of each turn that it names, the choices of a piece,
    and where each one may go.
    """
    state = game.decode(lesson.position)
    for turn in lesson.turns:
        steps = game.parse(state, turn)
        for count in range(len(steps)):
            pieces = tour.drafted_in(game, lesson, Draft.of(game, state, steps[:count]))
            yield pieces
            yield from (tour.drafted_in(game, lesson, draft) for draft, choice in pieces.offered if choice.step is None)


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_buttons_of_every_lesson_leave_a_phone_room_for_its_board(game: Any, code: str) -> None:
    for number, lesson in enumerate(game.lessons):
        for drafted in drafts_of(game, lesson):
            for hinted in (False, True):
                rows = tour.buttons(game, number, drafted, language(code), hinted=hinted).to_components()
                labels = [[one.get("label", "") for one in row["components"]] for row in rows]
                assert len(rows) <= MOST_ROWS, (lesson.key, labels)
                assert all(map(fits, labels)), (lesson.key, labels)


@pytest.mark.parametrize("code", ["en", "es"])
def test_no_lesson_of_abak_hides_a_piece_in_a_menu(code: str) -> None:
    game = GAMES["abak"]
    for number, lesson in enumerate(game.lessons):
        for drafted in drafts_of(game, lesson):
            rows = tour.buttons(game, number, drafted, language(code), hinted=False).to_components()
            kinds = {one["type"] for row in rows for one in row["components"]}
            assert discord.ComponentType.select.value not in kinds, lesson.key


async def test_the_tour_of_a_game_that_presupposes_another_offers_that_one_first(room: Room) -> None:
    for key, game in GAMES.items():
        await room.ana.slash("abak learn", game=key)
        shown = private(room.ana)
        if not game.builds_on:
            assert verbs(shown).count("lesson") == 0
            continue
        await room.ana.press("b:lesson:", shown)
        basis = GAMES[game.builds_on]
        assert EN(f"{basis.key}.lesson.{basis.lessons[0].key}") in text(room.ana.fresh(shown))


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_a_tour_begins_with_the_aim_and_the_rules_in_short_with_how_the_game_is_won(game: str, code: str) -> None:
    say = language(code)
    aim, won = {"en": ("**Aim:**", "**You win**"), "es": ("**Objetivo:**", "**Ganas**")}[code]
    assert say(f"{game}.lesson.{GAMES[game].lessons[0].key}").startswith(aim)
    assert say(f"{game}.topic.{GAMES[game].topics[0].key}").count(aim) == 1
    assert say(f"{game}.rules").splitlines()[1].startswith(won)


async def test_a_lesson_that_is_done_offers_no_more_pieces(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[View] = []
    paint = pictures.of_state

    async def recording(game: Any, state: Any, view: View, *rest: Any) -> discord.File:
        shown.append(view)
        return await paint(game, state, view, *rest)

    monkeypatch.setattr(pictures, "of_state", recording)
    await room.ana.slash("abak learn", game="apb")
    lessons = GAMES["apb"].lessons
    for number, lesson in enumerate(lessons):
        await do_lesson(room, "apb", number)
        if lesson.key == "strike":
            break
        await room.ana.press("b:lesson:", private(room.ana))
    assert EN("apb.lesson.strike.done") in told(room.ana)  # the turn could go on
    assert [bool(view.targets) for view in (shown[0], shown[-1])] == [True, False]
    assert shown[-1].chosen
