"""The guided tour: prepared positions in which the player tries each special rule once. Private and resumable."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.board import pictures
from bot.board.buttons import rule_button
from bot.board.effects import loses
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, picture_first, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.notation import in_language
from bot.learn.service import LearningService
from bot.moves.draft import Draft, Drafted, DraftOutdated, follow
from bot.moves.labels import ask_where, done_so_far
from bot.moves.layout import filled
from bot.moves.picker import CONTROLS, Verbs, components, preview
from bot.my_games import views as my_games
from engine.core.errors import Refused, Translated
from engine.core.game import Game, Seat
from engine.core.learning import solves
from engine.core.lesson import PLAN, Lesson
from engine.registry import GAMES, find

handlers: Final = Handlers()

LINES: Final = 2
"""The most lines of buttons for the choices. So a phone shows picture, task and buttons at once."""


async def resume(answer: Answer, game: Game[Any, Any]) -> None:
    """Shows the first lesson that the user has not done, or the first of all once the tour is complete."""
    done = await answer.service(LearningService).done(answer.user_id, game.key)
    number = next((at for at, lesson in enumerate(game.lessons) if lesson.key not in done), 0)
    await show(answer, game, number, Draft(), fresh=True)


async def offer(answer: Answer) -> None:
    """Asks which game the user wants to learn."""
    await answer.private(answer.say("learn.which"), view=view_of(tours(answer.say)))


@handlers.on("tours")
async def offer_another(answer: Answer, _press: Press) -> None:
    await offer(answer)


@handlers.on("tour")
async def begin(answer: Answer, press: Press) -> None:
    """Opens the tour chosen in a menu."""
    await resume(answer, find(press.value))


@handlers.on("learn")
async def begin_here(answer: Answer, press: Press) -> None:
    """Opens the tour of the game that the button names."""
    await resume(answer, find(press.subject))


def tours(say: Language) -> PressMenu:
    """Returns the menu of the games' tours."""
    options = [discord.SelectOption(label=game.name, value=key) for key, game in GAMES.items()]
    return PressMenu(Press("tour", "me", 0), say("learn.choose"), options, row=0)


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
    """Returns the draft in the position of the lesson. The piece is always chosen first: such labels are short."""
    return follow(game, game.decode(lesson.position), draft, most_whole=0)


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
    view = buttons(game, number, drafted, say, hinted=hinted)
    file = await picture(game, drafted, say, answer.theme)
    lines = [*([notice] if notice else []), task(game, number, say, hinted=hinted)]
    so_far = [say("picker.so_far", move=in_language(drafted.text_in_order, say))] if drafted.steps else []
    asked = [ask_where(drafted, say)] if drafted.words else []
    lines += [" ".join(so_far + asked)] if so_far or asked else []  # on one line, so that a phone shows the board whole
    await answer.show(None, files=[file], view=picture_first([file], "\n".join(lines), view), fresh=fresh)


def buttons(game: Game[Any, Any], number: int, drafted: Drafted, say: Language, *, hinted: bool) -> discord.ui.View:
    """Returns the choices of a lesson, the button for its hint unless it is ``hinted``, and in the first lesson the way
    to the tour of the game that this one builds on.
    """
    pick = "lesson_hinted" if hinted else "lesson_pick"
    view = components(Verbs(game.key, number, pick, pick, ""), drafted, say, below_of(drafted), lines=LINES, plain=True)
    controls = []
    if not hinted:
        controls.append(PressButton(Press("lesson_hint", game.key, number, str(drafted.draft)), say("button.hint")))
    if game.builds_on and not number and not (drafted.steps or drafted.words):
        basis = find(game.builds_on)
        controls.append(PressButton(Press("lesson", basis.key, 0), say("button.tour_first", game=basis.name)))
    return with_controls(view, controls)


def with_controls(view: discord.ui.View, controls: Sequence[PressButton]) -> discord.ui.View:
    """Returns the choices and the controls, in as few lines of buttons as possible."""
    items = [item for item in view.children if isinstance(item, PressButton)]
    menus = [item for item in view.children if isinstance(item, PressMenu)]
    choices = [item for item in items if item.row != CONTROLS]
    controls = [*(item for item in items if item.row == CONTROLS), *controls]
    if menus:
        return view_of(*choices, *menus, *in_lines(controls, first=(menus[-1].row or 0) + 1))
    return view_of(*in_lines([*choices, *controls]))


def in_lines(buttons: Sequence[PressButton], *, first: int = 0) -> Sequence[PressButton]:
    """Puts buttons into as few rows as a phone has room for, from the row ``first``."""
    for row, line in enumerate(filled([button.label or "" for button in buttons]), first):
        for at in line:
            buttons[at].row = row
    return buttons


async def show_solved(answer: Answer, game: Game[Any, Any], number: int, drafted: Drafted) -> None:
    """Shows the result of a solved lesson, the signs after the first one, and the button to the next lesson."""
    lesson, say = game.lessons[number], answer.say
    lines = [f"{heading(game, number, say)} · {say(f'{game.key}.lesson.{lesson.key}.done')}"]
    lines += [say(f"{game.key}.legend")] if not number and say.has(f"{game.key}.legend") else []
    topics = {topic.key: topic for topic in game.topics}
    if number + 1 < len(game.lessons):
        following = PressButton(Press("lesson", game.key, number + 1), say("button.next_lesson"), "primary")
        view = view_of(*in_lines([following, rule_button(game, topics[lesson.topic], say)]))
        lines += [] if number else [say("learn.stop")]
    else:
        lines.append(say("learn.complete"))
        plan = rule_button(game, topics[PLAN], say, titled=True)
        anyone = PressButton(Press("challenge_all", game.key, 0), say("button.challenge_all"), "primary")
        another = PressButton(Press("tours", "me", 0), say("button.another_tour"))
        view = view_of(*in_lines([*await my_games.machine_button(answer, learnt=game.key), plan, anyone, another]))
    file = await picture(game, drafted, say, answer.theme, done=True)
    await answer.update("\n".join(lines), files=[file], view=view)


async def show_retry(answer: Answer, game: Game[Any, Any], number: int, drafted: Drafted, *, hinted: bool) -> None:
    """Offers another try and the hint after a legal turn that does not solve the lesson."""
    say = answer.say
    helped = Press("lesson_hint", game.key, number)
    again = PressButton(helped if hinted else Press("lesson", game.key, number), say("button.try_again"), "primary")
    ways = [again] if hinted else [again, PressButton(helped, say("button.hint"))]
    file = await picture(game, drafted, say, answer.theme, done=True)
    told = "learn.you_lose" if loses(game, drafted.before, drafted.state) else "learn.not_yet"
    lines = [task(game, number, say, hinted=hinted), say(told, move=in_language(drafted.text, say))]
    lines += [done] if (done := done_so_far(drafted, say)) else []
    await answer.update("\n".join(lines), files=[file], view=view_of(*ways))


def heading(game: Game[Any, Any], number: int, say: Language) -> str:
    return say("learn.heading", game=game.name, number=number + 1, last=len(game.lessons))


def task(game: Game[Any, Any], number: int, say: Language, *, hinted: bool) -> str:
    """Returns the heading and the task, with the hint if it is ``hinted``."""
    lesson = game.lessons[number]
    asked = f"{heading(game, number, say)} · {say(f'{game.key}.lesson.{lesson.key}')}"
    hint = say("learn.hint", hint=Translated(f"@{game.key}.lesson.{lesson.key}.hint"))
    return f"{asked}\n{hint}" if hinted else asked


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
