"""The guided tour: prepared positions in which the player tries each special rule once. Private and resumable."""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.board import pictures
from bot.board.buttons import rule_button
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, picture_first, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.notation import in_language
from bot.learn.service import LearningService
from bot.moves.draft import Draft, Drafted, DraftOutdated, follow
from bot.moves.labels import prompt
from bot.moves.picker import Verbs, components, preview
from bot.my_games import views as my_games
from engine.core.errors import Refused, Translated
from engine.core.game import Game, Seat
from engine.core.learning import solves
from engine.core.lesson import PLAN, Lesson
from engine.registry import GAMES, find

handlers: Final = Handlers()

LINES: Final = 2
"""The most lines of buttons for the choices. So a phone shows picture, task and buttons at once."""
WIDTH: Final = 36
"""The number of letters of buttons that fit into a line on a phone (327 px)."""
EDGES: Final = 4
"""The edges of a button and the gap after it, in letters."""
MOST: Final = 5
"""The most buttons in a row."""
LAST_ROW: Final = 4
"""The row of Undo, Confirm, Cancel and Hint."""


async def resume(answer: Answer, game: Game[Any, Any]) -> None:
    """Shows the first lesson that the user has not done, or the first of all once the tour is complete."""
    done = await answer.service(LearningService).done(answer.user_id, game.key)
    number = next((at for at, lesson in enumerate(game.lessons) if lesson.key not in done), 0)
    await show(answer, game, number, Draft(), fresh=True)


@handlers.on("tour")
async def begin(answer: Answer, press: Press) -> None:
    """Opens the tour chosen in a menu."""
    await resume(answer, find(press.value))


@handlers.on("learn")
async def begin_here(answer: Answer, press: Press) -> None:
    """Opens the tour of the game that the button names."""
    await resume(answer, find(press.subject))


def tours(say: Language, *, without: str = "") -> PressMenu:
    """Returns the menu of the games' tours, without the game ``without``."""
    options = [discord.SelectOption(label=game.name, value=key) for key, game in GAMES.items() if key != without]
    return PressMenu(Press("tour", "me", 0), say("learn.another" if without else "learn.choose"), options, row=0)


@handlers.on("lesson")
async def open_lesson(answer: Answer, press: Press) -> None:
    """Shows a lesson by its number, from its start."""
    game = find(press.subject)
    await show(answer, game, checked_number(game, press.seq), Draft(), fresh=False)


@handlers.on("lesson_pick")
async def choose(answer: Answer, press: Press) -> None:
    """Continues the draft of a lesson. A turn that solves the lesson completes it."""
    await follow_choice(answer, press, hinted=False)


@handlers.on("lesson_hinted")
async def choose_hinted(answer: Answer, press: Press) -> None:
    """Continues the draft of a lesson whose hint is shown."""
    await follow_choice(answer, press, hinted=True)


async def follow_choice(answer: Answer, press: Press, *, hinted: bool) -> None:
    game = find(press.subject)
    lesson = game.lessons[checked_number(game, press.seq)]
    try:
        drafted = drafted_in(game, lesson, Draft.read(press.chosen))
    except DraftOutdated as error:
        await show(answer, game, press.seq, Draft(), fresh=False, hinted=hinted, notice=answer.say.error(error))
        return
    if drafted.steps and solves(game, lesson, drafted.steps):
        await answer.service(LearningService).complete(answer.user_id, game.key, lesson.key)
        await show_solved(answer, game, press.seq, drafted)
    elif drafted.complete:
        await show_retry(answer, game, press.seq, drafted, hinted=hinted)
    else:
        await show(answer, game, press.seq, drafted.draft, fresh=False, hinted=hinted)


@handlers.on("lesson_end")
async def leave(answer: Answer, _press: Press) -> None:
    await answer.update(answer.say("learn.left"))


@handlers.on("lesson_hint")
async def hint(answer: Answer, press: Press) -> None:
    """Shows the lesson with its hint, and the steps chosen so far."""
    game = find(press.subject)
    lesson = game.lessons[checked_number(game, press.seq)]
    try:
        draft = drafted_in(game, lesson, Draft.read(press.rest)).draft
    except DraftOutdated:
        draft = Draft()
    await show(answer, game, press.seq, draft, fresh=False, hinted=True)


def checked_number(game: Game[Any, Any], number: int) -> int:
    """Returns the number of a lesson. Raises Refused if there is none, as after a release with fewer lessons."""
    if number >= len(game.lessons):
        raise Refused("learn.gone")
    return number


def drafted_in(game: Game[Any, Any], lesson: Lesson, draft: Draft) -> Drafted:
    return follow(game, game.decode(lesson.position), draft)


