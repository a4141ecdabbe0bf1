"""Suggestions while a user types: always answered, within Discord's time, and with nothing if they fail."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import structlog
from discord import app_commands

from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Interaction
from bot.core.interactions.discord_limits import cut
from bot.core.metrics.interactions import ERROR, note_outcome
from bot.core.storage.faults.outages import is_outage

Choices: TypeAlias = list[app_commands.Choice[str]]
Suggest: TypeAlias = Callable[[Interaction, str], Awaitable[Choices]]
PATIENCE: Final = 2.0
"""Seconds that suggestions may take. Discord waits for 3, network time included."""

LONGEST: Final = 100
"""The most characters that Discord takes in the name and in the value of a suggestion."""

log = structlog.get_logger()


def suggests(command: "app_commands.Command[Any, ..., Any]", option: str) -> Callable[[Suggest], Suggest]:
    """A decorator for the function that makes the suggestions for an option of a command."""

    def add(suggest: Suggest) -> Suggest:
        @command.autocomplete(option)
        async def choices(interaction: Interaction, typed: str) -> Choices:
            try:
                async with asyncio.timeout(PATIENCE):
                    return [
                        _cut(choice) for choice in await suggest(interaction, typed) if len(choice.value) <= LONGEST
                    ]
            except Exception as error:  # whatever fails, the user may go on typing
                note_outcome(ERROR)
                if not is_outage(error) and not isinstance(error, TimeoutError):
                    log.warning("suggestions_failed", command=command.qualified_name, option=option, exc_info=True)
                return []

        del choices  # discord.py keeps it
        return suggest

    return add


def _cut(choice: app_commands.Choice[str]) -> app_commands.Choice[str]:
    """The suggestion with a name of at most LONGEST characters. A value that is longer cannot be suggested."""
    choice.name = cut(choice.name, LONGEST)
    return choice


async def no_choices(interaction: Interaction) -> None:
    """Answers with an empty list."""
    try:
        await interaction.response.autocomplete([])
    except REQUEST_ERRORS as error:
        log.info("suggestions_not_delivered", error=str(error))
