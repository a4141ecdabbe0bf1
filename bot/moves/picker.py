"""Choosing a turn in private: a preview with the steps so far, the next choices, Undo and Confirm.

The whole draft is in the custom_ids: nothing is kept in memory, and a picker goes on after a restart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures
from bot.board.cube_actions import needs_confirmation
from bot.board.effects import effects, loses, notes_of, sole
from bot.board.views import current
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import LABEL_LENGTH, PressButton, PressMenu, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.moves.draft import Draft, Drafted, follow
from bot.moves.targets import FROM, TO, Offered, held, lettered, lines, targets
from bot.my_games import views as my_games
from bot.players.asker import names_of
from engine.core.game import Mark, Seat
from engine.core.search import Choice
from render.view import View

handlers: Final = Handlers()

BUTTONS: Final = 20
"""Four rows of five; the fifth row is for Undo, Confirm and Cancel."""
ROW: Final = 5
"""Buttons in a row."""
OPTION_LENGTH: Final = 100
PARTNER: Final = 2
"""Which word of a path names a second piece that goes to the same place, where a game has such steps."""


@handlers.on("move")
async def open_picker(answer: Answer, press: Press) -> None:
    """The Move button of a board: opens the picker in a private message."""
    live = await current(answer, press)
    if live is not None:
        await begin(answer, live)


async def begin(answer: Answer, live: LiveGame) -> None:
    """A new picker; where there is but one turn, with that turn in it."""
    game, state = live.table.game, live.table.state
    await show(answer, live, Draft.of(game, state, sole(game, state)), fresh=True)


@handlers.on("pick")
async def choose(answer: Answer, press: Press) -> None:
    """A choice, or Undo: the picker goes on from the draft that the button carries."""
    live = await current(answer, press)
    if live is None:
        return
    draft = Draft.read(press.values[0] if press.values else press.rest)
    drafted = follow(live.table.game, live.table.state, draft)
    if drafted.complete and at_once(drafted, answer.prefs["confirm"]):
        await play(answer, live, drafted)
    else:
        await show(answer, live, draft, fresh=False)


@handlers.on("only")
async def play_only(answer: Answer, press: Press) -> None:
    """The button of a turn without a choice, for who plays those themselves: it names the turn, so nothing is asked
    unless they are always asked, or lose by it.
    """
    live = await current(answer, press)
    if live is None:
        return
    game, state = live.table.game, live.table.state
    drafted = follow(game, state, Draft.of(game, state, sole(game, state)))
    if drafted.complete and may_be_played(drafted, answer.prefs["confirm"]):
        after = await answer.service(GameService).play(live.id, answer.user_id, live.table.seq, drafted.text)
        content, view = await my_games.told_played(answer, live.table.seq, after)
        await answer.private(content, view=view)
    else:
        await show(answer, live, drafted.draft, fresh=True)


def at_once(drafted: Drafted, confirm: str) -> bool:
    """Whether a complete turn is played without asking once its last step is chosen."""
    if confirm == "long" and len(drafted.steps) > 1:
        return False
    return may_be_played(drafted, confirm)


def may_be_played(drafted: Drafted, confirm: str) -> bool:
    """Whether a complete turn that was named as a whole is played without asking. One that loses the game is always
    asked about, and so is what is never said by habit.
    """
    if needs_confirmation(drafted.game, drafted.before, drafted.steps):
        return False
    return confirm != "always" and not loses(drafted.game, drafted.before, drafted.state)


@handlers.on("confirm")
async def confirm(answer: Answer, press: Press) -> None:
    """Plays the drafted turn."""
    live = await current(answer, press)
    if live is None:
        return
    await play(answer, live, follow(live.table.game, live.table.state, Draft.read(press.rest)))


async def play(answer: Answer, live: LiveGame, drafted: Drafted) -> None:
    """Plays the turn, and says so where it was chosen."""
    seq = live.table.seq
    after = await answer.service(GameService).play(live.id, answer.user_id, seq, drafted.text)
    content, view = await my_games.told_played(answer, seq, after)
    await answer.update(content, view=view)


handlers.says("cancel_pick", "picker.cancelled")


async def show(
    answer: Answer, live: LiveGame, draft: Draft, *, fresh: bool, told: str = "", more: Sequence[PressButton] = ()
) -> None:
    """The picker at a draft: a new private message, or the old one changed. What is ``told`` stands first, and up to
    two buttons ``more`` below.
    """
    drafted = follow(live.table.game, live.table.state, draft)
    below, names = board.side_below(live, answer.user_id, answer.prefs["below"]), await names_of(answer, live.players)
    view = preview(drafted, below, pictures.last_marks(live.table), answer.theme, names)
    file = await pictures.picture(live.table, drafted.state, view, answer.say)
    content = words(drafted, answer.say)
    buttons = components(Verbs(live.id, live.table.seq), drafted, answer.say, below)
    for button in more:
        buttons.add_item(button)
    await answer.show(f"{told}\n{content}" if told else content, files=[file], view=buttons, fresh=fresh)


def preview(
    drafted: Drafted, below: Seat, last: tuple[Mark, ...], theme: str, names: tuple[str, str] = ("", "")
) -> View:
    """The ``last`` play marked before the first step, then the steps of the draft; and what can be chosen next."""
    marks: list[Mark] = []
    state = drafted.before
    for step in drafted.steps:
        marks += drafted.game.marks(state, step)
        state = drafted.game.apply(state, step)
    last = () if drafted.steps else last
    chosen = (*marks, *held(drafted))
    return View(below=below, last=last, chosen=chosen, targets=targets(drafted, below), theme=theme, names=names)


def words(drafted: Drafted, say: Language) -> str:
    """What is chosen so far and what is asked."""
    lines = [say("picker.so_far", move=drafted.text)] if drafted.steps else []
    lines += [told] if (told := done_so_far(drafted, say)) else []
    if drafted.complete:
        lost = loses(drafted.game, drafted.before, drafted.state)
        lines.append(say("picker.confirm_loss" if lost else "picker.confirm"))
    elif drafted.words:
        lines.append(where(drafted, say))
    else:
        lines.append(say("picker.what"))
    return "\n".join([*lines, *warned(drafted, say)])


def warned(drafted: Drafted, say: Language) -> list[str]:
    """Says that nothing but losing is left, and how to get back where something was chosen."""
    if drafted.complete or not all(loses_by(drafted, choice) for _, choice in drafted.offered):
        return []
    return [say("picker.all_lose" if drafted.draft == Draft() else "picker.all_lose_undo")]


def done_so_far(drafted: Drafted, say: Language) -> str:
    """What the chosen steps do, and how many there are where a game counts them; nothing where they only move."""
    game, steps = drafted.game, drafted.steps
    told = effects(notes_of(game, drafted.before, steps), say)
    if steps and not drafted.complete and say.has(f"{game.key}.stepped"):
        told = [say(f"{game.key}.stepped", n=len(steps)), *told]
    return f"→ {'; '.join(told)}" if told else ""


def where(drafted: Drafted, say: Language) -> str:
    """Asks for what follows the words that are chosen; a group says itself with which piece it begins."""
    following = (*drafted.words[1:], "")
    said = [word for word, then in zip(drafted.words, following, strict=True) if not then.startswith(f"{word}-")]
    return say("picker.where", piece=" ".join(word_text(drafted.game.key, word, say) for word in said))


def word_text(game: str, word: str, say: Language) -> str:
    """A word of a path as a player reads it; most are cells and read as they are, a group is ``c3-c5``."""
    key, group = f"{game}.word.{word}", f"{game}.word.group"
    if say.has(key):
        return say(key)
    first, dash, last = word.partition("-")
    return say(group, first=first, last=last) if dash and say.has(group) else word


def words_text(game: str, words: Sequence[str], chosen: int, say: Language) -> str:
    """The rest of a path, ``chosen`` words of it being known: ``14 → 10``; what goes to the same place, ``with 12``."""
    shown = [word_text(game, word, say) for word in words]
    apart = max(PARTNER - chosen, 0) if say.has(f"{game}.word.with") else len(shown)
    partners = [say(f"{game}.word.with", first=word) for word in shown[apart:]]
    return " ".join([*([" → ".join(shown[:apart])] if apart else []), *partners])


def label(drafted: Drafted, choice: Choice[Any], say: Language) -> str:
    """A choice with what it does: ``8 → 5, hits``; with an ellipsis where a group is chosen and has yet to go."""
    game, state = drafted.game, drafted.state
    text = words_text(game.key, choice.word.split(" → "), len(drafted.words), say)
    ends = [say(f"{game.key}.ends_turn")] if ends_turn(drafted, choice, say) else []
    lost = [say("picker.loses")] if loses_by(drafted, choice) else []
    if choice.step is None:
        together = moved_together(drafted, choice, say)
        return f"{', '.join([text, *together, *ends])}{'…' if together else ''}{''.join(f', {said}' for said in lost)}"
    notes = game.notes(state, choice.step)
    if any(note.key.endswith(".loses") for note in notes):
        lost = []
    return ", ".join([group_text(drafted, choice.step, say) or text, *lost, *(say.note(note) for note in notes)])


def moved_together(drafted: Drafted, choice: Choice[Any], say: Language) -> list[str]:
    """How many pieces a group has that is yet to go, of a game in which one alone can be moved as well."""
    game, state = drafted.game, drafted.state
    if not drafted.words or not say.has(f"{game.key}.together.group"):
        return []
    counts = {sum(mark.kind == FROM for mark in game.marks(state, step)) for step in choice.steps}
    n = counts.pop()
    return [] if counts or n == 1 else [say(f"{game.key}.together.group", n=n)]


def group_text(drafted: Drafted, step: Any, say: Language) -> str:
    """Where the pieces stand that a step moves together, and where they go: ``c4-c3 → c2``. Empty for one piece."""
    game = drafted.game
    marks = game.marks(drafted.state, step)
    went = {mark.cell: mark.to for mark in marks if mark.kind == FROM}
    if len(went) == 1 or not say.has(f"{game.key}.together.line"):
        return ""
    entered = [mark.cell for mark in marks if mark.kind == TO and mark.cell not in went]
    if len(entered) == 1:
        rear = next(cell for cell in went if cell not in went.values())
        front = next(cell for cell, to in went.items() if to == entered[0])
        return say(f"{game.key}.together.line", first=rear, last=front, cell=entered[0])
    (first, to), *_, (last, end) = went.items()
    return say(f"{game.key}.together.side", first=first, last=last, to=to, end=end)


def ends_turn(drafted: Drafted, choice: Choice[Any], say: Language) -> bool:
    """Whether it is to be said of a piece that its step ends the turn: in a game in which any may step before."""
    game, state = drafted.game, drafted.state
    if drafted.words or choice.step is not None or not say.has(f"{game.key}.ends_turn"):
        return False
    return all(game.to_act(game.apply(state, step)) != game.to_act(state) for step in choice.steps)


def loses_by(drafted: Drafted, choice: Choice[Any]) -> bool:
    """Whether whatever a choice may lead to loses the game at once."""
    game, state = drafted.game, drafted.state
    return all(loses(game, drafted.before, game.apply(state, step)) for step in choice.steps)


@dataclass(frozen=True, slots=True)
class Verbs:
    """What the buttons of a picker are about: a game in play, or a lesson."""

    subject: str
    seq: int
    pick: str = "pick"
    confirm: str = "confirm"
    cancel: str = "cancel_pick"

    def press(self, verb: str, rest: str = "") -> Press:
        return Press(verb, self.subject, self.seq, rest)


def rows(placed: Sequence[Sequence[Offered]]) -> list[list[Offered]]:
    """The choices in rows of buttons: a board's row in one or more of its own if that fits, else one after another."""
    own = [part for line in placed for part in split(line, -(-len(line) // ROW))]
    if len(own) * ROW <= BUTTONS:
        return own
    together = [offered for line in placed for offered in line]
    return [together[at : at + ROW] for at in range(0, len(together), ROW)]


def split(line: Sequence[Offered], parts: int) -> list[list[Offered]]:
    """A line in so many parts of nearly the same length."""
    return [list(line[len(line) * at // parts : len(line) * (at + 1) // parts]) for at in range(parts)]


def components(verbs: Verbs, drafted: Drafted, say: Language, below: Seat) -> discord.ui.View:
    """The choices as buttons (a menu where there are many) in the order in which they lie on the board, and Undo,
    Confirm, Cancel below.
    """
    signs = {draft: f"{sign}: " for draft, (sign, _) in lettered(drafted, below).items()}
    placed = lines(drafted, below)

    def named(draft: Draft, choice: Choice[Any]) -> str:
        return signs.get(draft, "") + label(drafted, choice, say)

    items: list[discord.ui.Item[Any]] = []
    if sum(map(len, placed)) <= BUTTONS:
        for row, offered in enumerate(rows(placed)):
            for draft, choice in offered:
                style, text = "danger" if loses_by(drafted, choice) else "plain", named(draft, choice)
                items.append(PressButton(verbs.press(verbs.pick, str(draft)), text[:LABEL_LENGTH], style, row=row))
    else:
        options = [
            discord.SelectOption(label=named(*offered)[:OPTION_LENGTH], value=str(offered[0]))
            for line in placed
            for offered in line
        ]
        items.append(PressMenu(verbs.press(verbs.pick), say("picker.choose"), options, row=0))
    if drafted.complete:
        style = "danger" if loses(drafted.game, drafted.before, drafted.state) else "good"
        items.append(PressButton(verbs.press(verbs.confirm, str(drafted.draft)), say("button.confirm"), style, row=4))
    if drafted.draft != Draft():
        items.append(PressButton(verbs.press(verbs.pick, str(drafted.draft.undone())), say("button.undo"), row=4))
    items.append(PressButton(verbs.press(verbs.cancel), say("button.cancel"), row=4))
    return view_of(*items)
