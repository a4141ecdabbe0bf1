"""Board pictures as Discord files. They are drawn off the event loop, with the position in words as alt text."""

import asyncio
import io
import re
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog
from babel.dates import format_datetime

from bot.board.story import dice_of
from bot.clocks.words import Frame
from bot.core import render_queue
from bot.core.allocator import give_back
from bot.core.metrics.definitions import RENDER_CACHE
from bot.core.translations import Language
from engine.core.game import Game, Mark, OptionValue, Seat
from engine.core.record import TURN_KINDS
from engine.core.table import Table
from engine.kits.cube import CubeAction
from render import registry
from render.people import pictures as people
from render.people.views import MatchCard
from render.view import DEFAULT_THEME, Card, View

ALT_LENGTH: Final = 1024
NO_CLOCKS: Final = Frame()
MIN_STORY_LENGTH: Final = 40
"""The least characters for the story in the alt text. With less room it is left out."""
STAMP: Final = re.compile(r"<t:(\d+)(?::\w)?>")

log = structlog.get_logger()


async def warm(after: Awaitable[object]) -> None:
    """Prepares the shared parts of all pictures, in a thread, once ``after`` is done. So the first board is not
    delayed.
    """
    await after
    try:
        await asyncio.to_thread(registry.warm)
        give_back()  # returns nearly 3 MB from the start and these pictures
    except Exception:  # if this fails, the first board prepares them
        log.exception("pictures_not_warmed")


async def picture(table: Table[Any, Any], state: Any, view: View, say: Language, story: str = "") -> discord.File:
    """Returns the picture of ``state``, a position at ``table``. ``story`` tells the last events."""
    return await of_state(table.game, state, view, say, story)


async def of_state(game: Game[Any, Any], state: Any, view: View, say: Language, story: str = "") -> discord.File:
    """Returns the picture of a position; the renderer caches it."""
    view = with_words(game, state, view, say)
    data = registry.cached(game.key, state, view)
    RENDER_CACHE.labels("miss" if data is None else "hit").inc()
    if data is None:
        data = await render_queue.pictures.draw(registry.picture, game.key, state, view)
    return discord.File(io.BytesIO(data), filename="board.png", description=alt(game, state, view, say, story))


def with_sides(game: Game[Any, Any], view: View, say: Language) -> View:
    """Adds the names of the sides to the view if the font cannot draw any letter of a player's name."""
    if not registry.needs_sides(view):
        return view  # without side names the picture is the same in every language, so one cached picture is enough
    first, second = (say(f"seat.{seat}") for seat in game.seats)
    return replace(view, sides=(first, second))


def with_words(game: Game[Any, Any], state: Any, view: View, say: Language) -> View:
    """Adds all words to the view that the picture of ``state`` needs."""
    view = with_sides(game, view, say)
    notes = registry.counts(game.key, state)
    return view if notes is None else replace(view, counts=(say.note(notes[0]), say.note(notes[1])))


def alt(game: Game[Any, Any], state: Any, view: View, say: Language, story: str = "") -> str:
    """Describes the position and then the ``story``; at most 1,024 characters."""
    words = " ".join([say.note(note) for note in registry.alt(game.key, state, view)] + rated_names(view))
    happened = plain_text(story, say)
    room = ALT_LENGTH - len(words) - len(" ")
    if len(happened) > room:
        happened = f"…{happened[len(happened) - room + 1 :]}" if room > MIN_STORY_LENGTH else ""
    return f"{words} {happened}".rstrip() if len(words) <= ALT_LENGTH else words[: ALT_LENGTH - 1] + "…"


def rated_names(view: View) -> list[str]:
    """Returns a sentence for each player with their rating; empty in a casual game."""
    if not any(view.ratings):
        return []
    return [f"{', '.join(map(' '.join, zip(view.names, view.ratings, strict=True)))}."]


