"""A move that is refused: which rule forbids it, the board with what was tried, and the way to the rule.

What cannot be read breaks no rule: then the way is to how moves are written. What can be read in several ways is
offered in each of them.
"""

from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.services.tables import Seated
from bot.ui import board, forbidden, pictures
from bot.ui.answer import Answer
from bot.ui.draft import Draft
from bot.ui.effects import effects, notes_of
from bot.ui.routing import Press, PressButton, view_of
from bot.ui.rules import rule_button
from engine.core.errors import AmbiguousMove, BadNotation, RuleError
from engine.core.lesson import topic_for
from render.view import View

READINGS: Final = 15
"""As many readings are offered as buttons: three rows."""


async def show(answer: Answer, seated: Seated, typed: str, error: RuleError) -> None:
    """Privately, in the asker's language."""
    table, seat = seated.table, seated.table.to_act or 0
    marked = forbidden.targets(table.game, seat, typed, error)
    view = View(
        below=board.side_below(seated, answer.user_id, answer.prefs["below"]),
        last=() if marked else pictures.last_marks(table),
        targets=marked,
        theme=answer.theme,
        names=await answer.names(seated.players),
    )
    file = await pictures.picture(table, table.state, view, answer.say)
    items: list[discord.ui.Item[Any]] = list(readings(answer, seated, error))
    if topic := topic_for(table.game, error.key):
        unread = isinstance(error, BadNotation | AmbiguousMove)
        items.append(rule_button(table.game, topic, answer.say, titled=unread))
    await answer.private(answer.say.error(error), files=[file], view=view_of(*items) if items else None)


def readings(answer: Answer, seated: Seated, error: RuleError) -> Iterator[PressButton]:
    """A button for each turn that an ambiguous text may mean, with what it does."""
    game, state = seated.table.game, seated.table.state
    for text in error.readings[:READINGS] if isinstance(error, AmbiguousMove) else ():
        try:
            steps = game.parse(state, text)
        except RuleError:  # it is in the sentence
            continue
        label = ", ".join([text, *effects(notes_of(game, state, steps), answer.say)])
        draft = Draft.of(game, state, steps)
        yield PressButton(Press("pick", seated.id, seated.seq, str(draft)), label, "primary")
