"""Board pictures as Discord files, drawn off the event loop, with the position in words as alt text."""

import asyncio
import io
import re
from collections.abc import Awaitable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog
from babel.dates import format_datetime

from bot.clocks.words import Frame
from bot.core import render_queue
from bot.core.translations import Language
from engine.core.game import Game, Mark
from engine.core.table import Table
from render import registry
from render.view import DEFAULT_THEME, Card, View

ALT_LENGTH: Final = 1024
NO_CLOCKS: Final = Frame()
LEAST_STORY: Final = 40
"""Less room than that for what has happened would tell nothing."""
STAMP: Final = re.compile(r"<t:(\d+)(?::\w)?>")

log = structlog.get_logger()


async def warm(after: Awaitable[object]) -> None:
    """Makes what all pictures share, in a thread, once ``after`` is done: nobody's first board is to wait for it."""
    await after
    try:
        await asyncio.to_thread(registry.warm)
    except Exception:  # whoever asks for a board makes it then
        log.exception("pictures_not_warmed")


async def picture(table: Table[Any, Any], state: Any, view: View, say: Language, story: str = "") -> discord.File:
    """The picture of ``state``, a position at ``table``; ``story`` is what has just happened."""
    return await of_state(table.game, state, view, say, story)


async def of_state(game: Game[Any, Any], state: Any, view: View, say: Language, story: str = "") -> discord.File:
    """The picture of a position. Cached by the renderer. Who waits for an answer gets it sooner, if a little larger."""
    view = with_sides(game, view, say)
    quick = render_queue.urgency.get() is render_queue.Urgency.ANSWER
    data = registry.kept(game.key, state, view, quick=quick)
    if data is None:
        data = await render_queue.pictures.draw(registry.picture, game.key, state, view, quick=quick)
    return discord.File(io.BytesIO(data), filename="board.png", description=alt(game, state, view, say, story))


def with_sides(game: Game[Any, Any], view: View, say: Language) -> View:
    """The view with the sides' names if a picture needs them: where it can draw no letter of a player's."""
    if not registry.needs_sides(view):
        return view  # the same in every language: a kept picture serves all
    first, second = (say(f"seat.{seat}") for seat in game.seats)
    return replace(view, sides=(first, second))


def alt(game: Game[Any, Any], state: Any, view: View, say: Language, story: str = "") -> str:
    """The whole position in words, and what has just happened, at most 1,024 characters."""
    words = " ".join([say.note(note) for note in registry.alt(game.key, state, view)])
    told = spoken(story, say)
    room = ALT_LENGTH - len(words) - len(" ")
    if len(told) > room:
        told = f"…{told[len(told) - room + 1 :]}" if room > LEAST_STORY else ""
    return f"{words} {told}".rstrip() if len(words) <= ALT_LENGTH else words[: ALT_LENGTH - 1] + "…"


def spoken(story: str, say: Language) -> str:
    """A story without the signs of a message: an alt text shows them as they are, and moments as bare numbers."""

    def moment(found: re.Match[str]) -> str:
        return f"{format_datetime(datetime.fromtimestamp(int(found[1]), UTC), 'short', locale=say.code)} UTC"

    return STAMP.sub(moment, story.replace("`", ""))


async def board(
    table: Table[Any, Any],
    seat: int,
    say: Language,
    theme: str = DEFAULT_THEME,
    names: tuple[str, str] = ("", ""),
    story: str = "",
    clocks: Frame = NO_CLOCKS,
) -> discord.File:
    """The present position with the last play marked, ``seat`` below."""
    left, stopped = clocks
    view = View(below=seat, last=last_marks(table), theme=theme, names=names, clocks=left, stopped=stopped)
    return await picture(table, table.state, view, say, story)


async def card(table: Table[Any, Any], view: View, lines: Card, say: Language, story: str) -> discord.File:
    """The result card of a finished game; its alt text says the last position and how it ended."""
    named = with_sides(table.game, view, say)
    data = await render_queue.pictures.draw(registry.card, table.game.key, table.state, named, lines)
    words = alt(table.game, table.state, view, say, story)
    return discord.File(io.BytesIO(data), filename="result.png", description=words)


def last_marks(table: Table[Any, Any]) -> tuple[Mark, ...]:
    """The marks of the last turn that moved anything."""
    if table.last_move is None:
        return ()
    marks: list[Mark] = []
    state = table.last_move.before
    for step in table.last_move.steps:
        marks += table.game.marks(state, step)
        state = table.game.apply(state, step)
    return tuple(marks)


async def start(game: Game[Any, Any], say: Language, theme: str = DEFAULT_THEME) -> discord.File:
    """The position before the first turn."""
    return await of_state(game, game.start(game.settle_options({})), View(theme=theme), say)


def in_words(table: Table[Any, Any], view: View, say: Language) -> str:
    """The position as lines of words, for a screen reader or a plain terminal."""
    return "\n".join(
        " ".join(say.note(note) for note in line) for line in registry.text_lines(table.game.key, table.state, view)
    )
