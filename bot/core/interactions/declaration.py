"""Declares each slash command in one place: its texts, its options and its handler."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import text

Declared: TypeAlias = "app_commands.Command[Any, ..., Any]"
AS_CALLED: Final[Mapping[str, str]] = MappingProxyType({})


def slash(
    context: Context,
    key: str,
    *,
    names: Mapping[str, str] = AS_CALLED,
    about: Mapping[str, str] = AS_CALLED,
    parent: app_commands.Group | None = None,
    public: bool | Callable[[Interaction], bool] = False,
) -> Callable[[Callable[..., Awaitable[None]]], Declared]:
    """Returns a decorator that makes a command from its handler. The handler takes an Answer and the options.

    The texts are ``command.<key>`` and ``command.<key>.about``; those of an option are ``option.<parameter>`` and
    ``option.<parameter>.about``. ``names`` gives a parameter another key, ``about`` only its description. ``parent``:
    the group of a subcommand. ``public``: see ``Context.answer``; a function decides it for each interaction.
    """

    def declare(handler: Callable[..., Awaitable[None]]) -> Declared:
        @wraps(handler)  # discord.py reads the options from the signature
        async def callback(interaction: Interaction, **options: Any) -> None:
            async def work(answer: Answer) -> None:
                await handler(answer, **options)

            shown = public(interaction) if callable(public) else public
            await context.answer(interaction, work, public=shown)

        _, *parameters = inspect.signature(handler).parameters
        if parameters:
            keys = {name: names.get(name, name) for name in parameters}
            app_commands.rename(**{name: text(f"option.{keys[name]}") for name in parameters})(callback)
            abouts = {name: about.get(name, keys[name]) for name in parameters}
            app_commands.describe(**{name: text(f"option.{abouts[name]}.about") for name in parameters})(callback)
        made = parent.command if parent else app_commands.command
        return made(name=text(f"command.{key}"), description=text(f"command.{key}.about"))(callback)

    return declare
