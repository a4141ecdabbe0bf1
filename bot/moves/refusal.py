"""Refused moves: the rule that forbids the move, the board with its cells marked, and a button to the rule.

An unreadable text breaks no rule. If a turn begins with it, the picker continues from there; else a button leads to the
help on notation. If it can be read in several ways, each has a button.
"""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures
from bot.board.buttons import rule_button
from bot.board.cube_actions import cube_actions, move_buttons
from bot.board.effects import effects, notes_of
from bot.board.views import current
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.notation import in_language
from bot.moves import illegal, picker
from bot.moves.draft import Draft, follow
from bot.moves.incomplete import incomplete_move, turns_beginning_with
from bot.players.asker import names_of
from engine.core.errors import AmbiguousMove, BadNotation, IllegalMove, RuleError
from engine.core.learning import topic_for
from render.view import View

handlers: Final = Handlers()

NAMED_MOVES: Final = frozenset({"play", "step"})
"""The parameters of a refusal that hold moves in notation."""
MAX_TURN_BUTTONS: Final = 5
"""The most turns with a button: one row. If there are more, a button to the picker is added."""


async def show(answer: Answer, live: LiveGame, typed: str, error: RuleError) -> None:
    found = incomplete_move(live.game, live.state, typed) if isinstance(error, BadNotation) else None
    if found is not None:
        more = [turn_button(answer, live, found.turn)] if found.turn else []
        text = found.message(typed, answer.say)
        drafted = follow(live.game, live.state, found.draft)
        await picker.show(answer, live, drafted, fresh=True, text=text, more=more)
        return
    marked = illegal.targets(live.game, live.seat_to_act or 0, typed, error)
    view = View(
        below=board.side_below(live, answer.user_id, answer.prefs["below"]),
        last=() if marked else pictures.last_marks(live.table),
        targets=marked,
        theme=answer.theme,
        names=await names_of(answer, live.players),
    )
    file = await pictures.picture(live.table, live.state, view, answer.say)
    items: list[discord.ui.Item[Any]] = list(turn_buttons(answer, live, typed, error))
    items += cube_buttons(live, typed, answer.say) if isinstance(error, BadNotation) else []
    if topic := topic_for(live.game, error.key):
        is_unreadable = isinstance(error, BadNotation | AmbiguousMove)
        items.append(rule_button(live.game, topic, answer.say, titled=is_unreadable))
    await answer.private(refused(error, answer.say), files=[file], view=view_of(*items) if items else None)


def refused(error: RuleError, say: Language) -> str:
    """Returns the refusal in words, with the moves that it names in the player's language."""
    moves = {name: in_language(str(value), say) for name, value in error.params.items() if name in NAMED_MOVES}
    return say.error(error, **moves)


def turn_buttons(answer: Answer, live: LiveGame, typed: str, error: RuleError) -> Iterator[PressButton]:
    """Yields a button for each turn that an ambiguous text may mean, or that continues a text against the rules."""
    game, state = live.game, live.state
    turns: list[tuple[Any, ...]] = []
    if isinstance(error, AmbiguousMove):
        for text in error.readings:
            with contextlib.suppress(RuleError):  # the error message still names it
                turns.append(game.parse(state, text))
    elif isinstance(error, IllegalMove):
        turns = [
            turn
            for turn in turns_beginning_with(game, state, typed)
            if continues_typed(game.format(state, turn), typed)
        ]
    yield from (turn_button(answer, live, steps, row=0) for steps in turns[:MAX_TURN_BUTTONS])
    if len(turns) > MAX_TURN_BUTTONS:
        yield PressButton(Press("move", live.id, live.seq), answer.say("button.move"), row=1)


def cube_buttons(live: LiveGame, typed: str, say: Language) -> list[PressButton]:
    """Returns the buttons of the cube actions that begin with the typed text."""
    if not cube_actions(live.game, live.state) or not typed.strip():
        return []
    begin = typed.strip().casefold()
    return [
        button
        for button in move_buttons(live, say)
        if button.press.rest.startswith(begin) or str(button.label).casefold().startswith(begin)
    ]


def continues_typed(text: str, typed: str) -> bool:
    """Returns whether a turn's text continues the typed text with a new word:
    not within a number, and not after a stop.
    """
    begin, rest = text[: len(typed.strip())], text[len(typed.strip()) :]
    return begin.casefold() == typed.strip().casefold() and rest[:1].isalpha()


def turn_button(answer: Answer, live: LiveGame, steps: tuple[Any, ...], row: int | None = None) -> PressButton:
    """Returns a button that plays a turn as if it was typed. Its label has the effects of the turn."""
    game, state = live.game, live.state
    label = ", ".join(
        [in_language(game.format(state, steps), answer.say), *effects(notes_of(game, state, steps), answer.say)]
    )
    return PressButton(
        Press("reading", live.id, live.seq, str(Draft.of(game, state, steps))), label, "primary", row=row
    )


@handlers.on("reading")
async def play_reading(answer: Answer, press: Press) -> None:
    """Plays a turn as if it was typed. The button names the turn, so it is played unless it needs confirmation."""
    live = await current(answer, press)
    drafted = None if live is None else await picker.draft_of(answer, live, press.rest)
    if live is None or drafted is None:
        return
    if drafted.complete and picker.plays_without_confirmation(drafted, answer.prefs["confirm"]):
        await picker.play(answer, live, drafted)
    else:
        await picker.show(answer, live, drafted, fresh=False)