def plain_text(story: str, say: Language) -> str:
    """Converts the story into plain text without backticks and with times in words, as Discord formats no alt texts."""

    def moment(found: re.Match[str]) -> str:
        return f"{format_datetime(datetime.fromtimestamp(int(found[1]), UTC), 'd MMM y, HH:mm', locale=say.code)} UTC"

    return STAMP.sub(moment, story.replace("`", ""))


async def board(
    table: Table[Any, Any],
    seat: int,
    say: Language,
    theme: str = DEFAULT_THEME,
    names: tuple[str, str] = ("", ""),
    story: str = "",
    clocks: Frame = NO_CLOCKS,
    ratings: tuple[str, str] = ("", ""),
    scores: tuple[str, str] = ("", ""),
) -> discord.File:
    """Draws the present position with the last turn marked, and ``seat`` below. ``scores``: those in the match, by
    seat.
    """
    left, stopped = clocks
    last = last_marks(table)
    over = table.outcome is not None
    view = View(seat, theme, last, names=names, ratings=ratings, scores=scores, clocks=left, over=over, stopped=stopped)
    view = replace(view, passed=passed(table))
    return await picture(table, table.state, view, say, story)


async def card(table: Table[Any, Any], view: View, lines: Card, say: Language, story: str) -> discord.File:
    """Draws the result card of a finished game. Its alt text gives the last position and the end of the game."""
    named = with_sides(table.game, view, say)
    data = await render_queue.pictures.draw(registry.card, table.game.key, table.state, named, lines)
    words = alt(table.game, table.state, view, say, story)
    return discord.File(io.BytesIO(data), filename="result.png", description=words)


async def match_card(card: MatchCard, text: str) -> discord.File:
    """Draws the card of a finished match; ``text`` says the same in words."""
    data = await render_queue.pictures.draw(people.match_card, card)
    words = text if len(text) <= ALT_LENGTH else text[: ALT_LENGTH - 1] + "…"
    return discord.File(io.BytesIO(data), filename="match.png", description=words)


def last_marks(table: Table[Any, Any]) -> tuple[Mark, ...]:
    """Returns the marks of the last turn that changed the position."""
    if table.last_move is None:
        return ()
    marks: list[Mark] = []
    state = table.last_move.before
    for step in table.last_move.steps:
        marks += table.game.marks(state, step)
        state = table.game.apply(state, step)
    return tuple(marks)


def passed(table: Table[Any, Any]) -> tuple[Seat, tuple[int, int]] | None:
    """Returns the seat that passed in the last turn, with the dice that allowed no move; None if there was no pass."""
    entries = table.record.entries
    turns = (number for number in reversed(range(len(entries))) if entries[number].kind in TURN_KINDS)
    last = next((number for number in turns if entries[number].body != CubeAction.ROLL), None)
    if last is None or not table.game.pass_text or entries[last].body != table.game.pass_text:
        return None
    first, dash, second = dice_of(table, last).partition("-")
    return (entries[last].seat, (int(first), int(second))) if dash else None


async def start(game: Game[Any, Any], say: Language, theme: str = DEFAULT_THEME) -> discord.File:
    """Draws the position before the first turn."""
    return await of_state(game, game.start(game.settle_options({})), View(theme=theme), say)


async def small_start(
    game: Game[Any, Any], options: Mapping[str, OptionValue], say: Language, theme: str = DEFAULT_THEME
) -> discord.File:
    """Draws a small picture of the position before the first turn with these options; the renderer caches it."""
    state, view = game.start(options), View(theme=theme)
    data = await render_queue.pictures.draw(registry.thumbnail, game.key, state, view)
    return discord.File(io.BytesIO(data), filename="start.png", description=alt(game, state, view, say))


def in_words(table: Table[Any, Any], view: View, say: Language) -> str:
    """Describes the position in lines of text, for a screen reader or a plain terminal."""
    return "\n".join(
        " ".join(say.note(note) for note in line) for line in registry.text_lines(table.game.key, table.state, view)
    )