async def show(
    answer: Answer,
    game: Game[Any, Any],
    number: int,
    draft: Draft,
    *,
    fresh: bool,
    hinted: bool = False,
    notice: str = "",
) -> None:
    """Shows the position, the task and the choices. ``notice`` stands above the task.

    ``hinted``: with the hint, which stays until the lesson is over.
    """
    say = answer.say
    drafted = drafted_in(game, game.lessons[number], draft)
    begun = bool(drafted.steps or drafted.words)
    lines = [*([notice] if notice else []), *task(game, number, say, hinted=hinted)]
    pick = "lesson_hinted" if hinted else "lesson_pick"
    view = components(Verbs(game.key, number, pick, pick, "lesson_end"), drafted, say, below_of(drafted))
    view = compact(view, Press(pick, game.key, number), say)
    if not hinted:
        view.add_item(PressButton(Press("lesson_hint", game.key, number, str(draft)), say("button.hint"), row=4))
    if game.builds_on and not number and not begun:
        basis = find(game.builds_on)
        view.add_item(PressButton(Press("lesson", basis.key, 0), say("button.tour_first", game=basis.name), row=4))
    file = await picture(game, drafted, say, answer.theme)
    content = "\n".join([*lines, prompt(drafted, say)])
    await answer.show(None, files=[file], view=picture_first([file], content, view), fresh=fresh)


def compact(view: discord.ui.View, pick: Press, say: Language) -> discord.ui.View:
    """Returns the choices of a picker in at most LINES of buttons, else in one menu,
    so that they fit below the picture.
    """
    items = list(view.children)
    choices = [item for item in items if isinstance(item, PressButton) and item.row != LAST_ROW]
    menus = [item for item in items if isinstance(item, PressMenu)]
    others = [item for item in items if item not in choices and item not in menus]
    packed: list[list[PressButton]] = [[]]
    for button in choices:
        taken = sum(len(each.label or "") + EDGES for each in packed[-1])
        if packed[-1] and (taken + len(button.label or "") + EDGES > WIDTH or len(packed[-1]) == MOST):
            packed.append([])
        packed[-1].append(button)
    if len(packed) <= LINES and not menus:
        for row, line in enumerate(packed):
            for button in line:
                button.row = row
        return view_of(*choices, *others)
    options = [discord.SelectOption(label=button.label or "", value=button.press.rest) for button in choices]
    options += [option for menu in menus for option in menu.options]
    return view_of(PressMenu(pick, say("picker.choose"), options, row=0), *others)


async def show_solved(answer: Answer, game: Game[Any, Any], number: int, drafted: Drafted) -> None:
    """Shows the result of a solved lesson, the signs after the first one, and the button to the next lesson."""
    lesson, say = game.lessons[number], answer.say
    lines = [heading(game, number, say), say(f"{game.key}.lesson.{lesson.key}.done")]
    lines += [say(f"{game.key}.legend")] if not number and say.has(f"{game.key}.legend") else []
    buttons: list[discord.ui.Item[Any]] = []
    if number + 1 < len(game.lessons):
        buttons.append(PressButton(Press("lesson", game.key, number + 1), say("button.next_lesson"), "primary", row=1))
    else:
        lines.append(say("learn.complete", game=game.name))
        anyone = PressButton(Press("challenge_all", game.key, 0), say("button.challenge_all"), "primary", row=1)
        buttons += [tours(say, without=game.key), *await my_games.machine_button(answer, row=1), anyone]
    topics = {topic.key: topic for topic in game.topics}
    read_next = [lesson.topic, *([PLAN] if number + 1 == len(game.lessons) else [])]
    buttons += [rule_button(game, topics[key], say, titled=key == PLAN, row=1) for key in read_next]
    file = await picture(game, drafted, say, answer.theme, done=True)
    await answer.update("\n".join(lines), files=[file], view=view_of(*buttons))


async def show_retry(answer: Answer, game: Game[Any, Any], number: int, drafted: Drafted, *, hinted: bool) -> None:
    """Offers another try and the hint after a legal turn that does not solve the lesson."""
    say = answer.say
    helped = Press("lesson_hint", game.key, number)
    again = PressButton(helped if hinted else Press("lesson", game.key, number), say("button.try_again"), "primary")
    buttons = [again] if hinted else [again, PressButton(helped, say("button.hint"))]
    file = await picture(game, drafted, say, answer.theme, done=True)
    lines = [*task(game, number, say, hinted=hinted), say("learn.not_yet", move=in_language(drafted.text, say))]
    await answer.update("\n".join(lines), files=[file], view=view_of(*buttons))


def heading(game: Game[Any, Any], number: int, say: Language) -> str:
    return say("learn.heading", game=game.name, number=number + 1, last=len(game.lessons))


def task(game: Game[Any, Any], number: int, say: Language, *, hinted: bool) -> list[str]:
    """Returns the heading and the task, with the hint if it is ``hinted``."""
    lesson = game.lessons[number]
    lines = [heading(game, number, say), say(f"{game.key}.lesson.{lesson.key}")]
    return [*lines, *([say("learn.hint", hint=Translated(f"@{game.key}.lesson.{lesson.key}.hint"))] if hinted else [])]


def below_of(drafted: Drafted) -> Seat:
    """Returns the seat below: the learner's."""
    return drafted.game.to_act(drafted.before) or 0


async def picture(
    game: Game[Any, Any], drafted: Drafted, say: Language, theme: str, *, done: bool = False
) -> discord.File:
    """Returns the picture of the lesson. ``done``: without targets, even if the turn could go on."""
    view = preview(drafted, below_of(drafted), (), theme)
    if done:
        view = replace(view, targets=())
    return await pictures.of_state(game, drafted.state, view, say)
