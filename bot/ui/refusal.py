"""A move that is refused: which rule forbids it, the board it was tried on, and the way to the rule.

What cannot be read breaks no rule: then the way is to how moves are written.
"""

from bot.services.tables import Seated
from bot.ui import pictures
from bot.ui.answer import Answer
from bot.ui.routing import view_of
from bot.ui.rules import rule_button
from engine.core.errors import AmbiguousMove, BadNotation, RuleError
from engine.core.lesson import topic_for


async def show(answer: Answer, seated: Seated, error: RuleError) -> None:
    """Privately, in the asker's language."""
    table = seated.table
    file = await pictures.board(table, table.to_act or 0, answer.say, answer.theme, await answer.names(seated.players))
    topic = topic_for(table.game, error.key)
    unread = isinstance(error, BadNotation | AmbiguousMove)
    view = view_of(rule_button(table.game, topic, answer.say, titled=unread)) if topic else None
    await answer.private(answer.say.error(error), files=[file], view=view)
