"""The rules by topic, each with a picture of an example. Refusals of moves link to them, too."""

from difflib import SequenceMatcher
from typing import Any, Final

import discord

from bot.board import pictures
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import CODES, Language, language, plain
from bot.my_games import views as my_games
from engine.core.game import Game
from engine.core.learning import case
from engine.core.lesson import PLAN, Topic
from engine.registry import find
from render.view import View

handlers: Final = Handlers()

TOPICS: Final = 25
SUMMARY: Final = "summary"
NEAR: Final = 3
"""The most topics that are offered in place of an unknown one."""
LIKE: Final = 0.6
"""The least likeness of two texts, from 0 to 1, for such an offer; two letters swapped in a word of five give 0.8."""
SHOWN: Final = 30
"""The most characters of an unknown topic that are quoted."""


@handlers.on("topic")
async def change_topic(answer: Answer, press: Press) -> None:
    """Shows another topic, chosen in the menu or by a button."""
    await show(answer, find(press.subject), press.chosen, fresh=False)


@handlers.on("rule")
async def open_topic(answer: Answer, press: Press) -> None:
    """Shows the rule that a refused move has broken."""
    await show(answer, find(press.subject), press.rest, fresh=True)


async def show_unknown(answer: Answer, game: Game[Any, Any], typed: str) -> None:
    """Says that there is no such topic, and offers the nearest ones and the menu of all."""
    say, near = answer.say, nearest(game, typed)
    buttons = [_button(game, topic, title(game, topic, say)) for topic in near]
    content = say("rules.unknown_near" if near else "rules.unknown", text=typed[:SHOWN], game=game.name)
    await answer.private(content, view=view_of(contents(game, say), *buttons))


async def show(answer: Answer, game: Game[Any, Any], key: str, *, fresh: bool) -> None:
    """Shows a topic with the menu of all topics and a button to the next; the summary if there is no such topic."""
    say = answer.say
    topic = next((topic for topic in game.topics if topic.key == key), None)
    if topic is None:
        content, file = say(f"{game.key}.rules"), await pictures.start(game, say, answer.theme)
    else:
        content = f"**{game.name}: {title(game, topic, say)}**\n{say(f'{game.key}.topic.{topic.key}')}"
        file = await picture(game, topic, say, answer.theme)
    machine = await my_games.machine_button(answer, learnt=game.key) if key == PLAN else []
    view = view_of(contents(game, say), *machine, *_next(game, topic, say)) if game.topics else None
    await answer.show(content, files=[file], view=view, fresh=fresh)


def _next(game: Game[Any, Any], topic: Topic | None, say: Language) -> list[PressButton]:
    """Returns the button to the topic after this one: after the summary the first topic, after the last none."""
    following = game.topics[game.topics.index(topic) + 1 :] if topic else game.topics
    return [_button(game, each, say("button.next_rule", title=title(game, each, say))) for each in following[:1]]


def _button(game: Game[Any, Any], topic: Topic, label: str) -> PressButton:
    return PressButton(Press("topic", game.key, 0, topic.key), label)


def find_topic(game: Game[Any, Any], typed: str) -> str:
    """Returns the key of the typed topic: the text is the key, or a title in any language or its beginning; otherwise
    SUMMARY.
    """
    plain_text = plain(typed)
    found = titles(game)
    if typed in found or not plain_text:
        return typed if plain_text else SUMMARY
    exact = [key for key, named in found.items() if plain_text in named]
    prefixed = [key for key, named in found.items() if any(each.startswith(plain_text) for each in named)]
    return next(iter([*exact, *prefixed]), SUMMARY)


def is_known(game: Game[Any, Any], typed: str) -> bool:
    """Returns whether ``find_topic`` finds the typed text. The summary is found by its name, too."""
    summaries = {SUMMARY, *(plain(language(code)("rules.summary")) for code in CODES)}
    return not plain(typed) or plain(typed) in summaries or find_topic(game, typed) != SUMMARY


def nearest(game: Game[Any, Any], typed: str) -> list[Topic]:
    """Returns the topics whose key, title or word of the title is most like the typed text: at most NEAR, the best
    first.
    """
    wanted = plain(typed)
    likeness = {
        key: max(
            SequenceMatcher(None, wanted, each).ratio() for name in (key, *named) for each in (name, *name.split())
        )
        for key, named in titles(game).items()
    }
    close = sorted(
        (topic for topic in game.topics if likeness[topic.key] >= LIKE), key=lambda each: -likeness[each.key]
    )
    return close[:NEAR]


def titles(game: Game[Any, Any]) -> dict[str, list[str]]:
    """Returns the plain titles of each topic, by key, in all languages."""
    return {topic.key: [plain(title(game, topic, language(code))) for code in CODES] for topic in game.topics}


async def picture(game: Game[Any, Any], topic: Topic, say: Language, theme: str) -> discord.File:
    """Returns the example of a topic: the position before the play, with the play marked."""
    state, marks = case(game, topic)
    view = View(below=game.to_act(state) or 0, chosen=marks, theme=theme)
    return await pictures.of_state(game, state, view, say)


def title(game: Game[Any, Any], topic: Topic, say: Language) -> str:
    return say(f"{game.key}.topic.{topic.key}.title")


def contents(game: Game[Any, Any], say: Language) -> PressMenu:
    """Returns the menu of all topics. None is selected: the placeholder gives their number, and the message shows the
    open one.
    """
    options = [discord.SelectOption(label=say("rules.summary"), value=SUMMARY)]
    options += [discord.SelectOption(label=title(game, topic, say), value=topic.key) for topic in game.topics]
    return PressMenu(Press("topic", game.key, 0), say("rules.choose", n=len(game.topics)), options[:TOPICS])
