"""Board pictures as Discord files, drawn off the event loop, with the position in words as alt text."""

import asyncio
import io
from typing import Any, Final

import discord

from bot.i18n import Language
from engine.core.game import Game, Mark
from engine.core.record import Header
from engine.core.table import Table
from render import registry
from render.view import View

ALT_LENGTH: Final = 1024


async def picture(table: Table[Any, Any], state: Any, view: View, say: Language) -> discord.File:
    """The picture of ``state``, a position at ``table``. Cached by the renderer."""
    data = await asyncio.to_thread(registry.picture, table.game.key, state, view)
    return discord.File(io.BytesIO(data), filename="board.png", description=alt(table, state, view, say))


def alt(table: Table[Any, Any], state: Any, view: View, say: Language) -> str:
    """The whole position in words, at most 1,024 characters."""
    words = " ".join(say.note(note) for note in registry.alt(table.game.key, state, view))
    return words if len(words) <= ALT_LENGTH else words[: ALT_LENGTH - 1] + "…"


async def board(table: Table[Any, Any], seat: int, say: Language) -> discord.File:
    """The present position with the last play marked, ``seat`` below."""
    return await picture(table, table.state, View(below=seat, last=last_marks(table)), say)


def last_marks(table: Table[Any, Any]) -> tuple[Mark, ...]:
    """The marks of the last play."""
    if table.last is None:
        return ()
    marks: list[Mark] = []
    state = table.last.before
    for step in table.last.steps:
        marks += table.game.marks(state, step)
        state = table.game.apply(state, step)
    return tuple(marks)


async def start(game: Game[Any, Any], say: Language) -> discord.File:
    """The position before the first turn."""
    table = Table.open(game, Header(game.key, game.version, "start", 0))
    return await picture(table, table.state, View(), say)
