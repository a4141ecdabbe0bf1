"""The rules by topic, each with a picture of an example; the refusal of a move links to them too."""

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
async def change_topic(answer: Answer, press: Press) -> None:
    """Shows another topic, chosen in the menu."""
    await show(answer, find(press.subject), press.values[0], fresh=False)


@handlers.on("rule")
async def open_topic(answer: Answer, press: Press) -> None:
    """Shows the rule that a refused move has broken."""
    await show(answer, find(press.subject), press.rest, fresh=True)


async def show(answer: Answer, game: Game[Any, Any], key: str, *, fresh: bool) -> None:
    """Shows a topic with the menu of all topics; the summary if there is no such topic."""
    say = answer.say
    topic = next((topic for topic in game.topics if topic.key == key), None)
    if topic is None:
        content, file = say(f"{game.key}.rules"), await pictures.start(game, say, answer.theme)
    else:
        content = f"**{game.name}: {title(game, topic, say)}**\n{say(f'{game.key}.topic.{topic.key}')}"
        file = await picture(game, topic, say, answer.theme)
    view = view_of(contents(game, say)) if game.topics else None
    await answer.show(content, files=[file], view=view, fresh=fresh)


def find_topic(game: Game[Any, Any], typed: str) -> str:
    """The key of the typed topic: the text is that key, or a title in any language or its beginning; else SUMMARY."""
    plain_text = plain(typed)
    found = {topic.key: [plain(title(game, topic, language(code))) for code in CODES] for topic in game.topics}
    if typed in found or not plain_text:
        return typed if plain_text else SUMMARY
    exact = [key for key, titles in found.items() if plain_text in titles]
    prefixed = [key for key, titles in found.items() if any(each.startswith(plain_text) for each in titles)]
    return next(iter([*exact, *prefixed]), SUMMARY)


async def picture(game: Game[Any, Any], topic: Topic, say: Language, theme: str) -> discord.File:
    """The example of a topic: the position before the play, with the play marked."""
    state, marks = case(game, topic)
    view = View(below=game.to_act(state) or 0, chosen=marks, theme=theme)
    return await pictures.of_state(game, state, view, say)


def title(game: Game[Any, Any], topic: Topic, say: Language) -> str:
    return say(f"{game.key}.topic.{topic.key}.title")


def contents(game: Game[Any, Any], say: Language) -> PressMenu:
    """The menu of all topics. None is preselected: the placeholder gives their number, the message the open one."""
    options = [discord.SelectOption(label=say("rules.summary"), value=SUMMARY)]
    options += [discord.SelectOption(label=title(game, topic, say), value=topic.key) for topic in game.topics]
    return PressMenu(Press("topic", game.key, 0), say("rules.choose", n=len(game.topics)), options[:TOPICS])
