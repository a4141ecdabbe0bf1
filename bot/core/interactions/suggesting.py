"""Suggestions while a user types. They are always answered within Discord's time; if they fail, with an empty list."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

import structlog
from discord import InteractionResponseType, app_commands

from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Interaction
from bot.core.interactions.discord_limits import cut
from bot.core.metrics.interactions import ERROR, NOT_ANSWERED, note_outcome
from bot.core.processes.cut_off import AnswerLock
from bot.core.storage.faults.outages import is_outage

Choices: TypeAlias = list[app_commands.Choice[Any]]
Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]
PATIENCE: Final = 2.0
"""The seconds for suggestions from the arrival of the interaction. Discord waits for 3, network time included."""
ARRIVED: Final = "arrived"

LONGEST: Final = 100
"""The most characters of the name, and of the value, of a suggestion."""

log = structlog.get_logger()
_under_way: Final[set[asyncio.Task[Choices]]] = set()
"""Running tasks, as asyncio itself keeps no reference to a task."""


def note_arrival(interaction: Interaction) -> None:
    """Notes when an interaction is read from the gateway. It may wait before it is answered."""
    interaction.extras[ARRIVED] = asyncio.get_running_loop().time()


def arrival(interaction: Interaction) -> float:
    """Returns the moment at which the interaction arrived, in the seconds of the event loop."""
    return float(interaction.extras.get(ARRIVED) or asyncio.get_running_loop().time())


async def _in_time(work: Coroutine[Any, Any, Choices], end: float) -> Choices:
    """Returns the result of the work. Raises TimeoutError at ``end``, in the seconds of the event loop.

    It then leaves the work alone, as even a cancellation takes seconds if the database does not answer.
    """
    task = asyncio.create_task(work)
    _under_way.add(task)
    task.add_done_callback(_ended)
    try:
        await asyncio.wait({task}, timeout=max(0.0, end - asyncio.get_running_loop().time()))
    finally:
        task.cancel()
    if not task.done():
        raise TimeoutError
    return task.result()


def _ended(task: asyncio.Task[Choices]) -> None:
    _under_way.discard(task)
    if not task.cancelled():
        task.exception()  # otherwise asyncio would log that nobody has retrieved it


def suggests(command: "app_commands.Command[Any, ..., Any]", option: str) -> Callable[[Suggest], Suggest]:
    """Returns a decorator for the function that makes the suggestions for an option of a command."""

    def add(suggest: Suggest) -> Suggest:
        @command.autocomplete(option)
        async def choices(interaction: Interaction, typed: str) -> Choices:
            found: Choices = []
            try:
                made = await _in_time(suggest(interaction, typed), arrival(interaction) + PATIENCE)
                found = [_cut(choice) for choice in made if len(str(choice.value)) <= LONGEST]
            except Exception as error:  # after any failure the user may go on typing
                late = isinstance(error, TimeoutError)
                note_outcome(NOT_ANSWERED if late else ERROR)
                if not late and not is_outage(error):
                    log.warning("suggestions_failed", command=command.qualified_name, option=option, exc_info=True)
            await _offer(interaction, found)
            return []  # already answered

        del choices  # discord.py keeps it
        return suggest

    return add


def _cut(choice: app_commands.Choice[Any]) -> app_commands.Choice[Any]:
    """Shortens the name of a suggestion to LONGEST characters. A longer value cannot be suggested."""
    choice.name = cut(choice.name, LONGEST)
    return choice


async def no_choices(interaction: Interaction) -> None:
    await _offer(interaction, [])


async def _offer(interaction: Interaction, choices: Choices) -> None:
    """Answers with these suggestions. It is no fault if Discord no longer accepts them: the user has typed on."""
    try:
        async with AnswerLock(interaction, since=arrival(interaction)):
            await interaction.response.autocomplete(choices)
    except REQUEST_ERRORS as error:
        log.info("suggestions_not_delivered", error=str(error))
        # discord.py would answer again, and log that as an error, and has no public way to say that it was answered
        interaction.response._response_type = InteractionResponseType.autocomplete_result  # noqa: SLF001
