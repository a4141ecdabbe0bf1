"""Finds the handler of a component or form by the verb in its custom_id."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord

from bot.core.interactions.answer import Answer, Context, Handler, Interaction
from bot.core.interactions.forms import filled
from bot.core.interactions.press import Press, read_press
from bot.core.metrics.interactions import observed
from engine.core.errors import Refused

PRESSED = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Handlers:
    """The handlers of one module by verb. A feature gives them to the app."""

    def __init__(self) -> None:
        self.by_verb: dict[str, Handler] = {}

    def on(self, verb: str) -> Callable[[Handler], Handler]:
        """A decorator that adds the handler of a verb."""

        def add(handler: Handler) -> Handler:
            self.by_verb[verb] = handler
            return handler

        return add

    def says(self, verb: str, key: str) -> None:
        """Adds a verb that only replaces the pressed message with the text of ``key``."""

        @self.on(verb)
        async def say(answer: Answer, _press: Press) -> None:
            await answer.update(answer.say(key))


async def route(context: Context, interaction: Interaction) -> None:
    """Answers a component or form of ours. Leaves any other interaction to discord.py."""
    data: Any = interaction.data
    if interaction.type not in PRESSED or not data:
        return
    press = read_press(data.get("custom_id", ""))
    if press is None:
        return
    if interaction.type is discord.InteractionType.modal_submit:
        press = replace(press, filled=tuple(filled(data["components"])))
    else:
        press = replace(press, values=tuple(data.get("values", ())))
    handler = context.handlers.get(press.verb, _outdated)
    with observed(interaction, press.verb, context.handlers):
        await context.answer(interaction, lambda answer: handler(answer, press))


async def _outdated(_answer: Answer, _press: Press) -> None:
    """Answers a button of an earlier release whose verb no longer exists."""
    raise Refused("table.stale")
