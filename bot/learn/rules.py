"""The rules by topic, each with the picture of its case; also from the refusal of a move."""

from typing import Any, Final

import discord

from bot.board import pictures
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressMenu, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import CODES, Language, language, plain
from engine.core.game import Game
from engine.core.learning import case
from engine.core.lesson import Topic
from engine.registry import find
from render.view import View

handlers: Final = Handlers()

TOPICS: Final = 25
SUMMARY: Final = "summary"


@handlers.on("topic")
async def turn_to(answer: Answer, press: Press) -> None:
    """Another topic, chosen in the menu."""
    await show(answer, find(press.subject), press.values[0], fresh=False)


@handlers.on("rule")
async def open_topic(answer: Answer, press: Press) -> None:
    """The rule that a refused move has broken."""
    await show(answer, find(press.subject), press.rest, fresh=True)


async def show(answer: Answer, game: Game[Any, Any], key: str, *, fresh: bool) -> None:
    """One topic, with the menu to the others; the summary where there is no such topic."""
    say = answer.say
    topic = next((topic for topic in game.topics if topic.key == key), None)
    if topic is None:
        content, file = say(f"{game.key}.rules"), await pictures.start(game, say, answer.theme)
    else:
        content = f"**{game.name}: {title(game, topic, say)}**\n{say(f'{game.key}.topic.{topic.key}')}"
        file = await picture(game, topic, say, answer.theme)
    view = view_of(contents(game, say)) if game.topics else None
    await answer.show(content, files=[file], view=view, fresh=fresh)


def meant(game: Game[Any, Any], typed: str) -> str:
    """The key of the topic that is typed: by that key, or by its title in any language or how that begins."""
    wanted = plain(typed)
    found = {topic.key: [plain(title(game, topic, language(code))) for code in CODES] for topic in game.topics}
    if typed in found or not wanted:
        return typed if wanted else SUMMARY
    whole = [key for key, titles in found.items() if wanted in titles]
    begun = [key for key, titles in found.items() if any(each.startswith(wanted) for each in titles)]
    return next(iter([*whole, *begun]), SUMMARY)


async def picture(game: Game[Any, Any], topic: Topic, say: Language, theme: str) -> discord.File:
    """The case of a rule: the position before the play that it is about, with the play marked."""
    state, marks = case(game, topic)
    view = View(below=game.to_act(state) or 0, chosen=marks, theme=theme)
    return await pictures.of_state(game, state, view, say)


def title(game: Game[Any, Any], topic: Topic, say: Language) -> str:
    return say(f"{game.key}.topic.{topic.key}.title")


def contents(game: Game[Any, Any], say: Language) -> PressMenu:
    """The menu of all topics. None is marked: what is closed says how many there are, the message which is open."""
    options = [discord.SelectOption(label=say("rules.summary"), value=SUMMARY)]
    options += [discord.SelectOption(label=title(game, topic, say), value=topic.key) for topic in game.topics]
    return PressMenu(Press("topic", game.key, 0), say("rules.choose", n=len(game.topics)), options[:TOPICS])
