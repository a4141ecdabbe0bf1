"""The picker: a player chooses a turn in private. It shows a preview, the next choices, Undo and Confirm.

The whole draft is in the custom_ids. Nothing is kept in memory, so a picker survives a restart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures
from bot.board.cube_actions import needs_confirmation
from bot.board.effects import loses, loses_piece
from bot.board.views import current
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.open_messages import OpenMessages
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.moves.draft import Draft, Drafted, DraftOutdated, follow, opening
from bot.moves.labels import ends_turn, label, loses_by, menu_prompt, plain_label, prompt
from bot.moves.layout import LINES, TALL_LINES, laid_out
from bot.moves.targets import DOT, chosen_stones, rows_of, signs_by_draft, targets
from bot.my_games import views as my_games
from bot.players.asker import names_of
from engine.core.game import Mark, Seat
from engine.core.search import Choice
from render import registry
from render.view import View

handlers: Final = Handlers()

CONTROLS: Final = 4
"""The row of Undo, Confirm and Cancel."""


@handlers.on("move")
async def open_picker(answer: Answer, press: Press) -> None:
    live = await current(answer, press)
    if live is not None:
        await begin(answer, live)


async def begin(answer: Answer, live: LiveGame) -> None:
    """Opens a new picker. Steps without an alternative are already chosen."""
    await show(answer, live, first_draft(live), fresh=True)


def first_draft(live: LiveGame) -> Drafted:
    """Returns the first draft of a picker. Steps without an alternative are already chosen."""
    return follow(live.game, live.state, opening(live.game, live.state))


async def draft_of(answer: Answer, live: LiveGame, text: str) -> Drafted | None:
    """Returns the draft in a button. If it is outdated, restarts the picker with a notice and returns None."""
    try:
        return follow(live.game, live.state, Draft.read(text))
    except DraftOutdated as error:
        await show(answer, live, first_draft(live), fresh=False, text=answer.say.error(error))
        return None


@handlers.on("pick")
async def choose(answer: Answer, press: Press) -> None:
    """Continues the picker with the draft in the button: a choice or Undo."""
    live = await current(answer, press)
    if live is None:
        return
    drafted = await draft_of(answer, live, press.chosen)
    if drafted is None:
        return
    if drafted.complete and plays_at_once(drafted, answer.prefs["confirm"]):
        await play(answer, live, drafted)
    else:
        await show(answer, live, drafted, fresh=False)


@handlers.on("only")
async def play_only(answer: Answer, press: Press) -> None:
    """Plays the forced turn of the button. It asks first if the player confirms every turn, or if the turn loses the
    game or an own piece.
    """
    live = await current(answer, press)
    if live is None:
        return
    drafted = first_draft(live)
    if drafted.complete and plays_without_confirmation(drafted, answer.prefs["confirm"]):
        await play(answer, live, drafted, fresh=True)
    else:
        await show(answer, live, drafted, fresh=True)


def plays_at_once(drafted: Drafted, confirm: str) -> bool:
    """Returns whether a complete turn is played without confirmation once its last step is chosen.

    ``confirm`` is the value of the preference of that name.
    """
    if confirm == "long" and len(drafted.steps) > 1:
        return False
    return plays_without_confirmation(drafted, confirm)


def plays_without_confirmation(drafted: Drafted, confirm: str) -> bool:
    """Returns whether a complete turn is played without confirmation when a button or text named it as a whole.

    A turn that loses the game or an own piece, or has a cube action that needs confirmation, always needs it.
    """
    if needs_confirmation(drafted.game, drafted.before, drafted.steps):
        return False
    if loses_piece(drafted.game, drafted.before, drafted.steps):
        return False
    return confirm != "always" and not loses(drafted.game, drafted.before, drafted.state)


@handlers.on("confirm")
async def confirm(answer: Answer, press: Press) -> None:
    """Plays the turn of the draft after Confirm."""
    live = await current(answer, press)
    drafted = None if live is None else await draft_of(answer, live, press.rest)
    if live is not None and drafted is not None:
        await play(answer, live, drafted)


async def play(answer: Answer, live: LiveGame, drafted: Drafted, *, fresh: bool = False) -> None:
    """Plays the turn. ``fresh``: it was not chosen in a picker."""
    after = await answer.service(GameService).play(live.id, answer.user_id, live.seq, drafted.steps)
    pickers = answer.service(OpenMessages)
    if not fresh:
        pickers.forget(answer.user_id, live.id)
    await my_games.after_move(answer, after, fresh=fresh)
    await pickers.close(answer.user_id, live.id)  # a picker may be open even if the turn was typed


handlers.says("cancel_pick", "picker.cancelled")


async def show(
    answer: Answer, live: LiveGame, drafted: Drafted, *, fresh: bool, text: str = "", more: Sequence[PressButton] = ()
) -> None:
    """Shows the picker with a draft, in a new private message or in the old one.

    ``text`` is put above the prompt; ``more`` are up to two buttons below.
    """
    below, names = board.side_below(live, answer.user_id, answer.prefs["below"]), await names_of(answer, live.players)
    view = preview(drafted, below, pictures.last_marks(live.table), answer.theme, names)
    file = await pictures.picture(live.table, drafted.state, view, answer.say)
    content = prompt(drafted, answer.say)
    buttons = components(Verbs(live.id, live.seq), drafted, answer.say, below)
    for button in more:
        buttons.add_item(button)
    await answer.show(f"{text}\n{content}" if text else content, files=[file], view=buttons, fresh=fresh)
    if fresh:
        await answer.service(OpenMessages).replace(answer, live.id)


def preview(
    drafted: Drafted, below: Seat, last: tuple[Mark, ...], theme: str, names: tuple[str, str] = ("", "")
) -> View:
    """Returns the picture of a draft: its steps and the next choices. Before the first step, the ``last`` turn is
    marked.
    """
    marks: list[Mark] = []
    state = drafted.before
    for step in drafted.steps:
        marks += drafted.game.marks(state, step)
        state = drafted.game.apply(state, step)
    last = () if drafted.steps else last
    chosen = (*marks, *chosen_stones(drafted))
    before = drafted.before if drafted.steps else None
    aims = targets(drafted, below)
    return View(below=below, last=last, chosen=chosen, before=before, targets=aims, theme=theme, names=names)


@dataclass(frozen=True, slots=True)
class Verbs:
    """The verbs and the subject of the buttons, for a game in play or for a lesson."""

    subject: str
    seq: int
    pick: str = "pick"
    confirm: str = "confirm"
    cancel: str = "cancel_pick"

    def press(self, verb: str, rest: str = "") -> Press:
        return Press(verb, self.subject, self.seq, rest)


def components(
    verbs: Verbs, drafted: Drafted, say: Language, below: Seat, *, lines: int | None = None, plain: bool = False
) -> discord.ui.View:
    """Returns the choices as buttons in their order on the board, and as a menu what would push the board out of view.

    Choices that end a turn of many steps are kept apart. Undo, Confirm and Cancel follow. ``lines``: the most lines of
    choices on a phone; by default those that fit below the game's board. ``plain``: without the effects of the choices,
    and without the names of the pieces where these would send a choice into the menu, as the board shows their signs.
    """
    signs = {draft: sign for draft, (sign, _) in signs_by_draft(drafted, below).items() if sign != DOT}
    placed = [(row, *offered) for row, line in enumerate(rows_of(drafted, below)) for offered in line]

    def labelled(written: Callable[[Drafted, Choice[Any], Language], str]) -> list[str]:
        return [
            (f"{signs[draft]}: " if draft in signs else "") + written(drafted, choice, say)
            for _, draft, choice in placed
        ]

    labels = labelled(plain_label if plain else label)
    ending = {at for at, (_, _, choice) in enumerate(placed) if not plain and ends_turn(drafted, choice, say)}
    if lines is None:
        lines = TALL_LINES if registry.is_tall(drafted.game.key) else LINES
    rows = [row for row, *_ in placed]
    layout = laid_out(labels, rows, ending, lines)
    if plain and layout.menu:
        short = labelled(partial(plain_label, named=False))
        shorter_layout = laid_out(short, rows, ending, lines)
        if not shorter_layout.menu:
            labels, layout = short, shorter_layout
    items: list[discord.ui.Item[Any]] = []
    for row, shown in enumerate(layout.rows):
        for at in shown:
            _, draft, choice = placed[at]
            loss = not plain and loses_by(drafted, choice)
            style = "danger" if loss else "primary" if at in ending else "plain"
            items.append(PressButton(verbs.press(verbs.pick, str(draft)), labels[at], style, row=row))
    if layout.menu:
        options = [discord.SelectOption(label=labels[at], value=str(placed[at][1])) for at in layout.menu]
        prompt = menu_prompt(drafted, [placed[at][2] for at in layout.menu], say, alone=not layout.rows)
        items.append(PressMenu(verbs.press(verbs.pick), prompt, options, row=len(layout.rows)))
    if drafted.complete:
        style = "danger" if loses(drafted.game, drafted.before, drafted.state) else "good"
        pressed = verbs.press(verbs.confirm, str(drafted.draft))
        items.append(PressButton(pressed, say("button.confirm"), style, row=CONTROLS))
    if (shorter := drafted.undone()) is not None:
        items.append(PressButton(verbs.press(verbs.pick, str(shorter)), say("button.undo"), row=CONTROLS))
    if verbs.cancel:
        items.append(PressButton(verbs.press(verbs.cancel), say("button.cancel"), row=CONTROLS))
    return view_of(*items)
