"""Finds the handler of a component or form by the verb in its custom_id."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord

from bot.core.interactions.answer import Answer, Context, Handler, Interaction
from bot.core.interactions.forms import filled
from bot.core.interactions.press import InvalidPress, Press, read_press, read_values
from bot.core.metrics.interactions import observed

PRESSED = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Handlers:
    """The handlers of one module, by verb. A feature gives them to the app."""

    def __init__(self) -> None:
        self.by_verb: dict[str, Handler] = {}

    def on(self, verb: str) -> Callable[[Handler], Handler]:
        """Returns a decorator that adds the handler of a verb."""

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
    """Answers a component or a form. Leaves any other interaction to discord.py."""
    data: Any = interaction.data
    if interaction.type not in PRESSED or not data:
        return

    async def work(answer: Answer) -> None:
        press = _pressed(interaction.type, data)
        handler = context.handlers.get(press.verb)
        if handler is None:  # a component of an earlier release
            raise InvalidPress
        await handler(answer, press)

    press = read_press(data.get("custom_id"))
    with observed(interaction, press.verb if press else "", context.handlers):
        await context.answer(interaction, work)


def _pressed(kind: discord.InteractionType, data: Any) -> Press:
    """Reads a component or a form. Raises InvalidPress for data that are not ours."""
    press = read_press(data.get("custom_id"))
    if press is None:
        raise InvalidPress
    if kind is discord.InteractionType.modal_submit:
        return replace(press, filled=tuple(filled(data.get("components"))))
    return replace(press, values=read_values(data.get("values", ())))
